import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CHUNK_BYTES, MAX_QUEUED_BYTES, OutputQueue } from "./output-queue.ts";

const never = new AbortController().signal;

async function drained(queue: OutputQueue) {
  const events: { stream: string; text: string }[] = [];
  for await (const { stream, data } of queue.events(never))
    events.push({ stream, text: Buffer.from(data).toString() });
  return events;
}

describe("OutputQueue", () => {
  it("joins what was pushed while nobody pulled, per stream and in order", async () => {
    const queue = new OutputQueue(() => {});
    for (const [stream, text] of [
      ["stdout", "a"],
      ["stdout", "b"],
      ["stderr", "x"],
      ["stdout", "c"],
    ] as const) {
      queue.push(stream, Buffer.from(text));
    }
    queue.end();
    expect(await drained(queue)).toEqual([
      { stream: "stdout", text: "ab" },
      { stream: "stderr", text: "x" },
      { stream: "stdout", text: "c" },
    ]);
  });

  it("hands over at once what comes while somebody waits", async () => {
    const queue = new OutputQueue(() => {});
    const events = queue.events(never);
    const first = events.next();
    queue.push("stdout", Buffer.from("now"));
    expect((await first).value).toMatchObject({ stream: "stdout" });
  });

  it("asks the source to pause at its bound and to go on when half is read", async () => {
    let resumed = 0;
    const queue = new OutputQueue(() => resumed++);
    const chunk = Buffer.alloc(64 * 1024);
    let pushed = 0;
    do pushed += chunk.length;
    while (queue.push("stdout", chunk));
    expect(pushed).toBe(MAX_QUEUED_BYTES);
    const events = queue.events(never);
    expect((await events.next()).value).toMatchObject({ data: { length: MAX_CHUNK_BYTES } });
    expect(resumed).toBe(1);
  });

  it("does not forget a paused source when another one pushes", async () => {
    let resumed = 0;
    const queue = new OutputQueue(() => resumed++);
    for (const kib of [240, 240, 120]) queue.push("stdout", Buffer.alloc(kib * 1024));
    const events = queue.events(never);
    await events.next();
    queue.push("stderr", Buffer.alloc(10));
    for (let pulls = 0; pulls < 3; pulls++) await events.next();
    expect(resumed).toBe(1);
  });

  it("gives what was queued before the source broke, then its error", async () => {
    const queue = new OutputQueue(() => {});
    queue.push("stdout", Buffer.from("last words"));
    queue.fail(new Error("broken pipe"));
    const events = queue.events(never);
    expect((await events.next()).done).toBe(false);
    await expect(events.next()).rejects.toThrow("broken pipe");
  });

  it("ends a waiting reader when the call is aborted", async () => {
    const abort = new AbortController();
    const events = new OutputQueue(() => {}).events(abort.signal);
    const next = events.next();
    abort.abort();
    expect((await next).done).toBe(true);
  });

  it("neither loses nor reorders a byte", async () => {
    const piece = fc.record({
      stream: fc.constantFrom("stdout" as const, "stderr" as const),
      text: fc.string({ maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const queue = new OutputQueue(() => {});
        const reading = drained(queue);
        for (const { stream, text } of pieces) {
          queue.push(stream, Buffer.from(text));
          if (text.length % 3 === 0) await Promise.resolve();
        }
        queue.end();
        const flat = (events: readonly { stream: string; text: string }[]) =>
          events.flatMap(({ stream, text }) => [...Buffer.from(text)].map((byte) => `${stream}${byte}`));
        expect(flat(await reading)).toEqual(flat(pieces));
      }),
    );
  });
});
