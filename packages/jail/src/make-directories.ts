// mkdir -p through handles: every directory is made in the one that is held, and held itself before
// anything is made in it. What was made can be taken back if what it was made for fails.
import { mkdirSync, rmdirSync } from "node:fs";
import { syncDirectory } from "./atomic-write.ts";
import type { DirectoryHandle, WalkPlatform } from "./directory-handle.ts";
import { errnoOf, JailError, quoted } from "./jail-error.ts";

/** Owns the handles below `top`; dispose it. */
export class MadeDirectories {
  /** The last directory, or the one to begin with where no name was given. */
  directory: DirectoryHandle;
  /** How many of the names did not exist before. */
  madeCount = 0;
  readonly #handles: DirectoryHandle[] = [];
  readonly #made: { parent: DirectoryHandle; name: string }[] = [];

  constructor(top: DirectoryHandle) {
    this.directory = top;
  }

  /** Throws system errors, and `changed` where something else than a directory got the name meanwhile. */
  make(platform: WalkPlatform, name: string): void {
    const parent = this.directory;
    try {
      mkdirSync(parent.at(name));
      this.#made.push({ parent, name });
      this.madeCount++;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    const child = platform.openDirectory(parent, name);
    if (child === undefined) {
      throw new JailError(
        { code: "changed" },
        `${quoted(name)} appeared and is not a directory; look at it and try again.`,
      );
    }
    this.#handles.push(child);
    this.directory = child;
    syncDirectory(parent);
  }

  /** Removes what was made, as far as nobody else has put something into it. */
  takeBack(): void {
    for (const { parent, name } of this.#made.splice(0).reverse()) {
      try {
        rmdirSync(parent.at(name));
      } catch (error) {
        const errno = errnoOf(error);
        if (errno !== "ENOTEMPTY" && errno !== "ENOENT" && errno !== "EEXIST" && errno !== "ENOTDIR")
          throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    for (const handle of this.#handles) handle.close();
  }
}

/** Makes all of `names` below each other, or none. */
export function makeDirectories(
  platform: WalkPlatform,
  top: DirectoryHandle,
  names: readonly string[],
): MadeDirectories {
  const made = new MadeDirectories(top);
  try {
    for (const name of names) made.make(platform, name);
    return made;
  } catch (error) {
    made.takeBack();
    made[Symbol.dispose]();
    throw error;
  }
}
