import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { History, historyPath, MAX_LINE_CHARS, MAX_LINES } from "./history.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "history-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(path = join(folder, "agent", "harness-history")) {
  const problems: string[] = [];
  return { path, problems, history: new History(path, (problem) => problems.push(problem)) };
}

describe("the history", () => {
  it("is there the next time, the last line first, and for nobody else", () => {
    const { history, path } = open();
    for (const line of ["one", "two", "two", "  ", "three"]) history.add(line);
    expect(history.newestFirst).toEqual(["three", "two", "one"]);
    expect(open().history.newestFirst).toEqual(["three", "two", "one"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "agent")).mode & 0o777).toBe(0o700);
  });

  it("takes a file that others may read back to its owner", () => {
    const { path, history } = open();
    history.add("one");
    chmodSync(path, 0o644);
    open();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("keeps no more than its bounds, in memory and on disk", () => {
    const { history, path } = open();
    for (let index = 0; index < 3 * MAX_LINES; index++) history.add(String(index));
    history.add("x".repeat(MAX_LINE_CHARS + 1));
    expect(history.newestFirst).toHaveLength(MAX_LINES);
    expect(open().history.newestFirst[0]).toBe(String(3 * MAX_LINES - 1));
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(MAX_LINES);
  });

  it("is done without where it cannot be kept, which is said once", () => {
    writeFileSync(join(folder, "file"), "");
    const { history, problems } = open(join(folder, "file", "harness-history"));
    history.add("one");
    history.add("two");
    expect(history.newestFirst).toEqual(["two", "one"]);
    expect(problems).toEqual([expect.stringContaining("the history is not kept")]);
  });

  it.each([
    [{ XDG_STATE_HOME: "/state" }, /^\/state\/agent\/harness-history$/],
    [{ XDG_STATE_HOME: "relative" }, /\.local\/state\/agent\/harness-history$/],
    [{}, /\.local\/state\/agent\/harness-history$/],
  ])("lies where %j says", (environment, path) => {
    expect(historyPath(environment)).toMatch(path);
  });
});
