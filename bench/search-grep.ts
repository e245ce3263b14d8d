// grep through the real plugin against ripgrep itself with the same flags: the whole search, the first result, and the
// plugin's memory with a thousand and with ten million matches.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inCheckout, median, type Row } from "./measure.ts";
import { makeMatches, makeTree, RARE, startSearch, timeRipgrep } from "./search-tree.ts";

const RUNS = 9;
const SLACK_MS = 30;
const FIRST_SLACK_MS = 20;
const FLAGS = [
  "--no-config",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--json",
  "--binary",
  "--crlf",
  "--smart-case",
];

export async function measureSearchGrep(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    makeTree(join(folder, "tree"));
    return [
      ...(await measureTime(join(folder, "tree"), "100,000 files", RARE)),
      ...(await measureTime(inCheckout(""), "this repository", "definePlugin")),
      ...(await measureMemory(folder, "content")),
      ...(await measureMemory(folder, "count")),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTime(root: string, name: string, pattern: string): Promise<Row[]> {
  await using plugin = await startSearch(root, 1_000);
  const ours: { total: number; first: number }[] = [];
  const reference: { total: number; first: number }[] = [];
  await plugin.call("grep", { pattern });
  for (let run = 0; run < RUNS; run++) {
    reference.push(await timeRipgrep(root, [...FLAGS, `--regexp=${pattern}`, "./"]));
    ours.push(await plugin.call("grep", { pattern }));
  }
  const own = {
    total: median(ours.map(({ total }) => total)),
    first: median(ours.map(({ first }) => first)),
  };
  const rg = {
    total: median(reference.map(({ total }) => total)),
    first: median(reference.map(({ first }) => first)),
  };
  return [
    {
      name: `grep, ${name}`,
      detail: `${own.total.toFixed(0)} ms; allowed 1.15 times ${rg.total.toFixed(0)} ms of rg --json, and ${SLACK_MS} ms`,
      ratio: own.total / (1.15 * rg.total + SLACK_MS),
      bound: { atMost: 1 },
    },
    {
      name: `grep, ${name}, first result`,
      detail: `${own.first.toFixed(0)} ms; allowed 1.5 times ${rg.first.toFixed(0)} ms of rg's first line, and ${FIRST_SLACK_MS} ms`,
      ratio: own.first / (1.5 * rg.first + FIRST_SLACK_MS),
      bound: { atMost: 1 },
    },
  ];
}

async function measureMemory(folder: string, mode: string): Promise<Row[]> {
  const [few, many] = [await peak(1_000), await peak(10_000_000)];
  return [
    {
      name: `grep, memory in the mode ${mode}`,
      detail: `${many.toFixed(0)} MiB at the peak with 10,000,000 matches, ${few.toFixed(0)} MiB with 1,000`,
      ratio: many / few,
      bound: { atMost: 1.1 },
    },
  ];

  async function peak(matches: number): Promise<number> {
    const root = join(folder, `matches-${matches}`);
    makeMatches(root, matches);
    await using plugin = await startSearch(root);
    for (let run = 0; run < 5; run++) await plugin.call("grep", { pattern: "needle", mode, limit: 100 });
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${plugin.pid}/status`, "utf8"))?.[1]) / 1024;
  }
}
