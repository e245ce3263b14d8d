// Every check is able to fail: for each there is a plugin with one defect, in which it finds that defect and its
// neighbours find nothing. fixtures/matrix.ts shows the same with all checks, which takes minutes.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { notesPlugin } from "../fixtures/build-notes.ts";
import { neighboursOf } from "../fixtures/neighbours.ts";
import { defects } from "../fixtures/notes/defects/all.ts";
import { allChecks, parseRecipe, runChecks } from "../src/index.ts";

const recipe = parseRecipe(readFileSync(new URL("../fixtures/notes/recipe.json", import.meta.url), "utf8"));

async function failures(defect: string, only: readonly string[]): Promise<string[]> {
  const environment = { NOTES_DEFECT: defect };
  const { results } = await runChecks(notesPlugin(), { recipe: { ...recipe, environment }, only });
  return results.filter(({ outcome }) => outcome.status === "fail").map(({ id }) => id);
}

describe("the checks", () => {
  it("have names of their own, and a defect each", () => {
    const ids = allChecks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(defects).sort()).toEqual([...ids].sort());
    expect(ids.length).toBeGreaterThanOrEqual(60);
  });

  it("find nothing in a good plugin, and reach every rule", async () => {
    const { results, gaps } = await runChecks(notesPlugin(), { recipe });
    expect(gaps).toEqual([]);
    expect(results.filter(({ outcome }) => outcome.status !== "pass")).toEqual([]);
  });

  it.concurrent.each(allChecks.map(({ id }) => id))("find the defect of %s, and only that", async (id) => {
    expect(await failures(id, neighboursOf(id))).toEqual([id]);
  });
});
