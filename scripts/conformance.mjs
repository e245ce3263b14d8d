// `npm run conformance`: every plugin of this repository against the conformance kit, with its recipe; and plugins
// that were not written with our SDK: a good and a bad one in Go on the real go-plugin, and a good one in Python.
// Without Go or Python it says so and fails in CI; elsewhere what needs them is left out with a notice.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const cache = resolve("node_modules/.cache/conformance");
const AT_ONCE = 3;

/** Runs the kit; its report, or what went wrong. */
function toolconform(binary, recipe) {
  const args = [
    "--conditions=source",
    "packages/conformance/src/main.ts",
    "--json",
    "--config",
    recipe,
    binary,
  ];
  const child = spawn("node", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((done) => {
    child.once("close", (code) => done(code === 2 ? undefined : JSON.parse(output)));
  });
}

function ownPlugins() {
  return globSync("plugins/*/recipes/conformance.json").map((recipe) => {
    const folder = dirname(dirname(recipe));
    const [binary] = Object.values(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).bin);
    return { name: basename(folder), binary: join(folder, binary), recipe, expect: "all" };
  });
}

function goPlugins() {
  mkdirSync(cache, { recursive: true });
  return ["conformance-good", "conformance-bad"].map((name) => {
    const binary = join(cache, name);
    execFileSync("go", ["build", "-o", binary, `./cmd/${name}`], { cwd: "interop/go", stdio: "inherit" });
    const recipe = "interop/go/cmd/conformance-good/recipe.json";
    return { name: `${name} (Go)`, binary, recipe, expect: name.endsWith("good") ? "pass" : "fail" };
  });
}

function pythonPlugins() {
  const folder = "packages/conformance/fixtures/python";
  const binary = execFileSync("sh", [join(folder, "setup.sh")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return [
    { name: "notes (Python)", binary: binary.trim(), recipe: join(folder, "recipe.json"), expect: "pass" },
  ];
}

/** Undefined where the report is as expected, else why not. */
function complaint({ expect }, report) {
  if (report === undefined) return "could not be tested";
  if (expect === "fail") return report.failed > 0 ? undefined : "passed, and should not";
  const [failure] = report.checks.filter(({ status }) => status === "fail");
  if (failure !== undefined) return `${failure.id}: ${failure.seen}`;
  // The recipes of this repository leave nothing out that a recipe could reach.
  return expect === "all" && report.recipe_gaps.length > 0 ? report.recipe_gaps.join("; ") : undefined;
}

function isThere(command) {
  return spawnSync(command, [command === "go" ? "version" : "--version"]).status === 0;
}

function optional(command, plugins) {
  if (isThere(command)) return plugins();
  process.stderr.write(`${command} is not on PATH: its plugins were NOT checked\n`);
  if (process.env.CI) process.exitCode = 1;
  return [];
}

const plugins = [...ownPlugins(), ...optional("go", goPlugins), ...optional("python3", pythonPlugins)];
const waiting = [...plugins];

async function work() {
  for (let plugin = waiting.shift(); plugin !== undefined; plugin = waiting.shift()) {
    const started = performance.now();
    const report = existsSync(plugin.binary) ? await toolconform(plugin.binary, plugin.recipe) : undefined;
    const wrong = complaint(plugin, report);
    if (wrong !== undefined) process.exitCode = 1;
    const counts =
      report === undefined
        ? ""
        : `${report.passed} passed, ${report.failed} failed, ${report.not_reached} not reached`;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `${wrong === undefined ? "ok  " : "FAIL"} ${plugin.name.padEnd(24)} ${counts} (${seconds} s)${wrong === undefined ? "" : `: ${wrong}`}\n`,
    );
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
