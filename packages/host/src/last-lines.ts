// The last lines that a plugin wrote to its log: what a person needs to know when it has died.
import type { LogRecord } from "./stderr-record.ts";

/** Lines that are kept, and how much of each. */
export const MAX_LINES = 20;
export const MAX_LINE_CHARS = 500;

/** Keeps the last lines. */
export class LastLines {
  readonly #lines: string[] = [];

  /** Takes the next record. */
  push({ message, fields }: LogRecord): void {
    if (message.trim() === "") return;
    const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${textOf(value)}`);
    const line = message + rest.join("");
    this.#lines.push(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}

/** What a message about a plugin's end adds to itself; empty where the plugin said nothing. */
export function lastWords(lines: readonly string[], count = 3): string {
  const last = lines.slice(-count);
  if (last.length === 0) return "";
  return `; its last ${last.length === 1 ? "line" : "lines"} of stderr: ${last.join(" ⏎ ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
