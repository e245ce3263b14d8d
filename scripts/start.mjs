// `npm start`: installs and builds what is missing, then gives the tour. Runs on whatever Node the machine has;
// everything after the installation runs on the Node that `npm ci` brought.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };

function run(command, args, stdio = "inherit") {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio,
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function isInstalled() {
  const marker = join(root, "node_modules", ".package-lock.json");
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

if (!isInstalled()) {
  process.stdout.write("Installing dependencies (npm ci), once …\n");
  run("npm", ["ci", "--no-progress"], ["ignore", "ignore", "inherit"]);
}
run("npm", ["run", "--silent", "build"], ["ignore", "ignore", "inherit"]);
run("node", ["--conditions=source", "packages/cli/src/main.ts", "tour", ...process.argv.slice(2)]);
