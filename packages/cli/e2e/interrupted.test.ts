// The `harness` command when its user, or its reader, has seen enough: it ends in order and leaves nothing behind.
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, on, once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rawPlugin } from "../../host/e2e/scripted-plugin.ts";
import { echoPlugin, stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
let temporary = "";
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(stopAll);

interface Running {
  readonly child: ChildProcess;
  /** Resolves with what came first on stdout. */
  readonly begun: Promise<string>;
  readonly ended: Promise<{ readonly code: unknown; readonly signal: unknown; readonly stderr: string }>;
}

function harness(args: readonly string[]): Running {
  const child = spawn(process.execPath, ["--conditions=source", main, ...args], {
    env: { ...process.env, TMPDIR: temporary },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, stderr }));
  return { child, begun: once(child.stdout, "data").then(String), ended };
}

const counting = JSON.stringify({ chunks: 1_000_000, bytes: 10, pause_ms: 1 });
const count = () => harness(["call", echoPlugin(), "count", counting, "--config", '{"greeting":"hi"}']);

describe("harness", () => {
  it("cancels its call at the first Ctrl-C and ends as the plugin says", async () => {
    const { child, begun, ended } = count();
    expect(await begun).toContain("starting");
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 1, signal: null, stderr: "cancelled: the call was cancelled\n" });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("cancels its call when nobody reads on", async () => {
    const { child, begun, ended } = count();
    await begun;
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, signal: null, stderr: "" });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ["SIGINT", 2],
    ["SIGTERM", 2],
  ] as const)("leaves nothing of the tour at %s", async (signal, code) => {
    const { child, begun, ended } = harness(["tour"]);
    expect(await begun).toContain("Starting");
    child.kill(signal);
    expect(await ended).toEqual({ code, signal: null, stderr: `interrupted by ${signal}\n` });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("ends at once at the second Ctrl-C, and takes a plugin that hangs along", async () => {
    const plugin = rawPlugin(
      `if (method === "Configure") { reply(frame()); return; }
      if (method === "Invoke") { process.stderr.write("[WARN] called\\n"); return; }`,
      { onShutdown: `process.stderr.write("[WARN] asked to end\\n");` },
    );
    const { child, ended } = harness(["call", plugin, "any", "{}"]);
    for await (const [chunk] of on(child.stderr ?? new EventEmitter(), "data", { close: ["end"] })) {
      if (/called|asked/.test(String(chunk))) child.kill("SIGINT");
    }
    expect(await ended).toMatchObject({ code: 130 });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("gives up waiting for standard input at Ctrl-C", async () => {
    const { child, ended } = harness(["call", echoPlugin(), "say", "-", "--json"]);
    // Read by the command, which then waits for the rest.
    await new Promise((resolve) => child.stdin?.write(" ".repeat(1_000_000), resolve));
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, JSON.parse(stderr)]).toEqual([2, { message: "interrupted by SIGINT" }]);
  });
});
