// `toolconform <binary>`: checks a tool plugin and says what it found. Exit code 0: nothing failed; 1: something did;
// 2: it could not be tested.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allChecks } from "./checks/all.ts";
import { emptyRecipe, parseRecipe, type Recipe } from "./recipe.ts";
import { jsonReport, junitReport, summaryOf, summaryText, textOf } from "./reports.ts";
import { CannotTestError, runChecks } from "./run-checks.ts";

const USAGE = `Usage: toolconform [options] <binary>

Checks that a tool plugin keeps the protocol, by starting it as the kernel does.

  --config <file>     how to configure and call it: a recipe, or the body of Configure alone
  --only <id>         run this check, or this area, alone; may be given several times
  --json              print the report as JSON
  --junit <file>      write the report as JUnit too
  --list              print the checks and the rules they stand for
  --start-timeout <s> how long the plugin may take to start, in seconds (10)

Exit code: 0 nothing failed, 1 something failed, 2 the plugin could not be tested.
`;

const options = {
  config: { type: "string" },
  only: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
  junit: { type: "string" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  "start-timeout": { type: "string", default: "10" },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.list) {
    for (const { id, rule } of allChecks) process.stdout.write(`${id.padEnd(32)} ${rule}\n`);
    return 0;
  }
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new CannotTestError(`name one plugin\n\n${USAGE}`);
  const startMs = Number(values["start-timeout"]) * 1000;
  if (!(startMs > 0)) throw new CannotTestError("--start-timeout takes a number of seconds");
  const report = await runChecks(path, {
    recipe: values.config === undefined ? emptyRecipe : readRecipe(values.config),
    only: values.only ?? [],
    startMs,
    ...(!values.json && { onResult: (result) => process.stdout.write(`${textOf(result)}\n`) }),
  });
  process.stdout.write(values.json ? jsonReport(path, report) : `\n${summaryText(report)}\n`);
  if (values.junit !== undefined) writeFileSync(values.junit, junitReport(path, report));
  return summaryOf(report.results).failed > 0 ? 1 : 0;
}

function readRecipe(path: string): Recipe {
  try {
    return parseRecipe(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CannotTestError(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  // Wrong options throw a TypeError with a good message of its own.
  const isExpected = error instanceof CannotTestError || error instanceof TypeError;
  process.stderr.write(
    `toolconform: ${isExpected ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = 2;
}
