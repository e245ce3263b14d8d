// One edit in a file of 200,000 lines, its preview included, through the real plugin, against reading and writing
// that file in plain Node.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { inCheckout, median, pluginEnvironment, type Row, startForLine, stop } from "./measure.ts";

const LINES = 200_000;
const RUNS = 15;

/** The median of fifteen edits, alternating with plain reads and writes of the same file. */
export async function measureLargeEdit(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const path = join(folder, "large.txt");
  writeFileSync(
    path,
    Array.from(
      { length: LINES },
      (_, line) => `line ${line} of a large file, with some more text to it\n`,
    ).join(""),
  );
  const plugin = await startForLine(
    inCheckout("plugins/filesystem/dist/plugin-tool-filesystem"),
    [],
    pluginEnvironment,
  );
  using client = new GrpcClient({ address: { network: "unix", path: plugin.line.split("|")[3] ?? "" } });
  const times: { edit: number[]; plain: number[] } = { edit: [], plain: [] };
  try {
    await client.unary(ToolService.method.configure, { config: { roots: [folder] } });
    for (let run = 0; run < RUNS; run++) {
      times.plain.push(await timed(async () => writeFileSync(path, readFileSync(path, "utf8"))));
      times.edit.push(await timed(() => editOnce(client, path, run)));
    }
  } finally {
    await stop(plugin.child);
    rmSync(folder, { recursive: true, force: true });
  }
  const [own, reference] = [median(times.edit), median(times.plain)];
  return [
    {
      name: "edit in 200,000 lines, with preview",
      detail: `${own.toFixed(1)} ms against ${reference.toFixed(1)} ms to read and write it`,
      ratio: own / reference,
      bound: { atMost: 4 },
    },
  ];
}

async function editOnce(client: GrpcClient, path: string, run: number): Promise<void> {
  const line = 190_000 + run;
  const call = {
    id: String(run),
    toolName: "edit_file",
    arguments: { path, old_string: `line ${line} of a large`, new_string: `line ${line} of a very large` },
    callContext: { sessionId: `session-${run}`, workingDirectory: "" },
  };
  await client.unary(ToolService.method.preview, { call });
  for await (const { event } of client.serverStream(ToolService.method.invoke, { call })) {
    if (event?.event.case !== "result") throw new Error(`the edit failed: ${JSON.stringify(event)}`);
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
