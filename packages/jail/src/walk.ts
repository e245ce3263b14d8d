// The walk: from a root's handle to what a path names, one name at a time, following links itself.
// `..` goes back to the directory the walk came from (never by text, so never past a link), every name is
// put to the rules before the system is asked about it, and a way out of a root is looked up in the set of
// roots again. Magic links (/proc/self/root, /proc/self/fd/0) are read as text like any other link: the
// kernel is never asked to follow one.
import { readlinkSync } from "node:fs";
import { dirname, parse, sep } from "node:path";
import type { DirectoryHandle, WalkPlatform } from "./directory-handle.ts";
import { decodeName } from "./file-name.ts";
import {
  errnoOf,
  fromSystemError,
  JailError,
  notADirectoryError,
  notFoundError,
  outsideError,
  quoted,
} from "./jail-error.ts";
import type { PathRules } from "./path-rules.ts";
import { firstCovering } from "./path-rules.ts";
import type { Target } from "./place.ts";
import { Place } from "./place.ts";
import type { PathParts, PathRequest } from "./requested-path.ts";
import { parseLinkTarget, parsePath } from "./requested-path.ts";
import type { Root } from "./root-set.ts";
import { checkRoot, findEntrance } from "./root-set.ts";

/** What a walk works with; one per jail. */
export interface WalkContext {
  readonly platform: WalkPlatform;
  readonly roots: readonly Root[];
  readonly hide: PathRules;
  readonly protect: PathRules;
}

/** What becomes of a link that is the last name: `keep` makes the link itself the target. */
export type LastLink = "follow" | "keep";

/** As Linux does. */
const MAX_LINKS = 40;

/** Walks to what `request` names; what does not exist is a Place too. The caller disposes it. */
export function walk(context: WalkContext, request: PathRequest, lastLink: LastLink): Place {
  const parts = parsePath(request.path, process.platform);
  const way = new Way(context, request.path, lastLink);
  try {
    const names = parts.anchor === undefined ? parts.names : way.enter(parts);
    if (parts.anchor === undefined) enterWorkingDirectory(way, request, context);
    return way.finish(names);
  } catch (error) {
    way.close();
    throw fromSystemError(error, request.path);
  }
}

function enterWorkingDirectory(way: Way, request: PathRequest, context: WalkContext): void {
  const refuse = (why: string, cause?: unknown): JailError => {
    const roots = context.roots.map((root) => quoted(root.path)).join(", ");
    const words = `${quoted(request.path)} is relative, but ${why}; use an absolute path below ${roots}.`;
    return new JailError({ code: "working_directory" }, words, { cause });
  };
  const directory = request.workingDirectory ?? "";
  if (directory === "") throw refuse("the call names no working directory");
  let parts: PathParts;
  try {
    parts = parsePath(directory, process.platform);
    const names = [...parts.names, "."];
    if (
      parts.anchor !== undefined &&
      way.run(way.enter({ anchor: parts.anchor, names })).kind === "directory"
    )
      return;
  } catch (error) {
    const isOutside = error instanceof JailError && error.code === "outside";
    throw refuse(
      `the working directory ${quoted(directory)} ${isOutside ? "is outside the allowed directories" : "cannot be entered"}`,
      error,
    );
  }
  throw refuse(
    `the working directory ${quoted(directory)} ${parts.anchor === undefined ? "is not absolute" : "does not exist (any more)"}`,
  );
}

/** The directories passed so far. */
class Way {
  readonly #context: WalkContext;
  readonly #path: string;
  readonly #lastLink: LastLink;
  #root: Root | undefined;
  /** `#handles[i]` is the directory that `#names[i]` led to. */
  #names: string[] = [];
  #handles: DirectoryHandle[] = [];
  #linksLeft = MAX_LINKS;
  #protectedBy: string | undefined;

  constructor(context: WalkContext, path: string, lastLink: LastLink) {
    this.#context = context;
    this.#path = path;
    this.#lastLink = lastLink;
  }

