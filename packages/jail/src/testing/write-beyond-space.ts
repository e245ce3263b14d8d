// A process of its own, with little space left in the directory it is given: replaces the file `f` and
// creates `new/g` with more than fits, then a small file in four new directories, and prints what happened.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JailError } from "../jail-error.ts";
import { openJail } from "../open-jail.ts";

const directory = process.argv[2] ?? "";
const content = Buffer.alloc(Number(process.argv[3]), "x");
using jail = openJail({ roots: [directory] });

function codeOf(act: () => unknown): string {
  try {
    act();
    return "ok";
  } catch (error) {
    return error instanceof JailError ? error.code : String(error);
  }
}

const replaced = codeOf(() => jail.replaceFile({ path: join(directory, "f") }, content));
const created = codeOf(() => jail.createFile({ path: join(directory, "new/g") }, content));
const deep = codeOf(() => jail.createFile({ path: join(directory, "a/b/c/d/g") }, Buffer.of(1)));
const names = readdirSync(directory);
process.stdout.write(
  JSON.stringify({
    replaced,
    created,
    deep,
    names,
    content: readFileSync(join(directory, "f"), "utf8").length,
  }),
);
