// What a chapter of the tour is made of: one plugin, and the calls that show what it does. Data only; the tour plays it.
import type { Json } from "@pluggableharness/protocol";
import type { TourFiles } from "./tour-files.ts";

/** One call, what must come of it, and what must then be true on disk. */
export interface Step {
  readonly title: string;
  readonly operation: string;
  readonly args: { [key: string]: Json };
  /** The category of the error that must come; a result must come where it is missing. */
  readonly failsWith?: string;
  /** What must hold on disk afterwards, and its words. */
  readonly holds?: { readonly words: string; readonly check: (files: TourFiles) => boolean };
}

/** The part of the tour that one plugin plays. */
export interface Chapter {
  /** The plugin's short name. */
  readonly plugin: string;
  readonly config: (files: TourFiles) => { [key: string]: Json };
  readonly steps: readonly Step[];
}
