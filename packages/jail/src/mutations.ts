// The acts that change something, each at a place the walk has just reached and the rules allow.
// Replacing is by a new file that takes the name, so other hard links keep the old content: they may lie
// outside the roots, and what is outside must not change through the jail. The report says so.
import { lstatSync, rmdirSync, unlinkSync } from "node:fs";
import type { FileContent, NamePlace } from "./atomic-write.ts";
import { syncDirectory, writeAtomically } from "./atomic-write.ts";
import type { HeldEntry, WalkPlatform } from "./directory-handle.ts";
import type { FileStat } from "./file-stat.ts";
import { fileStat, kindOf, versionOf } from "./file-stat.ts";
import { changedError, JailError, notADirectoryError, notRegularError, quoted } from "./jail-error.ts";
import type { MetadataLoss } from "./keep-metadata.ts";
import { makeDirectories } from "./make-directories.ts";
import type { JailPath, Place } from "./place.ts";
import { holdsContent } from "./same-content.ts";
import { whileClaimed } from "./version-claim.ts";

/** What a write did. */
export interface WriteReport {
  readonly path: JailPath;
  /** Of the new file under its name; its `version` is the one to expect next time. */
  readonly stat: FileStat;
  /** What of the replaced file could not be kept; worth a warning each. */
  readonly losses: readonly MetadataLoss[];
  /** How many directories were made for it, counted from the file upwards. */
  readonly madeDirectories: number;
}

/** What `createDirectory` did. */
export interface DirectoryReport {
  readonly path: JailPath;
  /** 0 where it existed. */
  readonly madeDirectories: number;
}

export interface CreateOptions {
  /** Permission bits before the umask; 0o666 by default. */
  readonly mode?: number;
  /** Make missing directories on the way; true by default, otherwise `not_found`. */
  readonly makeParents?: boolean;
}

/** What the caller last saw; `changed` is thrown where the file is not that any more. */
export interface ReplaceOptions {
  /** `FileStat.version` of what is to be replaced. */
  readonly version?: string | undefined;
  /** The whole content, as it was read: compared just before the act, since a version can be the same by chance. */
  readonly content?: Uint8Array | undefined;
}

/** As for `replaceFile`. */
export type RemoveOptions = ReplaceOptions;

export function createFileAt(
  platform: WalkPlatform,
  place: Place,
  content: FileContent,
  options: CreateOptions,
): WriteReport {
  const { requested } = place.path;
  // `new/` would otherwise make a file that the caller named as a directory.
  if (/(^|\/)\.{0,2}$/.test(requested)) throw notRegularError(requested, "directory");
  const { target } = place;
  if (target.kind === "directory") throw notRegularError(requested, "directory");
  if (target.kind === "entry") {
    throw new JailError(
      { code: "exists" },
      `${quoted(requested)} exists already; replace or edit it instead.`,
    );
  }
  const parents = target.names.slice(0, -1);
  if (parents.length > 0 && options.makeParents === false) place.existing();
  using made = makeDirectories(platform, place.directory, parents);
  try {
    const free: NamePlace = { kind: "free", mode: options.mode ?? 0o666 };
    const written = writeAtomically(made.directory, target.names.at(-1) ?? target.names[0], content, free);
    return {
      path: place.path,
      stat: fileStat(written.stats),
      losses: written.losses,
      madeDirectories: made.madeCount,
    };
  } catch (error) {
    made.takeBack();
    throw error;
  }
}

export function replaceFileAt(place: Place, content: FileContent, options: ReplaceOptions): WriteReport {
  const { name, held } = replaceableFileAt(place);
  const before = versionOf(held.stats);
  place.checkVersion(options.version, before);
  const written = writeAtomically(place.directory, name, content, {
    kind: "taken",
    old: held.stats,
    check: () => checkUnchanged(place, name, { version: before, content: options.content }),
    refuse: () => changedError(place.path.requested),
  });
  return { path: place.path, stat: fileStat(written.stats), losses: written.losses, madeDirectories: 0 };
}

/** Throws what `replaceFileAt` would throw before it writes; a place where nothing is passes. */
export function checkWritableAt(place: Place): void {
  if (place.target.kind !== "missing") replaceableFileAt(place);
}

export function createDirectoryAt(platform: WalkPlatform, place: Place): DirectoryReport {
  const { path, target } = place;
  if (target.kind === "entry") throw notADirectoryError(path.requested, target.name);
  if (target.kind === "directory") return { path, madeDirectories: 0 };
  using made = makeDirectories(platform, place.directory, target.names);
  return { path, madeDirectories: made.madeCount };
}

export function removeFileAt(place: Place, options: RemoveOptions): void {
  const { name, held } = regularFileAt(place);
  const before = versionOf(held.stats);
  place.checkVersion(options.version, before);
  const refuse = (): Error => changedError(place.path.requested);
  whileClaimed(place.directory, held.stats, refuse, () => {
    checkUnchanged(place, name, { version: before, content: options.content });
    unlinkSync(place.directory.at(name));
  });
  syncDirectory(place.directory);
}

/** The last look before the act. Programs that do not ask for claims may still come between, for one system call. */
function checkUnchanged(place: Place, name: string, { version, content }: ReplaceOptions): void {
  place.checkVersion(version, versionOf(lstatSync(place.directory.at(name), { bigint: true })));
  if (content !== undefined && !holdsContent(place.directory, name, content)) {
    throw changedError(place.path.requested);
  }
}

export function removeDirectoryAt(place: Place): void {
  const target = place.existing();
  if (target.kind === "entry") throw notADirectoryError(place.path.requested, target.name);
  if (place.parent === undefined) {
    throw new JailError(
      { code: "protected", rule: "roots" },
      `${quoted(place.path.requested)} is a root and is not removed.`,
    );
  }
  rmdirSync(place.parent.directory.at(place.parent.name));
  syncDirectory(place.parent.directory);
}

/** A regular file that this process may write to. */
function replaceableFileAt(place: Place): { readonly name: string; readonly held: HeldEntry } {
  const file = regularFileAt(place);
  // Root passes every access check, and a rename asks for no right to the file itself: the mode decides.
  if ((file.held.stats.mode & 0o222n) === 0n) {
    throw new JailError(
      { code: "permission", errno: "EACCES" },
      `${quoted(place.path.requested)} is read-only (no write permission for anyone); change its mode first if it is meant to change.`,
    );
  }
  file.held.checkWritable();
  return file;
}

function regularFileAt(place: Place): { readonly name: string; readonly held: HeldEntry } {
  const target = place.existing();
  const kind = target.kind === "directory" ? "directory" : kindOf(target.held.stats);
  if (target.kind === "directory" || kind !== "file") throw notRegularError(place.path.requested, kind);
  return target;
}
