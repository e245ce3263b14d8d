// The lines a person typed at `harness run`, kept for the next time in the user's state directory: bounded, and for the
// user's own eyes, since arguments stand in them.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Lines that are kept, and the characters of each. A longer line is not kept: half of it would be of no use. */
export const MAX_LINES = 500;
export const MAX_LINE_CHARS = 4_000;

/** Where it lies. */
export function historyPath(environment: NodeJS.ProcessEnv): string {
  const state = environment["XDG_STATE_HOME"] ?? "";
  // By the specification a relative path counts for nothing.
  const base = state.startsWith("/") ? state : join(homedir(), ".local", "state");
  return join(base, "agent", "harness-history");
}

/** The history of one person. A file that cannot be read or written is reported once, and done without. */
export class History {
  readonly #path: string;
  readonly #report: (problem: string) => void;
  #lines: string[] = [];
  #isOnDisk = true;

  constructor(path: string, report: (problem: string) => void) {
    this.#path = path;
    this.#report = report;
    this.#onDisk(() => this.#load());
  }

  /** The last one first. */
  get newestFirst(): readonly string[] {
    return [...this.#lines].reverse();
  }

  /** Keeps a line, but no line twice in a row. */
  add(line: string): void {
    if (line.trim() === "" || line.length > MAX_LINE_CHARS || line === this.#lines.at(-1)) return;
    this.#lines = [...this.#lines, line].slice(-MAX_LINES);
    this.#onDisk(() => appendFileSync(this.#path, `${line}\n`, { mode: 0o600 }));
  }

  #load(): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const lines = readLines(this.#path);
    this.#lines = lines.slice(-MAX_LINES);
    if (lines.length === 0) return;
    chmodSync(this.#path, 0o600);
    // Twice as many, so that it is not written anew at every start.
    if (lines.length > 2 * MAX_LINES) this.#shorten();
  }

  #shorten(): void {
    const temporary = `${this.#path}.${process.pid}`;
    try {
      writeFileSync(temporary, `${this.#lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
      renameSync(temporary, this.#path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  #onDisk(act: () => void): void {
    if (!this.#isOnDisk) return;
    try {
      act();
    } catch (error) {
      this.#isOnDisk = false;
      this.#report(`the history is not kept: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "" && line.length <= MAX_LINE_CHARS);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
