// What is told about a file: its kind, size, times, mode, and the version by which a change is noticed.
import type { BigIntStats } from "node:fs";

/** What a name stands for, as far as the file system says. */
export type FileKind =
  | "file"
  | "directory"
  | "link"
  | "fifo"
  | "socket"
  | "character_device"
  | "block_device"
  | "unknown";

/** The facts about one file at one moment. */
export interface FileStat {
  readonly kind: FileKind;
  readonly sizeBytes: number;
  /** Last change of the content, in milliseconds since 1970, with fractions. */
  readonly modifiedMs: number;
  /** Permission, setuid, setgid and sticky bits: 0 to 0o7777. */
  readonly mode: number;
  /** How many names (hard links) the file has. */
  readonly linkCount: number;
  /**
   * Opaque; equal as long as it is the same file and nobody has changed its content, mode or names.
   * Compare it, or give it back to `replaceFile` and `removeFile`; do not take it apart.
   */
  readonly version: string;
}

export function kindOf(stats: BigIntStats): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "fifo";
  if (stats.isSocket()) return "socket";
  if (stats.isCharacterDevice()) return "character_device";
  return stats.isBlockDevice() ? "block_device" : "unknown";
}

export function fileStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    sizeBytes: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs) / 1e6,
    mode: Number(stats.mode & 0o7777n),
    linkCount: Number(stats.nlink),
    version: versionOf(stats),
  };
}

/** The status time is part of it: unlike the modification time, no program can set it back. */
export function versionOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** Which file it is, whatever its name: device and inode. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
