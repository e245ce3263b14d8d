// The one way to get a jail: options checked, roots opened, rules compiled.

import type { WalkPlatform } from "./directory-handle.ts";
import { Jail } from "./jail.ts";
import { compileRules } from "./path-rules.ts";
import { openRoots } from "./root.ts";
import { linuxPlatform } from "./walk-linux.ts";
import { portablePlatform } from "./walk-portable.ts";

/** What a jail is made of. */
export interface JailOptions {
  /** Existing directories, at least one; they may be links and may lie in each other. */
  readonly roots: readonly string[];
  /** Absolute; relative roots are relative to it. Default: the directory of this process. */
  readonly baseDirectory?: string;
  /** Globs that may be read but not written, with everything below them. Default: `.git`, at any depth. */
  readonly protect?: readonly string[];
  /** Globs that are as if they lay outside, with everything below them. Default: none. */
  readonly hide?: readonly string[];
  /** Refuse every change. Default: false. */
  readonly readOnly?: boolean;
}

/**
 * Opens a jail. Throws `invalid_option`, naming the root or rule and what is wrong with it, or
 * `unsupported` on a Linux without /proc.
 */
export function openJail(options: JailOptions): Jail {
  return openJailOn(process.platform === "linux" ? linuxPlatform() : portablePlatform(), options);
}

/** As `openJail`, on a walk of the caller's choice: so the portable walk can be tested on any system. */
export function openJailOn(platform: WalkPlatform, options: JailOptions): Jail {
  const roots = openRoots(options.roots, options.baseDirectory ?? process.cwd(), platform);
  try {
    const hide = compileRules("hide", options.hide ?? [], roots);
    const protect = compileRules("protect", options.protect ?? [".git"], roots);
    return new Jail({ platform, roots, hide, protect }, options.readOnly ?? false);
  } catch (error) {
    for (const root of roots) root.handle.close();
    throw error;
  }
}
