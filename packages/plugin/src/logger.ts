// Log lines of a plugin: to the kernel by its callback where that works, else to stderr in the form the host
// parses. Logging never blocks or fails a call (wire.md, `LogRequest`).
import type { Json } from "@pluggableharness/protocol";
import { stderrLine } from "./stderr-line.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** Facts that go with a log line; anything JSON can hold. */
export type LogFields = { readonly [key: string]: unknown };

export interface LogRecord {
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly fields: { [key: string]: Json };
  readonly time: Date;
  readonly sessionId: string | undefined;
}

export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger whose lines carry these fields too, and belong to the session where one is named. */
  with(fields: LogFields, sessionId?: string): Logger;
}

/** Takes records for good: the kernel relay, or stderr. */
export type LogSink = (record: LogRecord) => void;

/** A logger that writes to `sink`. */
export function createLogger(name: string, sink: LogSink, bound: LogFields = {}, sessionId?: string): Logger {
  const log: Logger["log"] = (level, message, fields = {}) => {
    sink({
      level,
      logger: name,
      message: String(message),
      fields: plainFields({ ...bound, ...fields }),
      time: new Date(),
      sessionId,
    });
  };
  return {
    log,
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields) => log("error", message, fields),
    with: (fields, session = sessionId) => createLogger(name, sink, { ...bound, ...fields }, session),
  };
}

/** The sink of last resort. A host that stopped reading stderr must not take the plugin with it. */
export const stderrSink: LogSink = (record) => {
  process.stderr.write(stderrLine(record));
};

/** Fields as JSON: errors by their stack, cycles and functions by a word. */
function plainFields(fields: LogFields): { [key: string]: Json } {
  const plain: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(fields)) plain[key] = plainValue(value);
  return plain;
}

function plainValue(value: unknown): Json {
  if (value instanceof Error) return value.stack ?? value.message;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? String(value) : (JSON.parse(text) as Json); // what JSON.parse gives is Json
  } catch {
    return `[${typeof value} that JSON cannot hold]`;
  }
}
