// The jail: every operation on the file system that a plugin may do, each one a walk and then one act
// through the handles the walk ended with (catalog.md, "The jail"). No operation takes a path that was
// resolved earlier: what is resolved is used at once, and then forgotten.
import type { FileContent } from "./atomic-write.ts";
import type { FileStat } from "./file-stat.ts";
import { fileStat } from "./file-stat.ts";
import { JailDirectory } from "./jail-directory.ts";
import {
  closedError,
  fromSystemError,
  JailError,
  notADirectoryError,
  outsideError,
  quoted,
} from "./jail-error.ts";
import type { JailFile } from "./jail-file.ts";
import { openRegularFile } from "./jail-file.ts";
import { linkTargetOf } from "./link-target.ts";
import type {
  CreateOptions,
  DirectoryReport,
  RemoveOptions,
  ReplaceOptions,
  WriteReport,
} from "./mutations.ts";
import {
  checkWritableAt,
  createDirectoryAt,
  createFileAt,
  removeDirectoryAt,
  removeFileAt,
  replaceFileAt,
} from "./mutations.ts";
import { isCovered } from "./path-rules.ts";
import type { JailPath, Place } from "./place.ts";
import type { PathRequest } from "./requested-path.ts";
import { namesBelow } from "./root.ts";
import { walk } from "./walk.ts";
import type { LastLink, WalkContext } from "./way.ts";

/** Where a real path lies: in which root, and where below it. */
export interface RootRelative {
  /** The root's real path. */
  readonly root: string;
  /** With `/` between names; `.` for the root itself. */
  readonly relativePath: string;
}

/**
 * An open jail, made by `openJail`; close it when done. All operations are synchronous, throw `JailError`
 * only, follow links that stay inside (but for `lstat` and `readLink`), and act on what the path leads to
 * at that moment.
 */
export class Jail {
  readonly readOnly: boolean;
  readonly #context: WalkContext;
  #isOpen = true;

  /** For `openJail`. Takes over the roots of `context`. */
  constructor(context: WalkContext, readOnly: boolean) {
    this.#context = context;
    this.readOnly = readOnly;
  }

  /** Absolute paths of the roots, as configured and with links resolved. */
  get roots(): readonly { readonly path: string; readonly realPath: string }[] {
    return this.#context.roots.map(({ path, realPath }) => ({ path, realPath }));
  }

  /** Names the place a path leads to, whether or not something is there (`exists`). Opens nothing. */
  resolve(request: PathRequest): JailPath & { readonly exists: boolean } {
    return this.#at(request, "follow", (place) => ({
      ...place.path,
      exists: place.target.kind !== "missing",
    }));
  }

  /** Facts about what the path leads to. */
  stat(request: PathRequest): FileStat {
    return this.#at(request, "follow", statOf);
  }

  /** As `stat`, but a link at the end is looked at itself. */
  lstat(request: PathRequest): FileStat {
    return this.#at(request, "keep", statOf);
  }

  /** The text of a link that leads to something inside; throws `outside` for any other link. */
  readLink(request: PathRequest): string {
    return this.#at(request, "keep", (place) => {
      const target = place.existing();
      const link =
        target.kind === "entry" ? linkTargetOf(this.#context, place.steps, target.name) : undefined;
      if (link === undefined)
        throw new JailError({ code: "not_a_link" }, `${quoted(request.path)} is not a symbolic link.`);
      if (link.leads === "unavailable")
        throw outsideError(
          request.path,
          this.#context.roots.map((root) => root.path),
        );
      return link.text;
    });
  }

  /** Opens a regular file for reading. Never waits; anything else is refused without being opened. */
  openFile(request: PathRequest): JailFile {
    return this.#at(request, "follow", openRegularFile);
  }

  /** Opens a directory, to list it or to start a process in it. */
  openDirectory(request: PathRequest): JailDirectory {
    const place = this.#walk(request, "follow");
    try {
      if (place.existing().kind !== "directory")
        throw notADirectoryError(request.path, place.path.relativePath);
      return new JailDirectory(place, this.#context);
    } catch (error) {
      place[Symbol.dispose]();
      throw fromSystemError(error, request.path);
    }
  }

  /**
   * Throws what a write to this path would be refused with (`read_only`, `protected`, `permission`, not a
   * regular file, outside), and writes nothing. A promise about this moment only: for a preview.
   */
  checkWritable(request: PathRequest): void {
    this.#change(request, checkWritableAt);
  }

  /** Writes a file that must not exist yet, and the directories it needs. Throws `exists` otherwise. */
  createFile(request: PathRequest, content: FileContent, options: CreateOptions = {}): WriteReport {
    return this.#change(request, (place) => createFileAt(this.#context.platform, place, content, options));
  }

  /** Puts `content` in place of a file that exists, atomically, keeping its mode and owner where possible. */
  replaceFile(request: PathRequest, content: FileContent, options: ReplaceOptions = {}): WriteReport {
    return this.#change(request, (place) => replaceFileAt(place, content, options));
  }

  /** Makes a directory and those above it; fine if it exists. */
  createDirectory(request: PathRequest): DirectoryReport {
    return this.#change(request, (place) => createDirectoryAt(this.#context.platform, place));
  }

  /** Removes a regular file; through a link, the file it leads to. */
  removeFile(request: PathRequest, options: RemoveOptions = {}): void {
    this.#change(request, (place) => removeFileAt(place, options));
  }

  /** Removes an empty directory that is no root. */
  removeDirectory(request: PathRequest): void {
    this.#change(request, removeDirectoryAt);
  }

  /** Whether a `hide` rule covers a real path, as a search finds it below a root; true for what is in no root. */
  isHidden(realPath: string): boolean {
    const { roots, hide } = this.#context;
    const inside = roots.flatMap((root) => {
      const names = namesBelow(root.realPath, realPath);
      return names === undefined ? [] : [isCovered(hide, root, names)];
    });
    return inside.length === 0 || inside.includes(true);
  }

  /** Where a real path lies, in the innermost root; undefined where it is in none. Text only: opens nothing. */
  toRootRelative(realPath: string): RootRelative | undefined {
    let best: { root: string; names: readonly string[] } | undefined;
    for (const root of this.#context.roots) {
      const names = namesBelow(root.realPath, realPath);
      if (names !== undefined && (best === undefined || names.length < best.names.length))
        best = { root: root.realPath, names };
    }
    return best && { root: best.root, relativePath: best.names.join("/") || "." };
  }

  /** Closes the roots. Dispose the directories opened from it first: they may stand on a root. Files stay usable. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const root of this.#context.roots) root.handle.close();
  }

  #walk(request: PathRequest, lastLink: LastLink): Place {
    if (!this.#isOpen) throw closedError("jail");
    return walk(this.#context, request, lastLink);
  }

  #at<T>(request: PathRequest, lastLink: LastLink, act: (place: Place) => T): T {
    using place = this.#walk(request, lastLink);
    try {
      return act(place);
    } catch (error) {
      throw fromSystemError(error, request.path);
    }
  }

  #change<T>(request: PathRequest, act: (place: Place) => T): T {
    if (this.readOnly) {
      throw new JailError(
        { code: "read_only" },
        `${quoted(request.path)} cannot be changed: the configuration (read_only) allows reading only.`,
      );
    }
    return this.#at(request, "follow", (place) => {
      place.checkNotProtected();
      return act(place);
    });
  }
}

function statOf(place: Place): FileStat {
  const target = place.existing();
  return fileStat(target.kind === "directory" ? place.directory.stats() : target.held.stats);
}
