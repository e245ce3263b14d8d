import { create } from "@bufbuild/protobuf";
import { Code } from "@pluggableharness/grpc";
import { PublishRequestSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { EventBus } from "./event-bus.ts";

const bounds = { maxQueuedEvents: 3, maxQueuedBytes: 100, maxSubscribers: 2 };
const event = (eventType: string, bytes = 1) =>
  create(PublishRequestSchema, { eventType, payload: new Uint8Array(bytes), payloadType: "t" });
const idle = new AbortController().signal;

describe("the event bus", () => {
  it("gives an event to those who asked for its topic, in order", async () => {
    const bus = new EventBus(bounds);
    const abort = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { topic, sequence } of bus.subscribe(["a.*", "*.late"], abort.signal)) {
        seen.push(`${topic} ${sequence}`);
        if (topic === "b.late") abort.abort();
      }
    })();
    expect(bus.publish("a", event("saved"))).toBe("a.saved");
    bus.publish("b", event("saved"));
    bus.publish("a", event("late"));
    bus.publish("b", event("late"));
    await reading;
    expect(seen).toEqual(["a.saved 1", "a.late 3", "b.late 4"]);
  });

  it.each([
    ["events", 4, 1],
    ["bytes", 3, 40],
  ])("ends the stream of a subscriber that has too many %s to read", async (_what, count, bytes) => {
    const bus = new EventBus(bounds);
    const events = bus.subscribe(["*.*"], idle);
    for (let index = 0; index < count; index++) bus.publish("a", event("saved", bytes));
    const seen: bigint[] = [];
    const reading = (async () => {
      for await (const { sequence } of events) seen.push(sequence);
    })();
    await expect(reading).rejects.toMatchObject({ code: Code.RESOURCE_EXHAUSTED });
    expect(seen).toEqual(Array.from({ length: count - 1 }, (_, index) => BigInt(index + 1)));
  });

  it("has room for another subscriber when one has gone, read or not", async () => {
    const bus = new EventBus(bounds);
    const aborts = [new AbortController(), new AbortController()];
    const [first] = aborts.map(({ signal }) => bus.subscribe(["a.b"], signal));
    expect(() => bus.subscribe(["a.b"], idle)).toThrow("2 subscriptions already");
    const waiting = first?.[Symbol.asyncIterator]().next();
    for (const abort of aborts) abort.abort();
    expect(await waiting).toMatchObject({ done: true });
    expect(() => bus.subscribe(["a.b"], idle)).not.toThrow();
  });

  it.each([[[]], [["a..b"]], [["a.b", "c*"]]])("refuses the filters %j", (filters) => {
    expect(() => new EventBus().subscribe(filters, idle)).toThrow("topic_filters needs topics");
  });

  it("refuses an event type that is no single segment", () => {
    expect(() => new EventBus().publish("a", event("b.c"))).toThrow('event_type "b.c" must be one segment');
  });
});
