// The walk where there is no way to open below a descriptor (macOS, Windows). Each directory is held by
// its real path and the identity it had; before every use the whole chain up to the root is looked at
// again, and an opened file is compared with what the walk saw. That turns a swap into an error unless
// the swapper also swaps back between two of these looks: narrower than any path check, not closed.
// On macOS O_NOFOLLOW_ANY closes it for opening: the kernel then refuses a link anywhere in the path.

import type { BigIntStats } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { checkWritable } from "./check-writable.ts";
import type { DirectoryHandle, HeldEntry, WalkPlatform } from "./directory-handle.ts";
import { isSameFile } from "./file-stat.ts";
import { changedError } from "./jail-error.ts";

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants;
/** macOS 11 and later, <sys/fcntl.h>; Node has no name for it. */
const O_NOFOLLOW_ANY = process.platform === "darwin" ? 0x20000000 : 0;

export function portablePlatform(): WalkPlatform {
  return {
    openRoot: (path) => directory(realpathSync.native(path), undefined),
    openDirectory(parent, name) {
      const path = parent.at(name).toString();
      return lstat(path).isDirectory() ? directory(path, parent) : undefined;
    },
    hold: (parent, name) => holdEntry(parent, name),
  };
}

function directory(path: string, parent: DirectoryHandle | undefined): DirectoryHandle {
  const first = lstat(path);
  const verify = (): BigIntStats => {
    parent?.stats();
    const now = lstat(path);
    if (!now.isDirectory() || !isSameFile(first, now)) throw changedError(path);
    return now;
  };
  return {
    stats: verify,
    at: (name) => {
      verify();
      return name === "." ? path : join(path, name);
    },
    pathForChild: () => path,
    close: () => undefined,
  };
}

function holdEntry(parent: DirectoryHandle, name: string): HeldEntry {
  const stats = look(parent, name);
  expectSame(name, stats, look(parent, name));
  return {
    stats,
    openForReading() {
      const fd = openSync(parent.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOFOLLOW_ANY);
      try {
        // What was opened must be what was held, and what is there still: either alone misses a swap and back.
        expectSame(name, stats, fstatSync(fd, { bigint: true }));
        expectSame(name, stats, look(parent, name));
        return fd;
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    },
    checkWritable: () => checkWritable(parent.at(name), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOFOLLOW_ANY),
    close: () => undefined,
  };
}

/** Looks at an entry, with the chain of directories the same before and after. */
function look(parent: DirectoryHandle, name: string): BigIntStats {
  const stats = lstat(parent.at(name).toString());
  parent.stats();
  return stats;
}

function expectSame(name: string, before: BigIntStats, now: BigIntStats): void {
  if (!isSameFile(before, now)) throw changedError(name);
}

function lstat(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}
