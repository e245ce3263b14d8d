// A process of its own that keeps swapping entries of a root for links to a directory outside, and back,
// until it is killed: a directory, a directory in the middle of a path, the target of a link, and a file.
// Usage: node swap-entries.ts <root> <outside>; it prints a line when it has begun.
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [root = "", outside = ""] = process.argv.slice(2);
const at = (name: string): string => join(root, name);

/** Renames only: an exchange would need renameat2, which Node does not offer. */
function swap(name: string): void {
  move(name, `${name}.away`);
  move(`${name}.link`, name);
  move(name, `${name}.link`);
  move(`${name}.away`, name);
}

/** While a directory is away the jail may make another one in its place, which then has to go. */
function move(from: string, to: string): void {
  for (;;) {
    try {
      renameSync(at(from), at(to));
      return;
    } catch {
      rmSync(at(to), { recursive: true, force: true, maxRetries: 50, retryDelay: 1 });
    }
  }
}

function retarget(name: string, target: string): void {
  symlinkSync(target, at(`${name}.next`));
  move(`${name}.next`, name);
}

symlinkSync(outside, at("sub.link"));
symlinkSync("../../outside", at("a/b.link"));
process.stdout.write("swapping\n");
for (;;) {
  for (let index = 0; index < 10; index++) {
    swap("sub");
    swap("a/b");
  }
  retarget("link", outside);
  retarget("link", "sub");
  retarget("file", "../outside/secret");
  writeFileSync(at("file.next"), "inside, again");
  move("file.next", "file");
}
