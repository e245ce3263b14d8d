// A run: one check after the other against one plugin. Never throws for what a plugin does.
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { within } from "./bounded-wait.ts";
import { type Check, fail, type Outcome } from "./check.ts";
import { allChecks } from "./checks/all.ts";
import { emptyRecipe, type Recipe } from "./recipe.ts";
import { recipeGaps } from "./recipe-gaps.ts";
import { Trial } from "./trial.ts";

/** A check with what came of it. */
export interface CheckResult {
  readonly id: string;
  readonly rule: string;
  readonly source: string;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** What a run has found. */
export interface Report {
  readonly results: readonly CheckResult[];
  /** What the recipe leaves out, and so keeps from being checked. */
  readonly gaps: readonly string[];
}

export interface RunOptions {
  /** How the plugin is configured and called. */
  readonly recipe?: Recipe;
  /** Run those checks alone whose id is one of these, or begins with one of these and a dot. */
  readonly only?: readonly string[];
  /** How long a handshake may take, in milliseconds; 10,000 by default. */
  readonly startMs?: number;
  /** Told of each result as it comes. */
  readonly onResult?: (result: CheckResult) => void;
}

/** A plugin that cannot be tested at all. */
export class CannotTestError extends Error {}

const DEFAULT_START_MS = 10_000;
/** The longest any check may take; a plugin may not hold the run. */
const CHECK_MS = 60_000;
const DYING_MS = 100;

/**
 * Checks the plugin. Throws a CannotTestError where the file cannot be executed, or `only` names no check.
 */
export async function runChecks(path: string, options: RunOptions = {}): Promise<Report> {
  const executable = executableAt(path);
  const chosen = choose(options.only);
  const { recipe = emptyRecipe, startMs = DEFAULT_START_MS } = options;
  await using trial = await Trial.prepare({ path: executable, recipe, startMs });
  const results: CheckResult[] = [];
  for (const check of chosen) {
    const started = performance.now();
    const outcome = await look(check, trial);
    const { id, rule, source } = check;
    const result = { id, rule, source, outcome, durationMs: performance.now() - started };
    results.push(result);
    options.onResult?.(result);
  }
  return { results, gaps: await gapsOf(trial) };
}

async function gapsOf(trial: Trial): Promise<string[]> {
  try {
    return recipeGaps(await trial.schema(), trial.recipe);
  } catch {
    // A plugin that has no schema has failed enough.
    return [];
  }
}

/** One check. A shared plugin that ended meanwhile is a failure, whatever the check has seen. */
async function look(check: Check, trial: Trial): Promise<Outcome> {
  const before = await trial.running();
  try {
    const outcome = await within(Promise.resolve(check.run(trial)), CHECK_MS);
    if (outcome === undefined) return fail(`the check was not over after ${CHECK_MS} ms`);
    // One that is about to die of it must not be handed to the next check.
    if (outcome.status === "fail")
      await Promise.all(before.map(({ subject }) => subject.endWithin(DYING_MS)));
    const ended = before.find(({ subject }) => subject.end !== undefined)?.subject;
    if (ended === undefined || outcome.status === "fail" || check.id === "orphan.nothing-left")
      return outcome;
    const { code, signal } = ended.end ?? {};
    return fail(
      `the plugin ended with ${signal ?? `exit code ${code}`} meanwhile; stderr: ${ended.stderrLines.at(-1) ?? "nothing"}`,
    );
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function choose(only: readonly string[] | undefined): readonly Check[] {
  if (only === undefined || only.length === 0) return allChecks;
  const unknown = only.find((wanted) => !allChecks.some(({ id }) => isWanted(id, wanted)));
  if (unknown !== undefined) throw new CannotTestError(`there is no check "${unknown}"`);
  return allChecks.filter(({ id }) => only.some((wanted) => isWanted(id, wanted)));
}

function isWanted(id: string, wanted: string): boolean {
  return id === wanted || id.startsWith(`${wanted}.`);
}

function executableAt(path: string): string {
  const absolute = resolve(path);
  try {
    if (!statSync(absolute).isFile()) throw new Error("it is no file");
    accessSync(absolute, constants.X_OK);
    return absolute;
  } catch (error) {
    throw new CannotTestError(
      `${path} cannot be executed: ${error instanceof Error ? error.message : error}`,
    );
  }
}
