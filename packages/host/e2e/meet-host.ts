// Lets a host meet a hostile plugin: in a process of its own, so that what it costs can be seen; and checks what must
// hold of every such meeting.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { eventually, isAlive, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";

const host = fileURLToPath(new URL("hostile-host.ts", import.meta.url));
/** An idle host takes about 110 MiB with its sources compiled on the fly. */
const MEMORY_MIB = 420;
export const TIME_MS = 25_000;

/** What the host told of itself. */
export interface Seen {
  readonly seen: string;
  readonly peakMiB: number;
}

/**
 * Lets a host do one thing with the plugin. It must end by itself and without a word on stderr, within bounds of time
 * and memory, and nothing may be left of either.
 */
export async function meet(act: string, plugin: string): Promise<Seen> {
  const temporary = temporaryFolder();
  const child = spawn(process.execPath, ["--conditions=source", host, act, plugin], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIME_MS,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("close", (...end) => resolve(end)),
  );
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  // Folders of the host are gone; what the plugin itself has left there is its own.
  expect(readdirSync(temporary).filter((name) => /^host\w{6}$/.test(name))).toEqual([]);
  const report = JSON.parse(stdout) as Seen; // hostile-host.ts prints nothing else
  await eventually(
    () => pidsOf(plugin).filter(isAlive),
    (alive) => alive.length === 0,
  );
  expect(report.peakMiB).toBeLessThan(MEMORY_MIB);
  return report;
}

/** The processes that run the script. */
function pidsOf(path: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(join("/proc", name, "cmdline"), "latin1")
          .split("\0")
          .includes(path);
      } catch {
        return false;
      }
    })
    .map(Number);
}
