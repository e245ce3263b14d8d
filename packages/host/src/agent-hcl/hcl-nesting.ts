// How deep HCL source is nested, found without recursion: the real parser recurses, and where its stack overflows, the
// module that holds it ends, and may take the process with it. So deep source is refused before it is parsed. Pure.

/** Levels, and the parts of the unfinished expressions around, together. What a person writes has a dozen. */
export const MAX_NESTING = 250;

/** What has been opened: a bracket, a string, what is interpolated in one, a heredoc; at the bottom the file. */
interface Level {
  readonly kind: "file" | "(" | "[" | "{" | "${" | '"' | "heredoc";
  /** Of a heredoc. */
  readonly marker?: string;
  /** Of the expression that is being written: operators, names and strings nest without brackets too. */
  parts: number;
}

const BLANK = /[^\S\n]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_-]*/uy;
const HEREDOC = /<<-?([^\r\n]+)\r?(?=\n)/y;
const STRING_TEXT = /\$\$\{|%%\{|\\[\s\S]|[^\\"$%]+/y;
const HEREDOC_TEXT = /\$\$\{|%%\{|[^$%\n]+/y;
const TEMPLATE = /[$%]\{/y;

/** Where source becomes too deep to be parsed; undefined where it nowhere does. It need not be valid. */
export function tooDeepAt(source: string): number | undefined {
  return new DepthGauge(source).tooDeepAt();
}

class DepthGauge {
  readonly #source: string;
  readonly #outer: Level[] = [];
  #level: Level = { kind: "file", parts: 0 };
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  tooDeepAt(): number | undefined {
    while (this.#at < this.#source.length) {
      const { kind } = this.#level;
      if (kind === '"') this.#string();
      else if (kind === "heredoc") this.#heredoc();
      else this.#expression();
      if (this.#depth > MAX_NESTING) return this.#at;
    }
    return undefined;
  }

  #expression(): void {
    if (this.#taken(BLANK) !== undefined) return;
    const marker = this.#taken(HEREDOC)?.[1];
    if (marker !== undefined) this.#open("heredoc", marker.trim());
    else if (this.#taken(WORD) !== undefined) this.#part();
    else this.#character(this.#source[this.#at++]);
  }

  #character(character: string | undefined): void {
    switch (character) {
      case "(":
      case "[":
      case "{":
      case '"':
        this.#open(character);
        break;
      case ")":
      case "]":
      case "}":
        this.#close();
        break;
      case ",":
      case "=":
        this.#endParts();
        break;
      case "\n":
        if (this.#level.kind === "{" || this.#level.kind === "file") this.#endParts();
        break;
      default:
        this.#part();
    }
  }

  #string(): void {
    if (this.#taken(STRING_TEXT) !== undefined) return;
    if (this.#taken(TEMPLATE) !== undefined) this.#open("${");
    else if (this.#source[this.#at++] === '"') this.#close();
  }

  /** Up to the line end before the marker's line, which is read as a name then. */
  #heredoc(): void {
    if (this.#taken(HEREDOC_TEXT) !== undefined) return;
    if (this.#taken(TEMPLATE) !== undefined) this.#open("${");
    else if (this.#source[this.#at++] === "\n") {
      const end = this.#source.indexOf("\n", this.#at);
      const line = this.#source.slice(this.#at, end === -1 ? this.#source.length : end);
      if (line.trim() === this.#level.marker) this.#close();
    }
  }

  #open(kind: Level["kind"], marker = ""): void {
    this.#part();
    this.#outer.push(this.#level);
    this.#level = { kind, marker, parts: 0 };
  }

  #close(): void {
    this.#endParts();
    this.#level = this.#outer.pop() ?? this.#level;
  }

  #part(): void {
    this.#level.parts++;
    this.#depth++;
  }

  #endParts(): void {
    this.#depth -= this.#level.parts;
    this.#level.parts = 0;
  }

  #taken(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }
}
