// The built plugin as a process with one folder as its root, for tests.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginProcess } from "@pluggableharness/host";
import type { Json } from "@pluggableharness/protocol";

export const executable = fileURLToPath(new URL("../dist/plugin-tool-exec", import.meta.url));

type Fields = { [key: string]: Json };

/** What a call gave. */
export interface Outcome {
  /** Its raw output, in order. */
  readonly bytes: Buffer;
  readonly stderr: Buffer;
  readonly exits: { readonly exitCode: number | undefined; readonly signal: string | undefined }[];
  readonly result: Fields;
}

export class BuiltPlugin implements AsyncDisposable {
  readonly root: string;
  readonly process: PluginProcess;
  readonly #base: string;

  private constructor(base: string, plugin: PluginProcess) {
    this.#base = base;
    this.root = base;
    this.process = plugin;
  }

  static async launch(config: Fields = {}): Promise<BuiltPlugin> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "exec-")));
    const plugin = await PluginProcess.launch(executable);
    await plugin.configure({ roots: [base], ...config });
    return new BuiltPlugin(base, plugin);
  }

  /** Runs a call to its end. Throws its error as ToolError. */
  async run(toolName: string, args: Fields, signal?: AbortSignal): Promise<Outcome> {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const exits: Outcome["exits"] = [];
    const call = {
      id: "call",
      toolName,
      arguments: args,
      callContext: { sessionId: "s", turnId: "t", workingDirectory: this.root },
    };
    for await (const event of this.process.invoke(call, signal === undefined ? {} : { signal })) {
      if (event.case === "outputChunk") {
        const { stream, data = new Uint8Array() } = event.value;
        (stream === 2 ? err : out).push(Buffer.from(data));
      }
      if (event.case === "exitStatus")
        exits.push({ exitCode: event.value.exitCode, signal: event.value.signal });
      if (event.case === "result") {
        // An object: the host has checked that the result is one.
        const result = event.value.payload as Fields;
        return { bytes: Buffer.concat(out), stderr: Buffer.concat(err), exits, result };
      }
    }
    throw new Error(`${toolName} gave no result`);
  }

  async bash(command: string, args: Fields = {}): Promise<Outcome> {
    return await this.run("bash", { command, ...args });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.close();
    rmSync(this.#base, { recursive: true, force: true });
  }
}
