// Whether this process may write a file: asked by opening it for writing and writing nothing. access(2)
// would answer for the real user, where the effective one does the work.
import type { Buffer } from "node:buffer";
import { closeSync, openSync } from "node:fs";
import { errnoOf } from "./jail-error.ts";

/** Throws the system's error, EACCES as a rule, where it may not. `flags` open without truncating. */
export function checkWritable(path: string | Buffer, flags: number): void {
  try {
    closeSync(openSync(path, flags));
  } catch (error) {
    // A program that runs cannot be written to, but another file can take its name.
    if (errnoOf(error) !== "ETXTBSY") throw error;
  }
}
