import { EventKind } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { EventLog } from "./event-log.ts";

const { MESSAGE, PLAN } = EventKind;

function filled(kinds: readonly EventKind[], log = new EventLog(), payload = new Uint8Array(4)): EventLog {
  for (const kind of kinds) log.append({ kind, payload });
  return log;
}

describe("an event log", () => {
  it("gives each event its id and the next sequence", () => {
    const log = filled([MESSAGE, PLAN]);
    const { id, sequence, time } = log.append({ kind: MESSAGE, payload: new Uint8Array() });
    expect(sequence).toBe(3n);
    expect(time).toBeDefined();
    const ids = [...log.read({ kinds: [] })].map((event) => event.id);
    expect(ids).toEqual([...ids].sort());
    expect(ids[2]).toBe(id);
  });

  it.each([
    ["everything", { kinds: [] }, [1n, 2n, 3n, 4n]],
    ["a kind", { kinds: [PLAN] }, [2n, 4n]],
    ["from a sequence on", { kinds: [], fromSequence: 3n }, [3n, 4n]],
    ["so many", { kinds: [], limit: 2 }, [1n, 2n]],
    ["so many of a kind from a sequence on", { kinds: [PLAN], fromSequence: 2n, limit: 1 }, [2n]],
    ["none", { kinds: [], limit: 0 }, []],
  ])("reads %s", (_name, filter, sequences) => {
    const log = filled([MESSAGE, PLAN, MESSAGE, PLAN]);
    expect([...log.read(filter)].map(({ sequence }) => sequence)).toEqual(sequences);
  });

  it.each([
    ["events", { maxEvents: 3, maxBytes: 1_000 }],
    ["bytes", { maxEvents: 1_000, maxBytes: 12 }],
  ])("keeps the last within its bound of %s", (_name, bounds) => {
    const log = filled(
      Array.from({ length: 50 }, () => MESSAGE),
      new EventLog(bounds),
    );
    expect([...log.read({ kinds: [] })].map(({ sequence }) => sequence)).toEqual([48n, 49n, 50n]);
  });

  it("is not disturbed by what is appended while it is read", () => {
    const log = filled([MESSAGE, MESSAGE], new EventLog({ maxEvents: 2, maxBytes: 1_000 }));
    const seen = [];
    for (const { sequence } of log.read({ kinds: [] })) {
      seen.push(sequence);
      filled([PLAN, PLAN], log);
    }
    expect(seen).toEqual([1n, 2n]);
  });
});
