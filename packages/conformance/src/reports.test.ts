import { describe, expect, it } from "vitest";
import type { Outcome } from "./check.ts";
import { jsonReport, junitReport, summaryText, textOf } from "./reports.ts";
import type { CheckResult } from "./run-checks.ts";

function result(id: string, outcome: Outcome): CheckResult {
  return { id, rule: `The rule of ${id}.`, source: "page.md", outcome, durationMs: 12.4 };
}

const gaps: string[] = [];
const results = [
  result("a.good", { status: "pass", seen: "fine" }),
  result("b.bad", { status: "fail", seen: 'it said <"&> and\nthen \u001b[31mmore' }),
  result("c.none", { status: "not_reached", reason: "no occasion" }),
];

describe("a report", () => {
  it("as text has a line for each check, and the rule of one that failed", () => {
    const [good, bad, none] = results.map(textOf);
    expect(good).toBe(`pass  ${"a.good".padEnd(32)} fine (12 ms)`);
    expect(bad).toContain("The rule of b.bad. [page.md]");
    expect(bad?.split("\n")).toHaveLength(2);
    expect(bad).not.toContain("\u001b");
    expect(none).toContain("no occasion");
    expect(summaryText({ results, gaps })).toBe("1 passed, 1 failed, 1 not reached");
  });

  it("as text says what the recipe leaves out, where that kept checks from being reached", () => {
    const left = { results, gaps: ["read has no call", "write has no call"] };
    expect(summaryText(left)).toContain("The recipe could say more: read has no call; write has no call");
    expect(summaryText({ ...left, results: results.slice(0, 2) })).toBe("1 passed, 1 failed, 0 not reached");
  });

  it("as JSON says the same to a program", () => {
    const report: unknown = JSON.parse(jsonReport("/plugin", { results, gaps: ["read has no call"] }));
    expect(report).toMatchObject({
      plugin: "/plugin",
      passed: 1,
      failed: 1,
      not_reached: 1,
      recipe_gaps: ["read has no call"],
      checks: [
        { id: "a.good", status: "pass", seen: "fine", duration_ms: 12 },
        { id: "b.bad", status: "fail" },
        { id: "c.none", status: "not_reached", reason: "no occasion" },
      ],
    });
  });

  it("as JUnit is well-formed whatever a plugin says", () => {
    const report = junitReport("/a & b", { results, gaps });
    expect(report).toContain('<testsuite name="/a &amp; b" tests="3" failures="1" skipped="1">');
    expect(report).toContain('<testcase classname="toolconform" name="a.good" time="0.012"/>');
    expect(report).toContain("it said &lt;&quot;&amp;&gt; and");
    expect(report).toContain('<skipped message="no occasion"/>');
    expect(report).not.toContain("\u001b");
  });

  it("cuts what a plugin says at a length a person can read", () => {
    expect(textOf(result("a", { status: "pass", seen: "x".repeat(100_000) })).length).toBeLessThan(700);
  });
});
