// What is wrong with a file of the operator's, all of it at once, each with its place.

/** Problems that a message tells; of more, only how many they are. */
const MAX_TOLD = 100;

/** One thing that is wrong. */
export interface FileProblem {
  readonly line: number;
  readonly column: number;
  /** What is wrong, and what is accepted. */
  readonly message: string;
}

/** A file that cannot be used. Its message has a line for each problem: `file:line:column: message`. */
export class AgentFileError extends Error {
  readonly path: string;
  readonly problems: readonly FileProblem[];

  constructor(path: string, problems: readonly FileProblem[], options?: ErrorOptions) {
    const ordered = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    const told = ordered
      .slice(0, MAX_TOLD)
      .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
    if (ordered.length > MAX_TOLD) told.push(`${path}: and ${ordered.length - MAX_TOLD} more`);
    super(told.join("\n"), options);
    this.name = "AgentFileError";
    this.path = path;
    this.problems = ordered;
  }
}
