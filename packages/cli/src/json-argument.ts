// A JSON argument of the command line: the text itself, `@file`, or `-` for standard input.
import { readFileSync } from "node:fs";
import type { Json } from "@pluggableharness/protocol";

/** The object that the argument stands for. Throws where it is none. */
export function jsonArgument(argument: string, what: string): { [key: string]: Json } {
  const text =
    argument === "-"
      ? readFileSync(0, "utf8")
      : argument.startsWith("@")
        ? readFileSync(argument.slice(1), "utf8")
        : argument;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${what} are not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${what} must be a JSON object`);
  return value as { [key: string]: Json }; // what JSON.parse gives is Json, and it is an object
}
