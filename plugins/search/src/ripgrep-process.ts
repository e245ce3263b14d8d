// One run of ripgrep: its output as it is pulled, its words on stderr, its end. It never outlives its owner, reads
// no configuration and no environment, and its stdin is closed or the one file it is to search.
import { spawn } from "node:child_process";
import { ToolError } from "@pluggableharness/plugin";
import { errorLines } from "./error-lines.ts";
import { ripgrepBinary } from "./ripgrep-binary.ts";
import { UnnamedFile } from "./unnamed-file.ts";

export interface RipgrepRun {
  readonly args: readonly string[];
  /** The directory to search, as the jail holds it. */
  readonly cwd?: string | undefined;
  /** The descriptor of the file to search. */
  readonly stdin?: number | undefined;
  /** Told of each ignore file that ripgrep opens, where it is run with --debug. */
  readonly onIgnoreFile?: ((path: string) => void) | undefined;
  /**
   * Its words are looked at only when it has ended. With --debug it says much, and each word would wake this process,
   * which takes the processor from it: two that sort halves of 100,000 files took 185 ms instead of 125.
   */
  readonly wordsAtEnd?: boolean | undefined;
  /** Ends ripgrep; the output then simply ends. */
  readonly signal: AbortSignal;
}

/** How it ended: 0 with results, 1 without, 2 where something could not be read or understood. */
export interface RipgrepEnd {
  readonly code: number | undefined;
  /** Its words, but for those of --debug. */
  readonly stderr: Buffer;
}

/** A ripgrep at work. Dispose it: that kills it where it still runs, and waits until it is gone. */
export interface Ripgrep extends AsyncDisposable {
  /** Pieces of stdout. While nobody pulls, ripgrep waits. */
  readonly output: AsyncIterator<Buffer>;
  /** Its end; only to be awaited once `output` has ended. */
  readonly end: Promise<RipgrepEnd>;
}

/** Starts ripgrep. What cannot be started shows when `end` is awaited. */
export function startRipgrep({ args, cwd, stdin, onIgnoreFile, wordsAtEnd, signal }: RipgrepRun): Ripgrep {
  const wordFile = wordsAtEnd === true && process.platform !== "win32" ? new UnnamedFile() : undefined;
  const child = spawn(ripgrepBinary(), args, {
    cwd,
    env: {},
    windowsHide: true,
    stdio: [stdin ?? "ignore", "pipe", wordFile?.descriptor ?? "pipe"],
  });
  const { stdout, stderr: words } = child;
  if (stdout === null) throw new Error("a child with pipes has streams");
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();

  const lines = errorLines(onIgnoreFile ?? (() => {}));
  words?.on("data", lines.push);
  const end = new Promise<RipgrepEnd>((resolve, reject) => {
    child.once("error", (cause) => {
      wordFile?.[Symbol.dispose]();
      reject(new ToolError("execution_failed", "ripgrep could not be started.", { cause }));
    });
    child.once("close", (code) => {
      if (wordFile !== undefined && child.pid !== undefined) {
        for (const piece of wordFile.pieces()) lines.push(piece);
        wordFile[Symbol.dispose]();
      }
      resolve({ code: code ?? undefined, stderr: lines.complaints() });
    });
  });
  // The owner may stop before it asks; an unasked failure is no crash.
  const ended = end.then(
    () => {},
    () => {},
  );
  return {
    output: stdout[Symbol.asyncIterator](),
    end,
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", kill);
      kill();
      stdout.destroy();
      // stderr is read to its end: what it says of ignore files concerns the results so far.
      await ended;
    },
  };
}
