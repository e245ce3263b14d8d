// From spawn to handshake line, against a Node program that does nothing.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  inCheckout,
  median,
  pluginEnvironment,
  type Row,
  startForLine,
  stop,
  timeToExit,
} from "./measure.ts";

const RUNS = 15;

/** The median of fifteen starts, alternating with the empty program. */
export async function measureStart(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const empty = join(folder, "empty.cjs");
  writeFileSync(empty, "");
  const plugin = inCheckout("plugins/filesystem/dist/plugin-tool-filesystem");
  const times: { empty: number[]; plugin: number[] } = { empty: [], plugin: [] };
  try {
    for (let run = 0; run < RUNS; run++) {
      times.empty.push(await timeToExit(process.execPath, [empty]));
      const { child, elapsedMs } = await startForLine(process.execPath, [plugin], pluginEnvironment);
      times.plugin.push(elapsedMs);
      await stop(child);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const [own, reference] = [median(times.plugin), median(times.empty)];
  return [
    {
      name: "start to handshake",
      detail: `${own.toFixed(1)} ms against ${reference.toFixed(1)} ms for an empty program`,
      ratio: own / reference,
      bound: { atMost: 1.6 },
    },
  ];
}
