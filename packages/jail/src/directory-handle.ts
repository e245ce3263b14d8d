// The few steps of a walk that differ between operating systems. Everything else in this package is
// written on these, so that one piece of code decides what is inside (architecture.md, the jail on Linux).
import type { Buffer } from "node:buffer";
import type { BigIntStats } from "node:fs";

/** A directory that was reached by the walk and is held, whatever happens to its name. */
export interface DirectoryHandle {
  readonly stats: () => BigIntStats;
  /**
   * A path of `name` in exactly this directory, for one system call at once, which must not follow a
   * link at `name`; `.` is the directory itself. Never keep it, never show it.
   */
  readonly at: (name: string) => string | Buffer;
  /** A path of the directory for another process of this user, good while the handle is open. */
  readonly pathForChild: () => string;
  readonly close: () => void;
}

/** Whatever a name stood for when it was looked at, held without having been opened. */
export interface HeldEntry {
  readonly stats: BigIntStats;
  /** Opens the very file that is held, for reading, and never waits. Only for regular files. */
  readonly openForReading: () => number;
  /** Throws EACCES where this process may not write the very file that is held. */
  readonly checkWritable: () => void;
  readonly close: () => void;
}

/** How one operating system walks. Functions throw system errors; ENOENT where there is no such name. */
export interface WalkPlatform {
  /** Opens the directory at an absolute path, following links: only for roots. */
  readonly openRoot: (path: string) => DirectoryHandle;
  /** Undefined where `name` is something else than a directory, a link included. */
  readonly openDirectory: (parent: DirectoryHandle, name: string) => DirectoryHandle | undefined;
  readonly hold: (parent: DirectoryHandle, name: string) => HeldEntry;
}
