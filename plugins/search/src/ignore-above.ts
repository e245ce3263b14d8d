// The ignore files between a root and a directory in it that is searched. ripgrep would read every one up to the root
// of the file system, so it is told to read none above, and gets those of the jail's root as one file of rules that
// read from the searched directory. The repository's own exclude file belongs to them.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Jail, JailError } from "@pluggableharness/jail";
import { IGNORE_NAMES } from "./ignore-watch.ts";
import { rebaseRule } from "./rebase-rule.ts";
import type { Scope } from "./scope.ts";

/** Later ones win. */
const IGNORE_FILES = [".git/info/exclude", ...IGNORE_NAMES] as const;
/** A larger ignore file is none. */
const MAX_IGNORE_BYTES = 1024 * 1024;

/** Rules as ripgrep gets them; dispose it when ripgrep has ended. */
export interface IgnoreAbove extends Disposable {
  readonly flags: readonly string[];
}

/** Collects the rules; reads through the jail only, so a link that leads out says nothing. */
export function ignoreAbove(jail: Jail, scope: Scope): IgnoreAbove {
  const rules = rulesAbove(jail, scope);
  if (rules.length === 0) return { flags: [], [Symbol.dispose]: () => {} };
  const file = fileOf(`${rules.join("\n")}\n`);
  return { flags: [`--ignore-file=${file.path}`], [Symbol.dispose]: file.remove };
}

function rulesAbove(jail: Jail, { root, realPath }: Scope): readonly string[] {
  const names = realPath === root ? [] : realPath.slice(root === "/" ? 1 : root.length + 1).split("/");
  const rules: string[] = [];
  for (let depth = 0; depth <= names.length; depth++) {
    const directory = [root === "/" ? "" : root, ...names.slice(0, depth)].join("/");
    // Those of the searched directory itself ripgrep reads, but for the exclude file.
    const files = depth === names.length ? IGNORE_FILES.slice(0, 1) : IGNORE_FILES;
    for (const file of files) {
      const text = textOf(jail, `${directory}/${file}`);
      for (const line of text.split("\n")) rules.push(...rebaseRule(line, names.slice(depth)));
    }
  }
  return rules;
}

function textOf(jail: Jail, path: string): string {
  try {
    using file = jail.openFile({ path });
    return file
      .readAll(MAX_IGNORE_BYTES)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  } catch (error) {
    // Missing as a rule; what lies outside or cannot be read has no say.
    if (error instanceof JailError) return "";
    throw error;
  }
}

/** On Linux a file without a name that goes with its descriptor: nothing is left behind whatever happens. */
function fileOf(content: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "search-"));
  const path = join(folder, "rules");
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "wx+", 0o600);
    writeSync(descriptor, content);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    removeFolder();
    throw error;
  }
  const held = descriptor;
  if (process.platform === "linux") {
    removeFolder();
    return { path: `/proc/${process.pid}/fd/${held}`, remove: () => closeSync(held) };
  }
  closeSync(held);
  return { path, remove: removeFolder };
}
