// A JSON argument of the command line: the text itself, `@file`, or `-` for standard input.
import { readFileSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import type { Json } from "@pluggableharness/protocol";

/** The object that the argument stands for. Throws where it is none, or where the signal fires before it is read. */
export async function jsonArgument(
  argument: string,
  what: string,
  signal: AbortSignal,
): Promise<{ [key: string]: Json }> {
  const source = await textOf(argument, signal);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    throw new Error(`${what} are not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${what} must be a JSON object`);
  return value as { [key: string]: Json }; // what JSON.parse gives is Json, and it is an object
}

async function textOf(argument: string, signal: AbortSignal): Promise<string> {
  if (argument.startsWith("@")) return readFileSync(argument.slice(1), "utf8");
  if (argument !== "-") return argument;
  try {
    return await text(addAbortSignal(signal, process.stdin));
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
