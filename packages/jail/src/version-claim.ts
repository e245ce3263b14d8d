// Between the check that a file is still the expected version and the rename that replaces it lies a moment in which
// another process could do the same, and one of the two changes would be lost. So the version itself is claimed
// first, by a name that only one process can create; whoever comes second is told that the file has changed.
import type { BigIntStats } from "node:fs";
import { closeSync, constants, lstatSync, openSync, unlinkSync } from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";
import { errnoOf } from "./jail-error.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;

/** A claim lives for a few system calls; one that is this old was left by a process that died in them. */
const STALE_MS = 10_000;

/**
 * Runs `act` while no other process of this package can replace or remove the same version of a file in
 * `directory`. `refuse` makes the error where another one is about to.
 */
export function whileClaimed<T>(
  directory: DirectoryHandle,
  version: BigIntStats,
  refuse: () => Error,
  act: () => T,
): T {
  const claim = `.jail-${version.ino}-${version.ctimeNs}.claim`;
  if (!take(directory, claim)) {
    if (!isStale(directory, claim)) throw refuse();
    release(directory, claim);
    if (!take(directory, claim)) throw refuse();
  }
  try {
    return act();
  } finally {
    release(directory, claim);
  }
}

function take(directory: DirectoryHandle, claim: string): boolean {
  try {
    closeSync(openSync(directory.at(claim), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

function isStale(directory: DirectoryHandle, claim: string): boolean {
  const stats = lstatSync(directory.at(claim), { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.ctimeMs > STALE_MS;
}

function release(directory: DirectoryHandle, claim: string): void {
  try {
    unlinkSync(directory.at(claim));
  } catch (error) {
    // Somebody who took it for stale has removed it.
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
