// What is asked of a conversion, and what comes of it.
import type { MediaKind } from "./media-kind.ts";

export interface ConvertJob {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kind: Exclude<MediaKind, "binary">;
  readonly charset: string | undefined;
  /** Where the page is, for its relative links. */
  readonly url: string;
  readonly format: "markdown" | "text" | "raw";
  /** Only the one linear pass: the rest has failed before. */
  readonly isLastResort: boolean;
}

export interface ConvertedPage {
  readonly title: string;
  readonly text: string;
  readonly textNotes: readonly string[];
}
