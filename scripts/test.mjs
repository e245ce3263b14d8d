// `npm test`: everything that says whether this checkout is right, in the order in which it fails fastest. Each
// step prints its own closing lines; the first that fails ends the run.
import { spawnSync } from "node:child_process";

const hasGo = spawnSync("go", ["version"]).status === 0;

const steps = [
  ["types", "npm", ["run", "--silent", "typecheck"]],
  ["lint", "npm", ["run", "--silent", "lint"]],
  ["generated code", "node", ["scripts/generate.mjs", "--check"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["unit and end-to-end", "npm", ["run", "--silent", "test:unit"]],
  ["Go interop", "npm", ["run", "--silent", "test:interop"]],
  ["conformance", "npm", ["run", "--silent", "conformance"]],
];

for (const [name, command, args] of steps) {
  process.stdout.write(`\n── ${name}\n`);
  // Half of the generated code is Go, and its generators are Go programs. The interop step fails in CI then.
  if (name === "generated code" && !hasGo && !process.env.CI) {
    process.stdout.write("Go is not on PATH: the generated code was NOT compared\n");
    continue;
  }
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error !== undefined || status !== 0) {
    process.stderr.write(`\nfailed: ${name}${error === undefined ? "" : ` (${error.message})`}\n`);
    process.exit(1);
  }
}
process.stdout.write("\nall steps passed\n");
