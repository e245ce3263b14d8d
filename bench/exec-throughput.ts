// bash with much output, end to end, against the plain reader that Node or node-pty gives, and the plugin's memory
// meanwhile, with a reader that stops too.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as nodePty from "@lydell/node-pty";
import { startExec } from "./exec-plugin.ts";
import { median, type Row } from "./measure.ts";

const PIPE_BYTES = 1_000_000_000;
const TERMINAL_BYTES = 150_000_000;
const RUNS = 3;
const MAX_MEMORY_MIB = 160;

export async function measureExecThroughput(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    return [
      ...(await compare("1 GB through pipes", PIPE_BYTES, false, readPipe, 0.6)),
      ...(await compare("150 MB through a terminal", TERMINAL_BYTES, true, readTerminal, 0.85)),
      ...(await measureStoppedReader()),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  async function compare(
    name: string,
    bytes: number,
    pty: boolean,
    reference: (command: string, bytes: number) => Promise<number>,
    atLeast: number,
  ): Promise<Row[]> {
    const command = `head -c ${bytes} /dev/zero`;
    await using plugin = await startExec(folder);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      theirs.push(await reference(command, bytes));
      const done = await plugin.bash({ command, pty });
      if (done.bytes !== bytes) throw new Error(`${done.bytes} of ${bytes} bytes came`);
      ours.push(done.ms);
    }
    const rate = (ms: number): string => `${(bytes / ms / 1_000).toFixed(0)} MB/s`;
    const [own, plain] = [median(ours), median(theirs)];
    return [
      {
        name: `exec, ${name}`,
        detail: `${rate(own)}, ${rate(plain)} by a plain reader`,
        ratio: plain / own,
        bound: { atLeast },
      },
      memoryRow(name, plugin.memory().peak),
    ];
  }

  async function measureStoppedReader(): Promise<Row[]> {
    await using plugin = await startExec(folder);
    const pause = { afterBytes: 1_000_000, forMs: 3_000 };
    for (const pty of [false, true]) {
      await plugin.bash({ command: "head -c 30000000 /dev/zero", pty }, pause);
    }
    return [memoryRow("with a reader that stops for 3 s", plugin.memory().peak)];
  }
}

function memoryRow(name: string, peak: number): Row {
  return {
    name: `exec, memory, ${name}`,
    detail: `${peak.toFixed(0)} MiB at the peak, of ${MAX_MEMORY_MIB}`,
    ratio: peak / MAX_MEMORY_MIB,
    bound: { atMost: 1 },
  };
}

async function readPipe(command: string, bytes: number): Promise<number> {
  const started = performance.now();
  const child = spawn("/bin/bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  let read = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    read += chunk.length;
  });
  await new Promise((resolve) => child.once("close", resolve));
  if (read !== bytes) throw new Error(`the reference lost bytes: ${read}`);
  return performance.now() - started;
}

async function readTerminal(command: string, bytes: number): Promise<number> {
  const started = performance.now();
  const terminal = nodePty.spawn("/bin/bash", ["-c", command], { cols: 120, rows: 30, encoding: null });
  let read = 0;
  terminal.onData((data) => {
    read += data.length;
  });
  await new Promise((resolve) => terminal.onExit(resolve));
  if (read !== bytes) throw new Error(`the reference lost bytes: ${read}`);
  return performance.now() - started;
}
