// Many quick commands: what one costs more than starting it from Node, and what ten thousand leave behind.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExecPlugin, startExec } from "./exec-plugin.ts";
import { median, type Row } from "./measure.ts";

const RUNS = 200;
const COMMANDS = 10_000;
const WARM_UP = 2_000;
const SLACK_MS = 12;

export async function measureExecQuick(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    return [
      ...(await measureTrue(folder, true)),
      ...(await measureTrue(folder, false)),
      ...(await measureMany(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTrue(folder: string, pty: boolean): Promise<Row[]> {
  await using plugin = await startExec(folder);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    theirs.push(await timeTrue());
    ours.push((await plugin.bash({ command: "true", pty })).ms);
  }
  const [own, plain] = [median(ours), median(theirs)];
  return [
    {
      name: `exec, true ${pty ? "under a terminal" : "on pipes"}`,
      detail: `${own.toFixed(1)} ms; allowed ${SLACK_MS} ms over ${plain.toFixed(1)} ms from Node`,
      ratio: (own - plain) / SLACK_MS,
      bound: { atMost: 1 },
    },
  ];
}

async function timeTrue(): Promise<number> {
  const started = performance.now();
  const child = spawn("true", [], { stdio: ["ignore", "pipe", "pipe"] });
  await new Promise((resolve) => child.once("close", resolve));
  return performance.now() - started;
}

async function measureMany(folder: string): Promise<Row[]> {
  await using plugin = await startExec(folder);
  let lost = 0;
  for (let run = 0; run < WARM_UP; run++) lost += await runOne(plugin, run);
  const before = { memory: plugin.memory().now, descriptors: descriptorsOf(plugin.pid) };
  for (let run = WARM_UP; run < COMMANDS; run++) lost += await runOne(plugin, run);
  const after = { memory: plugin.memory().now, descriptors: descriptorsOf(plugin.pid) };
  const zombies = zombiesOf(plugin.pid);
  return [
    {
      name: "exec, 10,000 commands, what is lost or left",
      detail: `${lost} bytes lost, ${zombies} zombies, ${after.descriptors - before.descriptors} descriptors more`,
      ratio: lost + zombies + Math.max(0, after.descriptors - before.descriptors),
      bound: { atMost: 0 },
    },
    {
      name: "exec, 10,000 commands, memory",
      detail: `${after.memory.toFixed(0)} MiB after, ${before.memory.toFixed(0)} MiB after the first ${WARM_UP}`,
      ratio: after.memory / before.memory,
      bound: { atMost: 1.25 },
    },
  ];
}

async function runOne(plugin: ExecPlugin, run: number): Promise<number> {
  const command = `echo ${"x".repeat(1 + (run % 50))}`;
  const pty = run % 2 === 0;
  const { bytes } = await plugin.bash({ command, pty });
  return 1 + (run % 50) + (pty ? 2 : 1) - bytes;
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function zombiesOf(parent: number): number {
  let zombies = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, of] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" && Number(of) === parent) zombies++;
    } catch {
      // Gone in between.
    }
  }
  return zombies;
}
