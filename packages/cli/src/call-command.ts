// `harness call <plugin> <operation> <json>`: one call of a plugin without a kernel; its preview, or its events and
// its rendered result.
import { resolve } from "node:path";
import { create, toBinary, toJson } from "@bufbuild/protobuf";
import { PluginProcess, type ToolEvent } from "@pluggableharness/host";
import { isToolError, type Json, visibleText } from "@pluggableharness/protocol";
import { RenderTreeSchema, ToolEventSchema, ToolResultEventSchema } from "@pluggableharness/protocol/wire";
import { jsonArgument } from "./json-argument.ts";
import { pluginPath } from "./plugin-path.ts";
import { say, show } from "./screen.ts";

export interface CallCommandOptions {
  readonly preview?: boolean;
  readonly config?: string;
  readonly cwd?: string;
  readonly timeoutMs?: string;
  readonly json?: boolean;
}

/** Makes the call. Throws a ToolError where it fails. */
export async function callCommand(
  plugin: string,
  operation: string,
  args: string,
  options: CallCommandOptions,
): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const call = {
    id: "call-1",
    toolName: operation,
    arguments: jsonArgument(args, "the arguments"),
    callContext: { sessionId: "harness", turnId: "turn-1", workingDirectory: cwd },
  };
  const json = options.json === true;
  await using running = await PluginProcess.launch(pluginPath(plugin), {
    onLog: ({ level, message }) => onLog(level, message),
  });
  await running.configure(configOf(plugin, cwd, options.config));
  using interrupt = new Interrupt();
  const callOptions = { signal: interrupt.signal, ...timeoutOf(options.timeoutMs) };
  if (options.preview === true) {
    const tree = await running.preview(call, callOptions);
    if (tree === undefined) say(`${operation} has no preview`);
    else if (json) say(JSON.stringify(toJson(RenderTreeSchema, tree)));
    else show(tree);
    return;
  }
  for await (const event of running.invoke(call, callOptions)) {
    if (json) say(JSON.stringify(toJson(ToolEventSchema, create(ToolEventSchema, { event }))));
    else await showEvent(running, event);
  }
}

async function showEvent(running: PluginProcess, event: ToolEvent): Promise<void> {
  switch (event.case) {
    case "outputChunk":
      say(visibleText(Buffer.from(event.value.data).toString("utf8")));
      return;
    case "progress":
      say(visibleText(event.value.message));
      return;
    case "partialResult":
      say(visibleText(JSON.stringify(event.value.payload)));
      return;
    case "exitStatus":
      say(`exit ${event.value.signal ?? event.value.exitCode}`);
      return;
    case "result": {
      const stored = create(ToolResultEventSchema, { toolCallId: "call-1", outcome: event });
      const tree = await running.render(toBinary(ToolResultEventSchema, stored), "1");
      if (tree === undefined) say(visibleText(JSON.stringify(event.value.payload, undefined, 2)));
      else show(tree);
    }
  }
}

/** The filesystem plugin needs roots; without a configuration it gets the one a person means. */
function configOf(plugin: string, cwd: string, config: string | undefined): { [key: string]: Json } {
  if (config !== undefined) return jsonArgument(config, "the contents of --config");
  return /filesystem$/.test(plugin) ? { roots: [cwd] } : {};
}

function timeoutOf(text: string | undefined): { timeoutMs?: number } {
  if (text === undefined) return {};
  const timeoutMs = Number(text);
  if (!(timeoutMs > 0)) throw new Error(`--timeout-ms ${text} is no number of milliseconds`);
  return { timeoutMs };
}

function onLog(level: string, message: string): void {
  if (level === "warn" || level === "error") process.stderr.write(`${level}: ${visibleText(message)}\n`);
}

/** Ctrl-C cancels the call and not the command, which then reports what the plugin says. */
class Interrupt implements Disposable {
  readonly #controller = new AbortController();
  readonly #onSignal = (): void => this.#controller.abort();

  constructor() {
    process.on("SIGINT", this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#onSignal);
  }
}

/** Prints why a command failed, and gives the exit code: 1 for a tool's error, 2 for everything else. */
export function reportFailure(error: unknown, json: boolean): number {
  const message = error instanceof Error ? error.message : String(error);
  const category = isToolError(error) ? error.category : undefined;
  if (json)
    process.stderr.write(`${JSON.stringify({ ...(category !== undefined && { category }), message })}\n`);
  else process.stderr.write(`${visibleText(category === undefined ? message : `${category}: ${message}`)}\n`);
  return category === undefined ? 2 : 1;
}
