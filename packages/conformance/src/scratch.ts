// The scratch directory: the only place a check lets a plugin change. Made from the recipe's files, compared by what
// is in it.
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Paths below a directory, each with its kind and a digest of what it holds. */
export type Picture = ReadonlyMap<string, string>;

/** A directory with the recipe's files in it; disposing removes it. */
export class Scratch implements Disposable {
  readonly path: string;
  readonly #files: Readonly<Record<string, string>>;

  constructor(files: Readonly<Record<string, string>>) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "toolconform-")));
    this.#files = files;
    this.restore();
  }

  /** Puts the recipe's files back and removes everything else; the directory itself stays the same one. */
  restore(): void {
    for (const name of readdirSync(this.path))
      rmSync(join(this.path, name), { recursive: true, force: true });
    for (const [name, content] of Object.entries(this.#files)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }

  /** What is in it now. */
  picture(): Picture {
    const entries = new Map<string, string>();
    describe(this.path, "", entries);
    return entries;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** What differs, in words; undefined where nothing does. */
export function difference(before: Picture, after: Picture): string | undefined {
  for (const [path, entry] of after) {
    if (!before.has(path)) return `${path} was made`;
    if (before.get(path) !== entry) return `${path} was changed`;
  }
  for (const path of before.keys()) if (!after.has(path)) return `${path} was removed`;
  return undefined;
}

function describe(folder: string, prefix: string, entries: Map<string, string>): void {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const status = lstatSync(path);
    const shown = prefix + name;
    if (status.isDirectory()) {
      entries.set(shown, "directory");
      describe(path, `${shown}/`, entries);
    } else if (status.isSymbolicLink()) entries.set(shown, `link to ${readlinkSync(path)}`);
    else if (status.isFile()) {
      entries.set(shown, createHash("sha256").update(readFileSync(path)).digest("hex"));
    } else entries.set(shown, "special file");
  }
}
