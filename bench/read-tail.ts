// A hundred lines at the end of a text file of 1 GiB through the real plugin, against `tail -n +N | head`; and what
// that adds to the plugin's peak memory.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { inCheckout, median, pluginEnvironment, type Row, startForLine, stop } from "./measure.ts";

const RUNS = 7;
const SIZE_BYTES = 1024 ** 3;
const LINES_READ = 100;
const MAX_ADDED_MIB = 48;
const shapes = [
  { name: "lines of 80 bytes", width: 80 },
  { name: "lines of 10 bytes", width: 10 },
] as const;

/** Time as a ratio, and added memory in shares of what is allowed, for each shape of file. */
export async function measureReadTail(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, width } of shapes) {
    const folder = mkdtempSync(join(tmpdir(), "bench-"));
    try {
      rows.push(...(await measureFile(folder, name, width)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function measureFile(folder: string, name: string, width: number): Promise<Row[]> {
  const path = join(folder, "large.txt");
  const first = writeLines(path, width) - LINES_READ + 1;
  writeLines(join(folder, "small.txt"), width, 4096);
  const plugin = await startForLine(
    inCheckout("plugins/filesystem/dist/plugin-tool-filesystem"),
    [],
    pluginEnvironment,
  );
  using client = new GrpcClient({ address: { network: "unix", path: plugin.line.split("|")[3] ?? "" } });
  const times: { ours: number[]; tail: number[] } = { ours: [], tail: [] };
  try {
    await client.unary(ToolService.method.configure, { config: { roots: [folder] } });
    await read(client, join(folder, "small.txt"), 1);
    const before = peakMiB(plugin.child.pid);
    for (let run = 0; run < RUNS; run++) {
      times.tail.push(
        timed(() => execFileSync("sh", ["-c", `tail -n +${first} "${path}" | head -n ${LINES_READ}`])),
      );
      const started = performance.now();
      await read(client, path, first);
      times.ours.push(performance.now() - started);
    }
    const added = peakMiB(plugin.child.pid) - before;
    const [own, reference] = [median(times.ours), median(times.tail)];
    return [
      {
        name: `end of 1 GiB, ${name}`,
        detail: `${own.toFixed(0)} ms against ${reference.toFixed(0)} ms for tail and head`,
        ratio: own / reference,
        bound: { atMost: 2 },
      },
      {
        name: `end of 1 GiB, ${name}: memory`,
        detail: `${added.toFixed(1)} MiB more at the peak, of ${MAX_ADDED_MIB} allowed`,
        ratio: added / MAX_ADDED_MIB,
        bound: { atMost: 1 },
      },
    ];
  } finally {
    await stop(plugin.child);
  }
}

/** Writes numbered lines up to a size and returns how many there are. */
function writeLines(path: string, width: number, sizeBytes = SIZE_BYTES): number {
  const file = openSync(path, "w");
  const lines = Math.floor(sizeBytes / width);
  const block = 100_000;
  try {
    for (let from = 0; from < lines; from += block) {
      const count = Math.min(block, lines - from);
      writeSync(
        file,
        Array.from({ length: count }, (_, line) => `${String(from + line).padEnd(width - 1, ".")}\n`).join(
          "",
        ),
      );
    }
  } finally {
    closeSync(file);
  }
  return lines;
}

async function read(client: GrpcClient, path: string, offset: number): Promise<void> {
  const call = {
    id: "1",
    toolName: "read_file",
    arguments: { path, offset, limit: LINES_READ },
    callContext: { sessionId: "s" },
  };
  for await (const { event } of client.serverStream(ToolService.method.invoke, { call })) {
    if (event?.event.case !== "result") throw new Error(`the read failed: ${JSON.stringify(event)}`);
  }
}

function peakMiB(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function timed(act: () => unknown): number {
  const started = performance.now();
  act();
  return performance.now() - started;
}
