// One line of stderr as hclog writes it, which is what the host parses (go-plugin-verified.md section 2).
// `@level`, `@message` and `@timestamp` are always strings: anything else crashes the host process.
import type { LogRecord } from "./logger.ts";

/** The host cuts lines at 64 KiB and then no longer parses them. */
const MAX_LINE_BYTES = 60 * 1024;
const MAX_MESSAGE_CHARS = 8_000;

/** The record as one line of JSON, with its newline. Fields that would make it too long are left out and said so. */
export function stderrLine(record: LogRecord): string {
  const head = {
    "@level": record.level,
    "@message": shortened(record.message),
    "@module": record.logger,
    "@timestamp": timestamp(record.time),
  };
  const full = `${JSON.stringify({ ...unmarked(record.fields), ...head })}\n`;
  if (Buffer.byteLength(full) <= MAX_LINE_BYTES) return full;
  return `${JSON.stringify({ fields_left_out: Object.keys(record.fields).length, ...head })}\n`;
}

/** A field named like one of hclog's own would replace it. */
function unmarked(fields: LogRecord["fields"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.replace(/^@+/, ""), value]));
}

function shortened(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS ? message : `${message.slice(0, MAX_MESSAGE_CHARS)}…`;
}

/** hclog wants exactly six fraction digits; toISOString has three. */
function timestamp(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
