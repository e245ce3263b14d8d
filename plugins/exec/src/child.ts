// A started process as the rest of the plugin sees it, whether it runs in a terminal or on pipes.

/** How a process ended. */
export interface ExitStatus {
  /** 128 and the signal's number where a signal ended it, as a shell counts. */
  readonly code: number;
  /** Such as SIGSEGV. */
  readonly signal?: string;
}

/** What to start, where, and with exactly which environment. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** A file to read standard input from; empty input without it. */
  readonly stdinPath?: string;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Told to the owner: any number of `data`, and `ended` and `exited` once each, in either order. */
export interface ChildEvents {
  data(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** No more output comes. */
  ended(): void;
  exited(status: ExitStatus): void;
}

export interface Child {
  readonly pid: number;
  /** The output waits in the kernel, which in turn holds the process back. */
  pause(): void;
  resume(): void;
  /** Gives up what has not been read; `ended` follows. */
  close(): void;
}

/** A child under a terminal. */
export interface TerminalChild extends Child {
  /** Such as /dev/pts/3. */
  readonly device: string;
  /** Bytes that were written and have not been taken yet. */
  readonly pendingInput: number;
  write(data: Uint8Array): void;
  resize(size: TerminalSize): void;
}
