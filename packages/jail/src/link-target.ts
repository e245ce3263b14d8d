// Where a link leads, as far as the jail may tell: nothing is said of a link that leads out, or to
// something hidden, since its text alone would name what is there.

import type { FileKind } from "./file-stat.ts";
import { kindOf } from "./file-stat.ts";
import { JailError } from "./jail-error.ts";
import type { Steps } from "./place.ts";
import { realPathOf } from "./place.ts";
import { walk } from "./walk.ts";
import type { WalkContext } from "./way.ts";
import { readLink } from "./way.ts";

/** Where a link leads. */
export type LinkTarget =
  /** `text` is the link's own text. */
  | { readonly leads: "inside"; readonly text: string; readonly kind: FileKind }
  /** To a name inside that does not exist. */
  | { readonly leads: "nowhere"; readonly text: string }
  /** Out of the jail, to something hidden, in a circle, or where this process may not go. */
  | { readonly leads: "unavailable" };

/** Undefined where `name`, in the directory that `steps` end with, is no link (any more). */
export function linkTargetOf(context: WalkContext, steps: Steps, name: string): LinkTarget | undefined {
  const text = readLink(steps.handles.at(-1) ?? steps.root.handle, name);
  if (text === undefined) return undefined;
  try {
    using place = walk(context, { path: realPathOf(steps.root, [...steps.names, name]) }, "follow");
    const { target } = place;
    if (target.kind === "missing") return { leads: "nowhere", text };
    return {
      leads: "inside",
      text,
      kind: target.kind === "directory" ? "directory" : kindOf(target.held.stats),
    };
  } catch (error) {
    if (error instanceof JailError) return { leads: "unavailable" };
    throw error;
  }
}
