// glob through the real plugin against ripgrep's own list of files, by time and by path, and against fast-glob.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastGlob from "fast-glob";
import { inCheckout, median, type Row } from "./measure.ts";
import { makeTree, startSearch, timeRipgrep } from "./search-tree.ts";

const RUNS = 9;
const SLACK_MS = 30;
const FLAGS = [
  "--no-config",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--files",
  "--null",
];

export async function measureSearchGlob(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    makeTree(folder);
    return [
      ...(await measureTree(folder, "100,000 files")),
      ...(await measureTree(inCheckout(""), "this repository")),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTree(root: string, name: string): Promise<Row[]> {
  await using plugin = await startSearch(root);
  const pattern = "**/*";
  const times = { newest: [], path: [], rgNewest: [], rg: [], fastGlob: [] } as Record<string, number[]>;
  const add = (key: string, time: number): void => void times[key]?.push(time);
  await plugin.call("glob", { pattern });
  for (let run = 0; run < RUNS; run++) {
    add("rgNewest", (await timeRipgrep(root, [...FLAGS, "--sortr=modified", "./"])).total);
    add("newest", (await plugin.call("glob", { pattern })).total);
    add("rg", (await timeRipgrep(root, [...FLAGS, "./"])).total);
    add("path", (await plugin.call("glob", { pattern, sort: "path" })).total);
    const started = performance.now();
    await fastGlob(pattern, { cwd: root, stats: true });
    add("fastGlob", performance.now() - started);
  }
  const of = (key: string): number => median(times[key] ?? []);
  const against = (own: string, reference: string, words: string): Row => ({
    name: `glob, ${name}, ${own === "path" ? "by path" : "newest first"}`,
    detail: `${of(own).toFixed(0)} ms; allowed 1.2 times ${of(reference).toFixed(0)} ms of ${words}, and ${SLACK_MS} ms`,
    ratio: of(own) / (1.2 * of(reference) + SLACK_MS),
    bound: { atMost: 1 },
  });
  return [
    against("newest", "rgNewest", "rg --files --sortr modified"),
    against("path", "rg", "rg --files"),
    {
      name: `glob, ${name}, fast-glob to newest first`,
      detail: `${of("fastGlob").toFixed(0)} ms for fast-glob with stats against ${of("newest").toFixed(0)} ms`,
      ratio: of("fastGlob") / of("newest"),
      bound: { atLeast: 2.5 },
    },
  ];
}
