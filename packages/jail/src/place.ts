// Where a walk arrived: the object, or the gap where it would be, together with the open directories that
// led there. Operations act through these handles and never walk the path's text a second time.
import { sep } from "node:path";
import type { DirectoryHandle, HeldEntry } from "./directory-handle.ts";
import { changedError, JailError, notFoundError, quoted } from "./jail-error.ts";
import type { Root } from "./root.ts";

/** Names for one place in the jail; all of them text, none to be opened. */
export interface JailPath {
  /** As the caller wrote it. */
  readonly requested: string;
  /** Absolute, every link resolved; below `root`. A byte that is not UTF-8 is a lone surrogate, see `printableName`. */
  readonly realPath: string;
  /** Real path of the root it was reached by. */
  readonly root: string;
  /** From `root`, with `/` between names; `.` for the root itself. */
  readonly relativePath: string;
  /**
   * The same for every spelling of one file, links included, and whether or not it exists yet: the key
   * for locks and bookkeeping. Hard links have different keys; so have two spellings in one directory
   * that ignores case.
   */
  readonly key: string;
}

/** What is at the place. */
export type Target =
  | { readonly kind: "directory" }
  | { readonly kind: "entry"; readonly name: string; readonly held: HeldEntry }
  /** The first name is missing in the last directory; the rest would be below it. */
  | { readonly kind: "missing"; readonly names: readonly [string, ...string[]] };

/** How the walk got there: the root, and below it the real names with the directory each one led to. */
export interface Steps {
  readonly root: Root;
  readonly names: readonly string[];
  readonly handles: readonly DirectoryHandle[];
}

/** Owns the handles of the walk. */
export class Place {
  readonly path: JailPath;
  readonly steps: Steps;
  readonly target: Target;
  /** The rule that forbids writing here, if one does. */
  readonly protectedBy: string | undefined;

  constructor(requested: string, steps: Steps, target: Target, protectedBy: string | undefined) {
    const below = target.kind === "missing" ? target.names : target.kind === "entry" ? [target.name] : [];
    this.path = jailPath(requested, steps.root, [...steps.names, ...below]);
    this.steps = steps;
    this.target = target;
    this.protectedBy = protectedBy;
  }

  /** The target itself where it is a directory, else the directory it is or would be in. */
  get directory(): DirectoryHandle {
    return this.steps.handles.at(-1) ?? this.steps.root.handle;
  }

  /** A directory's parent and its name there. A root has none: it is not the caller's to remove. */
  get parent(): { readonly directory: DirectoryHandle; readonly name: string } | undefined {
    const name = this.steps.names.at(-1);
    return name === undefined
      ? undefined
      : { directory: this.steps.handles.at(-2) ?? this.steps.root.handle, name };
  }

  /** Throws `not_found` where nothing is there, naming the first name that is missing. */
  existing(): Exclude<Target, { kind: "missing" }> {
    if (this.target.kind === "missing") throw notFoundError(this.path.requested, this.target.names[0]);
    return this.target;
  }

  /** Throws `protected` where a rule forbids writing. */
  checkNotProtected(): void {
    if (this.protectedBy === undefined) return;
    throw new JailError(
      { code: "protected", rule: this.protectedBy },
      `${quoted(this.path.requested)} is protected by the rule ${quoted(this.protectedBy)}: it may be read but not written.`,
    );
  }

  /** Throws `changed` where a version is expected and it is not this one. */
  checkVersion(expected: string | undefined, actual: string): void {
    if (expected !== undefined && expected !== actual) throw changedError(this.path.requested);
  }

  [Symbol.dispose](): void {
    if (this.target.kind === "entry") this.target.held.close();
    for (const handle of this.steps.handles) handle.close();
  }
}

/** Absolute text for real names below a root. */
export function realPathOf(root: Root, names: readonly string[]): string {
  const base = root.realPath.endsWith(sep) ? root.realPath : root.realPath + sep;
  return names.length === 0 ? root.realPath : base + names.join(sep);
}

function jailPath(requested: string, root: Root, names: readonly string[]): JailPath {
  const realPath = realPathOf(root, names);
  return { requested, realPath, root: root.realPath, relativePath: names.join("/") || ".", key: realPath };
}
