// The built exec plugin with a client that counts what it gets.
import { readFileSync } from "node:fs";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { inCheckout, pluginEnvironment, startForLine, stop } from "./measure.ts";

export interface ExecPlugin extends AsyncDisposable {
  readonly pid: number;
  /** Runs a command. `stopAfterBytes`: reads no further for `stopMs` once it has so many. */
  bash(
    args: object,
    pause?: { readonly afterBytes: number; readonly forMs: number },
  ): Promise<{ ms: number; bytes: number }>;
  /** The most memory it ever had, and what it has, in MiB. */
  memory(): { readonly peak: number; readonly now: number };
}

export async function startExec(root: string): Promise<ExecPlugin> {
  const started = await startForLine(inCheckout("plugins/exec/dist/plugin-tool-exec"), [], pluginEnvironment);
  const { child } = started;
  const pid = child.pid ?? 0;
  const client = new GrpcClient({ address: { network: "unix", path: started.line.split("|")[3] ?? "" } });
  await client.unary(ToolService.method.configure, { config: { roots: [root] } });
  return {
    pid,
    async bash(args, pause) {
      const call = {
        id: "1",
        toolName: "bash",
        arguments: { ...args },
        callContext: { sessionId: "s", workingDirectory: root },
      };
      const from = performance.now();
      let bytes = 0;
      let hasPaused = pause === undefined;
      for await (const { event } of client.serverStream(ToolService.method.invoke, { call })) {
        if (event?.event.case === "error") throw new Error(event.event.value.message);
        if (event?.event.case === "outputChunk") bytes += event.event.value.data.length;
        if (!hasPaused && pause !== undefined && bytes >= pause.afterBytes) {
          hasPaused = true;
          await new Promise((resolve) => setTimeout(resolve, pause.forMs));
        }
      }
      return { ms: performance.now() - from, bytes };
    },
    memory() {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const field = (name: string): number =>
        Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
      return { peak: field("VmHWM"), now: field("VmRSS") };
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await stop(child);
    },
  };
}
