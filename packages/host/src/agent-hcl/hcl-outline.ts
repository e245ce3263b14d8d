// Where things stand in HCL source: blocks and attributes with their places, which the parser's JSON does not have.
// Used for messages, and for how a value is written; what it means comes from the parser, which has accepted the source
// before. Pure.

/** An attribute, `name = value`, of a body or of an object. */
export interface OutlineAttribute {
  readonly name: string;
  readonly offset: number;
  /** The value as it is written, without comments around it. */
  readonly value: string;
  /** What the value holds where it is an object. */
  readonly inner: Outline;
}

/** A block, `type "label" { … }`. */
export interface OutlineBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly offset: number;
  readonly body: Outline;
}

/** A body, or an object, in the order of the source. */
export interface Outline {
  readonly attributes: readonly OutlineAttribute[];
  readonly blocks: readonly OutlineBlock[];
}

const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The outline of source that the parser has accepted. */
export function outlineOf(source: string): Outline {
  return new Scanner(source).body();
}

class Scanner {
  readonly #source: string;
  #at = 0;

  constructor(source: string, at = source.startsWith("\ufeff") ? 1 : 0) {
    this.#source = source;
    this.#at = at;
  }

  /** Attributes and blocks, up to a `}` or the end. */
  body(): Outline {
    const attributes: OutlineAttribute[] = [];
    const blocks: OutlineBlock[] = [];
    for (;;) {
      this.#skipBlank();
      const offset = this.#at;
      const name = this.#name();
      if (name === "") return { attributes, blocks };
      this.#skipBlank();
      if (this.#takes("=")) attributes.push(this.#attribute(name, offset, "\n"));
      else blocks.push(this.#block(name, offset));
    }
  }

  /** The items of an object, up to its `}`. */
  #object(): Outline {
    const attributes: OutlineAttribute[] = [];
    for (;;) {
      this.#skipBlank();
      const offset = this.#at;
      if (offset >= this.#source.length || this.#takes("}")) return { attributes, blocks: [] };
      const name = this.#key();
      this.#skipBlank();
      if (this.#takes("=") || this.#takes(":")) attributes.push(this.#attribute(name, offset, ",\n"));
      this.#takes(",");
      // What is no item, such as a `for`, has no names to tell.
      if (this.#at === offset) this.#at++;
    }
  }

  #attribute(name: string, offset: number, ends: string): OutlineAttribute {
    this.#skipSpace();
    const start = this.#at;
    const inner = this.#source[start] === "{" ? new Scanner(this.#source, start + 1).#object() : empty;
    const end = this.#skipExpression(ends);
    return { name, offset, value: this.#source.slice(start, end).trim(), inner };
  }

  #block(type: string, offset: number): OutlineBlock {
    const labels: string[] = [];
    for (;;) {
      this.#skipBlank();
      if (this.#takes("{")) break;
      const before = this.#at;
      labels.push(this.#key());
      if (this.#at === before) return { type, labels, offset, body: empty };
    }
    const body = this.body();
    this.#takes("}");
    return { type, labels, offset, body };
  }

  /** A name, or a string, or an expression in brackets, which has no name. */
  #key(): string {
    if (this.#source[this.#at] === '"') {
      const start = this.#at;
      this.#skipString();
      return unquoted(this.#source.slice(start, this.#at));
    }
    const name = this.#name();
    if (name === "") this.#skipExpression("=:,\n");
    return name;
  }

  #name(): string {
    NAME.lastIndex = this.#at;
    const name = NAME.exec(this.#source)?.[0] ?? "";
    this.#at += name.length;
    return name;
  }

  /** Goes to one of `ends` outside of brackets, or to the bracket that closes what is around; its end without comment. */
  #skipExpression(ends: string): number {
    const open: string[] = [];
    let end = this.#at;
    while (this.#at < this.#source.length) {
      const character = this.#source[this.#at] ?? "";
      if (open.length === 0 && (ends.includes(character) || ")]}".includes(character))) return end;
      if (this.#skipComment()) continue;
      const closer = closers[character];
      if (character === '"') this.#skipString();
      else if (this.#source.startsWith("<<", this.#at)) this.#skipHeredoc();
      else {
        if (closer !== undefined) open.push(closer);
        else if (character === open.at(-1)) open.pop();
        this.#at++;
      }
      if (!/\s/.test(character)) end = this.#at;
    }
    return end;
  }

  /** A quoted template, with what is interpolated, which may hold strings again. */
  #skipString(): void {
    this.#at++;
    while (this.#at < this.#source.length) {
      const two = this.#source.slice(this.#at, this.#at + 2);
      const three = this.#source.slice(this.#at, this.#at + 3);
      if (two.startsWith("\\")) this.#at += 2;
      else if (three === "$${" || three === "%%{") this.#at += 3;
      else if (two === "${" || two === "%{") this.#skipTemplate();
      else if (this.#source[this.#at++] === '"') return;
    }
  }

  #skipTemplate(): void {
    this.#at += 2;
    while (this.#at < this.#source.length) {
      this.#skipExpression("}");
      const character = this.#source[this.#at++];
      if (character === "}") return;
    }
  }

  /** `<<NAME` or `<<-NAME`, up to the line that holds the name alone. */
  #skipHeredoc(): void {
    const opening = /<<-?([^\r\n]+)\r?\n/y;
    opening.lastIndex = this.#at;
    const [whole = "<<", marker = ""] = opening.exec(this.#source) ?? [];
    this.#at += whole.length;
    while (this.#at < this.#source.length) {
      const lineEnd = this.#source.indexOf("\n", this.#at);
      const end = lineEnd === -1 ? this.#source.length : lineEnd;
      const isLast = this.#source.slice(this.#at, end).trim() === marker.trim();
      this.#at = end;
      if (isLast) return;
      this.#at++;
    }
  }

  /** Blanks within a line. */
  #skipSpace(): void {
    this.#skipAll(/[ \t\r]/);
  }

  /** Blanks, line ends too. */
  #skipBlank(): void {
    this.#skipAll(/\s/);
  }

  /** What the pattern matches, and comments. */
  #skipAll(pattern: RegExp): void {
    for (;;) {
      if (pattern.test(this.#source[this.#at] ?? "")) this.#at++;
      else if (!this.#skipComment()) return;
    }
  }

  #skipComment(): boolean {
    const rest = this.#source.slice(this.#at, this.#at + 2);
    const isLine = rest.startsWith("#") || rest === "//";
    if (!isLine && rest !== "/*") return false;
    const end = this.#source.indexOf(isLine ? "\n" : "*/", this.#at + (isLine ? 0 : 2));
    this.#at = end === -1 ? this.#source.length : end + (isLine ? 0 : 2);
    return true;
  }

  #takes(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

const empty: Outline = { attributes: [], blocks: [] };

/** Labels and keys with escapes are rare, and JSON's escapes are HCL's. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
