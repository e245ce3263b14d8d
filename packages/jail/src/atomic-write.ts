// Puts new content under a name so that a crash leaves the old or the new, never half (catalog.md,
// write_file). A temporary file with a random name in the same directory is written, given mode and owner
// and synced, and then takes the name, all through the directory's handle.
import { Buffer } from "node:buffer";
import type { BigIntStats } from "node:fs";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";
import { isSameFile } from "./file-stat.ts";
import { changedError, errnoOf, JailError } from "./jail-error.ts";
import type { MetadataLoss } from "./keep-metadata.ts";
import { keepMetadata } from "./keep-metadata.ts";
import { whileClaimed } from "./version-claim.ts";

const { O_CREAT, O_DIRECTORY = 0, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_WRONLY } = constants;

/** What to write: one run of bytes, or several to be written one after the other. */
export type FileContent = Uint8Array | readonly Uint8Array[];

/** Whose place the new file takes. */
export type NamePlace =
  /** `check` throws where what has the name now is not the file to be replaced; `refuse` makes that error. */
  | {
      readonly kind: "taken";
      readonly old: BigIntStats;
      readonly check: () => void;
      readonly refuse: () => Error;
    }
  /** Fails with EEXIST where the name is taken. `mode` is subject to the umask. */
  | { readonly kind: "free"; readonly mode: number };

/** The new file under its name, and what of the old one it lacks. */
export interface Written {
  readonly stats: BigIntStats;
  readonly losses: readonly MetadataLoss[];
}

/** Throws system errors; after every failure the directory is as before. */
export function writeAtomically(
  directory: DirectoryHandle,
  name: string,
  content: FileContent,
  place: NamePlace,
): Written {
  const temporary = temporaryName();
  // The old content may be private: nobody else reads the new one before it has the old mode.
  const mode = place.kind === "free" ? place.mode : 0o600;
  const fd = openSync(directory.at(temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  let written: Written;
  try {
    checkCreated(directory, temporary, fd);
    writeAll(fd, content);
    const losses = place.kind === "taken" ? keepMetadata(fd, place.old) : [];
    fsyncSync(fd);
    if (place.kind === "taken") {
      whileClaimed(directory, place.old, place.refuse, () => {
        place.check();
        renameSync(directory.at(temporary), directory.at(name));
      });
    } else {
      takeFreeName(directory, temporary, name);
    }
    written = { stats: fstatSync(fd, { bigint: true }), losses };
  } catch (error) {
    removeTemporary(directory, temporary, error);
    throw error;
  } finally {
    closeSync(fd);
  }
  syncDirectory(directory);
  return written;
}

/** Makes a rename or a new name in `directory` survive a crash, where the system can. */
export function syncDirectory(directory: DirectoryHandle): void {
  if (process.platform === "win32") return;
  let fd: number | undefined;
  try {
    fd = openSync(directory.at("."), O_RDONLY | O_DIRECTORY);
    fsyncSync(fd);
  } catch (error) {
    // A directory that may be written but not read cannot be synced, and some file systems know no sync of one.
    const errno = errnoOf(error);
    if (errno !== "EACCES" && errno !== "EINVAL" && errno !== "ENOTSUP") throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A link, unlike a rename, fails where the name is taken. File systems without hard links get a check before a rename. */
function takeFreeName(directory: DirectoryHandle, temporary: string, name: string): void {
  try {
    linkSync(directory.at(temporary), directory.at(name));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "EPERM" && errno !== "ENOSYS" && errno !== "ENOTSUP" && errno !== "EOPNOTSUPP") throw error;
    if (lstatSync(directory.at(name), { throwIfNoEntry: false }) !== undefined) {
      throw new JailError(
        { code: "exists" },
        "The name was taken while the file was created; look at it and try again.",
      );
    }
    renameSync(directory.at(temporary), directory.at(name));
    return;
  }
  unlinkSync(directory.at(temporary));
}

/** Where the walk cannot hold a directory (walk-portable.ts), nothing is written before this is known to be inside. */
function checkCreated(directory: DirectoryHandle, temporary: string, fd: number): void {
  const found = lstatSync(directory.at(temporary), { bigint: true });
  if (!isSameFile(found, fstatSync(fd, { bigint: true }))) throw changedError(temporary);
}

/** Not to be guessed. By the global `crypto`, which Node loads at its first use: node:crypto is 3 ms of a start. */
function temporaryName(): string {
  return `.jail-${Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("hex")}.tmp`;
}

function writeAll(fd: number, content: FileContent): void {
  for (const piece of content instanceof Uint8Array ? [content] : content) {
    for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
  }
}

function removeTemporary(directory: DirectoryHandle, temporary: string, reason: unknown): void {
  try {
    unlinkSync(directory.at(temporary));
  } catch (error) {
    const errno = errnoOf(error) ?? "an error";
    if (errno === "ENOENT") return;
    throw new JailError(
      { code: "io", errno },
      `Writing failed, and so did removing the temporary file ${temporary} (${errno}); remove it by hand.`,
      { cause: reason },
    );
  }
}
