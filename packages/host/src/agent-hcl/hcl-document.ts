// An HCL file of the operator's: read within bounds, parsed by the real parser, with the places of everything in it.

import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import type { Json } from "@pluggableharness/protocol";
import { AgentFileError, type FileProblem } from "./agent-file-error.ts";
import { tooDeepAt } from "./hcl-nesting.ts";
import { type Outline, type OutlineAttribute, type OutlineBlock, outlineOf } from "./hcl-outline.ts";

/** Larger than any a person writes. */
export const MAX_FILE_BYTES = 1024 * 1024;

export type JsonObject = { readonly [key: string]: Json };

/** A body with its meaning and its places. */
export interface Body {
  readonly values: JsonObject;
  readonly outline: Outline;
}

/** A parsed file, which collects what is wrong with it. */
export class HclDocument {
  readonly path: string;
  readonly root: Body;
  readonly #source: string;
  readonly #problems: FileProblem[] = [];

  private constructor(path: string, source: string, values: JsonObject) {
    this.path = path;
    this.#source = source;
    this.root = { values, outline: outlineOf(source) };
    this.#checkNames(this.root.outline);
  }

  /** Reads and parses a file. Throws an AgentFileError where it is none, or no HCL. */
  static async read(path: string): Promise<HclDocument> {
    return await HclDocument.parse(path, readText(path));
  }

  /** Parses source; `path` is for messages. */
  static async parse(path: string, source: string): Promise<HclDocument> {
    const deep = tooDeepAt(source);
    if (deep !== undefined)
      throw new AgentFileError(path, [
        { ...placeOf(source, deep), message: "it is nested too deep from here on" },
      ]);
    // The parser takes a quarter of a second to load: only who reads a file waits for it.
    const { parse } = await import("@cdktn/hcl2json");
    let values: unknown;
    try {
      values = await parse("file", source);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new AgentFileError(path, syntaxProblems(words) ?? [mixedLabels(source, words)], { cause });
    }
    // The parser makes JSON, and an object of a file.
    return new HclDocument(path, source, values as JsonObject);
  }

  /** Notes a problem at an offset of the source. */
  problem(offset: number, message: string): void {
    this.#problems.push({ ...placeOf(this.#source, offset), message });
  }

  /** Throws an AgentFileError where problems were noted since the last time: a block may be read again and again. */
  check(): void {
    const problems = this.#problems.splice(0);
    if (problems.length > 0) throw new AgentFileError(this.path, problems);
  }

  /** Notes what is written twice in one body or object: the parser keeps one of them, and says nothing. */
  #checkNames({ attributes, blocks }: Outline): void {
    const seen = new Set<string>();
    for (const { name, offset, inner } of attributes) {
      // A computed key has no name.
      if (name !== "" && seen.has(name)) this.problem(offset, `${name} is written twice`);
      seen.add(name);
      this.#checkNames(inner);
    }
    for (const { type, offset, body } of blocks) {
      if (seen.has(type)) this.problem(offset, `${type} is written twice, as an attribute and as a block`);
      this.#checkNames(body);
    }
  }

  /** The place of an attribute of a body; that of the body's first block of the name where it is written so. */
  offsetOf({ outline }: Body, name: string, fallback: number): number {
    const place: OutlineAttribute | OutlineBlock | undefined =
      outline.attributes.find((attribute) => attribute.name === name) ??
      outline.blocks.find((block) => block.type === name);
    return place?.offset ?? fallback;
  }
}

/** The body of a block among the values of its file: the parser keeps blocks by type, labels and then order. */
export function bodyOf(values: JsonObject, block: OutlineBlock, index: number): Body {
  let found: Json | undefined = values[block.type];
  for (const label of block.labels) found = isObject(found) ? found[label] : undefined;
  const body = Array.isArray(found) ? found[index] : undefined;
  return { values: isObject(body) ? body : {}, outline: block.body };
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readText(path: string): string {
  const bytes = readBytes(path);
  if (!isUtf8(bytes)) throw unreadable(path, "it is not UTF-8");
  return bytes.toString("utf8");
}

function readBytes(path: string): Buffer {
  let file: number | undefined;
  try {
    // Without O_NONBLOCK a pipe of that name would be waited for; Windows has neither.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (!status.isFile()) throw unreadable(path, "it is no file");
    if (status.size > MAX_FILE_BYTES)
      throw unreadable(path, `it has ${status.size} bytes; at most ${MAX_FILE_BYTES} are read`);
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof AgentFileError) throw cause;
    throw unreadable(path, `it cannot be read: ${cause instanceof Error ? cause.message : cause}`, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function unreadable(path: string, message: string, cause?: unknown): AgentFileError {
  return new AgentFileError(path, [{ line: 1, column: 1, message }], { cause });
}

/** The parser's words, `[file:2,7-3,1: Invalid expression; Expected …]`, as problems; undefined without a place. */
function syntaxProblems(words: string): FileProblem[] | undefined {
  const found = [...words.matchAll(/file:(\d+),(\d+)(?:-[\d,]+)?: /g)];
  if (found.length === 0) return undefined;
  return found.map((match, index) => {
    const end = found[index + 1]?.index ?? words.length;
    const message = words.slice(match.index + match[0].length, end).replace(/\]?\s*$/, "");
    return { line: Number(match[1]), column: Number(match[2]), message };
  });
}

/** The one thing the parser refuses without a place, in either order: blocks of one type with labels and without. */
function mixedLabels(source: string, words: string): FileProblem {
  const type = /for "(.*?)" block|Block to JSON: ([^.]+)/.exec(words)?.slice(1).find(Boolean);
  const [first, ...others] = outlineOf(source).blocks.filter((block) => block.type === type);
  const odd = others.find(({ labels }) => labels.length !== first?.labels.length);
  if (odd === undefined) return { line: 1, column: 1, message: words };
  return { ...placeOf(source, odd.offset), message: `the blocks "${type}" have different numbers of labels` };
}

function placeOf(source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset);
  return {
    line: before.split("\n").length,
    column: [...before.slice(before.lastIndexOf("\n") + 1)].length + 1,
  };
}
