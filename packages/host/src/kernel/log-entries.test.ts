import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { LogEntrySchema, LogLevel, LogRequestSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { recordsOf } from "./log-entries.ts";

/** A request as an old plugin sends it: the entry in field 2. */
function oldRequest(entry: Uint8Array) {
  const length = entry.length < 0x80 ? [entry.length] : [(entry.length & 0x7f) | 0x80, entry.length >> 7];
  return fromBinary(LogRequestSchema, Buffer.concat([Buffer.from([0x12, ...length]), entry]));
}

describe("the records of a Log request", () => {
  it("hold what its entries say", () => {
    const request = create(LogRequestSchema, {
      sessionId: "s",
      entries: [
        { level: LogLevel.FATAL, logger: "echo", message: "a", fields: { n: 1 }, time: { seconds: 1n } },
        { message: "b" },
      ],
    });
    expect(recordsOf(request)).toEqual([
      {
        level: "error",
        message: "a",
        time: "1970-01-01T00:00:01.000Z",
        fields: { n: 1, session_id: "s", "@module": "echo" },
      },
      { level: "info", message: "b", fields: { session_id: "s" } },
    ]);
  });

  it.each(["short", "long ".repeat(100)])("are there in the form of July 2026 too", (message) => {
    const entry = toBinary(LogEntrySchema, create(LogEntrySchema, { level: LogLevel.WARN, message }));
    expect(recordsOf(oldRequest(entry))).toEqual([{ level: "warn", message, fields: {} }]);
  });

  it("are none where there is no entry, and refused where it is malformed", () => {
    expect(recordsOf(create(LogRequestSchema))).toEqual([]);
    expect(() => recordsOf(oldRequest(Buffer.from([0x1a, 0xff])))).toThrow();
  });
});
