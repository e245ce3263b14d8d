// Generates TypeScript and Go from proto/. `--check` generates into a temporary folder instead, and fails naming
// every file of the tree that differs; it also refuses a contract that breaks the committed baseline. All tools
// are pinned: buf and protoc-gen-es by package-lock.json, the Go generators by the tool lines of interop/go/go.mod.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const goModule = join(root, "interop", "go");
const toolFolder = join(root, "node_modules", ".cache", "protoc-gen-go");
const outputs = ["packages/protocol/src/gen", "interop/go/gen"];
const templates = ["buf.gen.yaml", "interop/go/buf.gen.yaml"];
const goTools = [
  "google.golang.org/protobuf/cmd/protoc-gen-go",
  "google.golang.org/grpc/cmd/protoc-gen-go-grpc",
];

class Refusal extends Error {}

function run(command, args, options) {
  try {
    execFileSync(command, args, { cwd: root, stdio: "inherit", ...options });
  } catch (error) {
    if (error.code === "ENOENT") throw new Refusal(`'${command}' was not found. ${install(command)}`);
    throw new Refusal(`'${command} ${args.join(" ")}' failed; its own message is above.`);
  }
}

function install(command) {
  return command === "go"
    ? "Install Go 1.25 or newer (https://go.dev/dl) and put it on PATH."
    : "Run 'npm ci' in the root of the repository.";
}

function withTools() {
  const path = [toolFolder, join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path };
}

function generateInto(folder) {
  mkdirSync(toolFolder, { recursive: true });
  run("go", ["build", "-o", toolFolder, ...goTools], { cwd: goModule });
  for (const template of templates) {
    run("buf", ["generate", "--template", template, "--output", folder, "--clean"], { env: withTools() });
  }
}

/** Every file below `folder` by its path relative to `base`. */
function contents(base, folder) {
  const top = join(base, folder);
  if (!existsSync(top)) return new Map();
  const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(base, path), readFileSync(path)];
    }),
  );
}

function differences(fresh) {
  return outputs.flatMap((output) => {
    const actual = contents(root, output);
    const expected = contents(fresh, output);
    const names = [...new Set([...actual.keys(), ...expected.keys()])].sort();
    return names.flatMap((name) => {
      const [mine, theirs] = [actual.get(name), expected.get(name)];
      if (!mine) return [`missing:  ${name}`];
      if (!theirs) return [`left over: ${name}`];
      return mine.equals(theirs) ? [] : [`differs:  ${name}`];
    });
  });
}

function check() {
  const fresh = mkdtempSync(join(tmpdir(), "generate-"));
  try {
    generateInto(fresh);
    run("buf", ["breaking", "--against", "proto/baseline.binpb"], { env: withTools() });
    const found = differences(fresh);
    if (found.length > 0) {
      throw new Refusal(`${found.join("\n")}\nRun 'npm run generate' and commit the result.`);
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

try {
  if (process.argv.includes("--check")) check();
  else generateInto(root);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
