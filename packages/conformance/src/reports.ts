// A run as text for people, as JSON for programs and as JUnit for CI. Pure.
import { visibleText } from "@pluggableharness/protocol";
import type { Outcome } from "./check.ts";
import type { CheckResult, Report } from "./run-checks.ts";

/** What came of a run, counted. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly notReached: number;
}

export function summaryOf(results: readonly CheckResult[]): Summary {
  const count = (status: Outcome["status"]): number =>
    results.filter(({ outcome }) => outcome.status === status).length;
  return { passed: count("pass"), failed: count("fail"), notReached: count("not_reached") };
}

/** The words of an outcome; a plugin's own, made harmless. */
export function wordsOf(outcome: Outcome): string {
  const words = outcome.status === "not_reached" ? outcome.reason : outcome.seen;
  return visibleText(words.length > 500 ? `${words.slice(0, 500)}…` : words).replaceAll("\n", " ");
}

const marks = { pass: "pass", fail: "FAIL", not_reached: "  – " } as const;

/** One result as text: a line, and for a failure the rule and its source. */
export function textOf(result: CheckResult): string {
  const { id, rule, source, outcome, durationMs } = result;
  const line = `${marks[outcome.status]}  ${id.padEnd(32)} ${wordsOf(outcome)} (${Math.round(durationMs)} ms)`;
  return outcome.status === "fail" ? `${line}\n      ${rule} [${source}]` : line;
}

/** The closing lines. */
export function summaryText({ results, gaps }: Report): string {
  const { passed, failed, notReached } = summaryOf(results);
  const counts = `${passed} passed, ${failed} failed, ${notReached} not reached`;
  return notReached === 0 || gaps.length === 0
    ? counts
    : `${counts}\nThe recipe could say more: ${gaps.join("; ")}`;
}

/** The run as a JSON document. */
export function jsonReport(path: string, { results, gaps }: Report): string {
  const checks = results.map(({ id, rule, source, outcome, durationMs }) => ({
    id,
    status: outcome.status,
    [outcome.status === "not_reached" ? "reason" : "seen"]: wordsOf(outcome),
    rule,
    source,
    duration_ms: Math.round(durationMs),
  }));
  const { passed, failed, notReached } = summaryOf(results);
  return `${JSON.stringify({ plugin: path, passed, failed, not_reached: notReached, recipe_gaps: gaps, checks }, null, 2)}\n`;
}

/** The run as a JUnit document: one suite, one case a check. */
export function junitReport(path: string, { results }: Report): string {
  const { failed, notReached } = summaryOf(results);
  const cases = results.map(({ id, rule, outcome, durationMs }) => {
    const open = `    <testcase classname="toolconform" name="${xml(id)}" time="${(durationMs / 1000).toFixed(3)}"`;
    if (outcome.status === "pass") return `${open}/>`;
    const inner =
      outcome.status === "fail"
        ? `<failure message="${xml(wordsOf(outcome))}">${xml(rule)}</failure>`
        : `<skipped message="${xml(wordsOf(outcome))}"/>`;
    return `${open}>${inner}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="${xml(path)}" tests="${results.length}" failures="${failed}" skipped="${notReached}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  // What XML 1.0 cannot hold at all was made visible before.
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
