// A disk that is full: the old content stays, and no temporary file. The small disk is a tmpfs in a mount
// namespace of its own, which Linux gives to every user; elsewhere a limit on file sizes stops the write.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Sandbox } from "./testing/sandbox.ts";

const writer = fileURLToPath(new URL("./testing/write-beyond-space.ts", import.meta.url));
const node = process.execPath;

function canMount(): boolean {
  if (process.platform !== "linux") return false;
  try {
    execFileSync("unshare", ["--mount", "--map-root-user", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("leaves a file as it was, and nothing new, when the new content does not fit", () => {
  using sandbox = new Sandbox();
  sandbox.file("f", "o".repeat(10_000));
  const run = canMount()
    ? `mount -t tmpfs -o size=64k,nr_inodes=5 none "$1" && head -c 10000 /dev/zero > "$1/f" && exec "$2" "$3" "$1" 1000000`
    : `ulimit -f 100; exec "$2" "$3" "$1" 1000000`;
  const shell = canMount() ? ["unshare", "--mount", "--map-root-user", "sh"] : ["sh"];
  const [command = "sh", ...rest] = shell;
  const output = execFileSync(command, [...rest, "-c", run, "sh", sandbox.root, node, writer], {
    encoding: "utf8",
  });
  const code = canMount() ? "no_space" : "io";
  // The tmpfs has inodes for the file, a temporary one and three directories; a limit on sizes stops no directory.
  const deep = canMount() ? "no_space" : "ok";
  const names = canMount() ? ["f"] : ["a", "f"];
  expect(JSON.parse(output)).toEqual({ replaced: code, created: code, deep, names, content: 10_000 });
});
