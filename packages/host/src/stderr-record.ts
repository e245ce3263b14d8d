// A line of a plugin's stderr as a log record: hclog's JSON, or plain text (go-plugin-verified.md section 2). Takes
// anything and never throws: a plugin's log must not be able to end its host.

export type RecordLevel = "trace" | "debug" | "info" | "warn" | "error";

/** One entry of a plugin's log. */
export interface LogRecord {
  readonly level: RecordLevel;
  readonly message: string;
  /** When, in the plugin's own words; absent from lines that are plain text. */
  readonly time?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Deeper records are shown as the text they are: whoever walks one or writes it as JSON would exhaust the stack. */
const MAX_DEPTH = 32;

const levels: ReadonlySet<string> = new Set<RecordLevel>(["trace", "debug", "info", "warn", "error"]);

/** The record of a line. */
export function parseStderrLine(line: string): LogRecord {
  return parseJson(line) ?? { level: prefixLevel(line), message: line, fields: {} };
}

function parseJson(line: string): LogRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    // Not JSON after all; it is shown as the text it is.
    return undefined;
  }
  if (typeof entry !== "object" || entry === null || isDeeper(entry, MAX_DEPTH)) return undefined;
  const fields: Record<string, unknown> = { ...entry };
  const { "@level": name, "@message": message, "@timestamp": time } = fields;
  const level = typeof name === "string" ? name.toLowerCase() : "";
  if (!isLevel(level) || typeof message !== "string") return undefined;
  for (const key of ["@level", "@message", "@timestamp"]) delete fields[key];
  return { level, message, ...(typeof time === "string" && { time }), fields };
}

function isDeeper(value: unknown, levelsLeft: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levelsLeft === 0 || Object.values(value).some((item) => isDeeper(item, levelsLeft - 1));
}

function prefixLevel(line: string): RecordLevel {
  // What a Go program says as it dies.
  if (/^(panic|fatal error): /.test(line)) return "error";
  const word = /^\[(TRACE|DEBUG|INFO|WARN|ERROR)\]/.exec(line)?.[1]?.toLowerCase() ?? "debug";
  return isLevel(word) ? word : "debug";
}

function isLevel(word: string): word is RecordLevel {
  return levels.has(word);
}