  /** Goes to the root that an absolute path leads into and returns the names that are left. */
  enter(parts: PathParts): readonly string[] {
    const entrance = findEntrance(this.#context.roots, parts, this.#lastLink === "keep");
    if (entrance === undefined) throw this.#outside();
    checkRoot(entrance.root);
    this.close();
    this.#root = entrance.root;
    for (const { root, names } of entrance.root.lineage) {
      if (firstCovering(this.#context.hide, root, names) !== undefined) throw this.#outside();
      this.#protectedBy ??= firstCovering(this.#context.protect, root, names);
    }
    return entrance.names;
  }

  /** Walks from here; returns what is at the end. */
  run(names: readonly string[]): Target {
    const pending = [...names].reverse();
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === ".") continue;
      if (name === "..") this.#up(pending);
      else {
        const target = pending.length > 0 ? this.#pass(name, pending) : this.#arrive(name, pending);
        if (target !== undefined) return target;
      }
    }
    return { kind: "directory" };
  }

  finish(names: readonly string[]): Place {
    const target = this.run(names);
    const steps = { root: this.#here(), names: this.#names, handles: this.#handles };
    return new Place(this.#path, steps, target, this.#protectedBy);
  }

  close(): void {
    for (const handle of this.#handles) handle.close();
    this.#handles = [];
    this.#names = [];
  }

  /** A name with more to come: it must be a directory, or lead to one. */
  #pass(name: string, pending: string[]): Target | undefined {
    this.#checkRules([name]);
    const parent = this.#top();
    const child = ifPresent(() => this.#context.platform.openDirectory(parent, name));
    if (child === "missing") return this.#missing(name, pending);
    if (child === undefined) {
      const text = readLink(parent, name);
      if (text === undefined) throw notADirectoryError(this.#path, name);
      this.#follow(text, pending);
      return undefined;
    }
    this.#handles.push(child);
    this.#names.push(name);
    return undefined;
  }

  /** The last name: whatever it is, it is held before anything is decided. */
  #arrive(name: string, pending: string[]): Target | undefined {
    this.#checkRules([name]);
    const parent = this.#top();
    const held = ifPresent(() => this.#context.platform.hold(parent, name));
    if (held === "missing") return this.#missing(name, pending);
    const isFollowed = held.stats.isSymbolicLink() && this.#lastLink === "follow";
    if (!isFollowed && !held.stats.isDirectory()) return { kind: "entry", name, held };
    held.close();
    if (!isFollowed) return this.#pass(name, pending);
    const text = readLink(parent, name);
    // Somebody has put another object in the link's place: look again, at the cost of one link.
    this.#follow(text ?? name, pending);
    return undefined;
  }

  #missing(name: string, pending: readonly string[]): Target {
    const rest = pending.filter((one) => one !== ".").reverse();
    if (rest.includes("..")) throw notFoundError(this.#path, name);
    for (let length = 0; length <= rest.length; length++) this.#checkRules([name, ...rest.slice(0, length)]);
    return { kind: "missing", names: [name, ...rest] };
  }

  #follow(text: string, pending: string[]): void {
    if (this.#linksLeft-- === 0) {
      const words = `${quoted(this.#path)} passes more than ${MAX_LINKS} symbolic links; they probably lead in a circle.`;
      throw new JailError({ code: "link_loop" }, words);
    }
    const parts = parseLinkTarget(text, process.platform);
    if (parts === undefined) throw this.#outside();
    if (parts.anchor === undefined) pending.push(...[...parts.names].reverse());
    else this.#goOn(parts, pending);
  }

  #up(pending: string[]): void {
    if (this.#names.pop() !== undefined) {
      this.#handles.pop()?.close();
      return;
    }
    const { realPath } = this.#here();
    const anchor = parse(realPath).root;
    const above = dirname(realPath)
      .slice(anchor.length)
      .split(sep)
      .filter((name) => name !== "");
    this.#goOn({ anchor, names: above }, pending);
  }

  /** Goes to an absolute place, with what is pending below it. */
  #goOn(parts: PathParts, pending: string[]): void {
    const names = this.enter({
      anchor: parts.anchor,
      names: [...parts.names, ...pending.splice(0).reverse()],
    });
    pending.push(...[...names].reverse());
  }

  #checkRules(more: readonly string[]): void {
    const root = this.#here();
    const names = [...this.#names, ...more];
    if (this.#context.hide.covering(root, names) !== undefined) throw this.#outside();
    this.#protectedBy ??= this.#context.protect.covering(root, names);
  }

  #top(): DirectoryHandle {
    return this.#handles.at(-1) ?? this.#here().handle;
  }

  #here(): Root {
    if (this.#root === undefined) throw new Error("a walk begins with enter()");
    return this.#root;
  }

  #outside(): JailError {
    return outsideError(
      this.#path,
      this.#context.roots.map((root) => root.path),
    );
  }
}

function ifPresent<T>(look: () => T): T | "missing" {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "missing";
    throw error;
  }
}

/** Undefined where `name` is no link. */
export function readLink(parent: DirectoryHandle, name: string): string | undefined {
  try {
    return decodeName(readlinkSync(parent.at(name), { encoding: "buffer" }));
  } catch (error) {
    if (errnoOf(error) === "EINVAL") return undefined;
    throw error;
  }
}
