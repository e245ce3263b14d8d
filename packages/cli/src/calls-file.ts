// A file of calls, as a model would make them in one turn: a JSON array, or an object with it under `calls`.
import { readFileSync } from "node:fs";
import type { JsonObject } from "@pluggableharness/host";

/** A call of the file; its provider may be left out where the operation's name is enough. */
export interface FileCall {
  readonly id: string;
  readonly provider: string | undefined;
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** Reads the file. Throws with what is wrong with it. */
export function readCalls(path: string): FileCall[] {
  return parseCalls(readFileSync(path, "utf8"), path);
}

/** The calls of a text. */
export function parseCalls(text: string, path: string): FileCall[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  const list = isObject(parsed) ? parsed["calls"] : parsed;
  if (!Array.isArray(list)) throw new Error(`${path} must hold an array of calls`);
  return list.map((entry: unknown, index) => {
    const fail = (why: string): never => {
      throw new Error(`${path}: call ${index + 1} ${why}`);
    };
    if (!isObject(entry)) return fail("is no object");
    const { id = `call-${index + 1}`, provider, tool_name: toolName, arguments: args = {} } = entry;
    if (typeof toolName !== "string") return fail("has no tool_name");
    if (typeof id !== "string") return fail("has an id that is no string");
    if (provider !== undefined && typeof provider !== "string")
      return fail("has a provider that is no string");
    if (!isObject(args)) return fail("has arguments that are no object");
    return { id, provider, toolName, arguments: args };
  });
}

/** What JSON.parse gives is Json. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
