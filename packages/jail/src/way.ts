// The way of one walk: the directories it has passed, and the steps that lengthen and shorten it.
// `..` goes back to the directory the walk came from (never by text, so never past a link), every name is
// put to the rules before the system is asked about it, and a way out of a root is looked up in the set of
// roots again. Magic links (/proc/self/root, /proc/self/fd/0) are read as text like any other link: the
// kernel is never asked to follow one.
import { readlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { DirectoryHandle, WalkPlatform } from "./directory-handle.ts";
import { decodeName } from "./file-name.ts";
import { findEntrance } from "./find-entrance.ts";
import { errnoOf, JailError, notADirectoryError, notFoundError, outsideError, quoted } from "./jail-error.ts";
import type { PathRules } from "./path-rules.ts";
import { firstCovering } from "./path-rules.ts";
import type { Target } from "./place.ts";
import { Place } from "./place.ts";
import { absoluteParts, parseLinkTarget } from "./requested-path.ts";
import type { Root } from "./root.ts";
import { checkRoot } from "./root.ts";

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
/** Forty links of 2,000 names each would keep this thread busy for seconds; no real path comes near this. */
const MAX_STEPS = 8192;

/** The directories passed so far. */
export class Way {
  readonly #context: WalkContext;
  readonly #path: string;
  readonly #lastLink: LastLink;
  #root: Root | undefined;
  /** `#handles[i]` is the directory that `#names[i]` led to. */
  #names: string[] = [];
  #handles: DirectoryHandle[] = [];
  #linksLeft = MAX_LINKS;
  #stepsLeft = MAX_STEPS;
  #protectedBy: string | undefined;

  constructor(context: WalkContext, path: string, lastLink: LastLink) {
    this.#context = context;
    this.#path = path;
    this.#lastLink = lastLink;
  }

  /** Walks `names`, from the root of the file system at `anchor` or from here; returns what is at the end. */
  run(anchor: string | undefined, names: readonly string[]): Target {
    const pending: string[] = [];
    this.#goOn(anchor, names, pending);
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (this.#stepsLeft-- === 0) throw this.#loop(`more than ${MAX_STEPS} names`);
      if (name === ".") continue;
      if (name === "..") this.#up(pending);
      else {
        const target = pending.length > 0 ? this.#pass(name, pending) : this.#arrive(name, pending);
        if (target !== undefined) return target;
      }
    }
    return { kind: "directory" };
  }

  /** Walks as `run` does, and gives the handles away. */
  finish(anchor: string | undefined, names: readonly string[]): Place {
    const target = this.run(anchor, names);
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
    if (this.#linksLeft-- === 0) throw this.#loop(`more than ${MAX_LINKS} symbolic links`);
    const parts = parseLinkTarget(text, process.platform);
    if (parts === undefined) throw this.#outside();
    this.#goOn(parts.anchor, parts.names, pending);
  }

  #up(pending: string[]): void {
    if (this.#names.pop() !== undefined) {
      this.#handles.pop()?.close();
      return;
    }
    const { realPath } = this.#here();
    const above = absoluteParts(dirname(realPath));
    this.#goOn(above.anchor, above.names, pending);
  }

  /** Puts `names` before what is pending; with an anchor, goes to the root they lead into. */
  #goOn(anchor: string | undefined, names: readonly string[], pending: string[]): void {
    pending.push(...[...names].reverse());
    if (anchor !== undefined) this.#enter(anchor, pending);
  }

  #enter(anchor: string, pending: string[]): void {
    const root = findEntrance(this.#context.roots, anchor, pending, this.#lastLink === "keep");
    if (root === undefined) throw this.#outside();
    checkRoot(root);
    this.close();
    this.#root = root;
    for (const outer of root.lineage) {
      if (firstCovering(this.#context.hide, outer.root, outer.names) !== undefined) throw this.#outside();
      this.#protectedBy ??= firstCovering(this.#context.protect, outer.root, outer.names);
    }
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
    if (this.#root === undefined) throw new Error("a walk begins at an anchor");
    return this.#root;
  }

  #loop(what: string): JailError {
    const words = `${quoted(this.#path)} passes ${what}; its links probably lead in a circle.`;
    return new JailError({ code: "link_loop" }, words);
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
