// A pattern that begins with an absolute directory is that directory and the pattern below it.
import { ToolError } from "@pluggableharness/plugin";

interface PatternPlace {
  readonly pattern: string;
  readonly path?: string;
}

/** Moves the fixed directories of an absolute pattern to the path. */
export function splitAbsolute({ pattern, path }: PatternPlace): {
  pattern: string;
  path: string | undefined;
} {
  if (!pattern.startsWith("/")) return { pattern, path };
  if (path !== undefined)
    throw new ToolError(
      "invalid_arguments",
      `pattern: ${JSON.stringify(pattern)} is absolute, and path is given too; make the pattern relative to path.`,
    );
  const names = pattern.split("/");
  const firstWild = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  const end = firstWild < 0 ? names.length - 1 : firstWild;
  return { pattern: names.slice(end).join("/"), path: names.slice(0, end).join("/") || "/" };
}
