// A plugin's Log request as log records. Two forms are in the field: `entries`, and the single `entry` of kernels and
// plugins of July 2026, whose number is reserved today and so arrives as an unknown field (wire.md, kernel.v1).
import { fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { LogEntrySchema, LogLevel, type LogRequestSchema } from "@pluggableharness/protocol/wire";
import type { LogRecord, RecordLevel } from "../stderr-record.ts";

type LogEntry = MessageShape<typeof LogEntrySchema>;

const OLD_FIELD = 2;
const LENGTH_DELIMITED = 2;

const levels: Readonly<Record<number, RecordLevel>> = {
  [LogLevel.TRACE]: "trace",
  [LogLevel.DEBUG]: "debug",
  [LogLevel.WARN]: "warn",
  [LogLevel.ERROR]: "error",
  [LogLevel.FATAL]: "error",
};

/** The records of a request; none where it holds no entry in either form. Throws where the old form is malformed. */
export function recordsOf(request: MessageShape<typeof LogRequestSchema>): LogRecord[] {
  const session = request.sessionId === undefined ? {} : { session_id: request.sessionId };
  return [...oldEntries(request), ...request.entries].map((entry) => recordOf(entry, session));
}

function recordOf({ level, logger, message, fields, time }: LogEntry, session: object): LogRecord {
  return {
    level: levels[level] ?? "info",
    message,
    ...(time !== undefined && { time: timestampDate(time).toISOString() }),
    // As in a line of stderr, where hclog names the logger so.
    fields: { ...fields, ...session, ...(logger !== "" && { "@module": logger }) },
  };
}

function oldEntries({ $unknown = [] }: MessageShape<typeof LogRequestSchema>): LogEntry[] {
  return $unknown
    .filter(({ no, wireType }) => no === OLD_FIELD && wireType === LENGTH_DELIMITED)
    .map(({ data }) => fromBinary(LogEntrySchema, withoutLength(data)));
}

/** An unknown field keeps its length, a varint, in front of its bytes. */
function withoutLength(data: Uint8Array): Uint8Array {
  const lastOfLength = data.findIndex((byte) => byte < 0x80);
  return data.subarray(lastOfLength + 1);
}
