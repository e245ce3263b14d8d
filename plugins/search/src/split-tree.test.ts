import { describe, expect, it } from "vitest";
import { MIN_DIRECTORIES, splitTree } from "./split-tree.ts";
import { Workspace } from "./testing/workspace.ts";

describe("a tree cut in two", () => {
  it("gives every file once, loose ones and odd names too", async () => {
    using w = new Workspace();
    const names: string[] = [];
    for (let index = 0; index < MIN_DIRECTORIES + 3; index++)
      names.push(`d${index}/f`, `d${index}/e/f`, `d${index}/e2/x/f`, `[${index}]/f`, `loose${index}`);
    for (const name of names) w.put(name);
    using directory = w.state.jail.openDirectory({ path: w.root });
    expect(splitTree(directory)).toHaveLength(2);
    const listed = await w.run("glob", { pattern: "**/*" });
    expect(listed["total"]).toBe(names.length);
    expect(new Set(listed.matches.map(({ path }) => path))).toEqual(new Set(names));
  });

  it("is left whole where it is small", () => {
    using w = new Workspace();
    w.put("d/f");
    using directory = w.state.jail.openDirectory({ path: w.root });
    expect(splitTree(directory)).toHaveLength(1);
  });
});
