// `harness call <plugin> <operation> <json>`: one call of a plugin without a kernel; its preview, or its events and
// its rendered result.
import { resolve } from "node:path";
import { create, toBinary, toJson } from "@bufbuild/protobuf";
import { PluginProcess, type ToolCallInit, type ToolEvent } from "@pluggableharness/host";
import type { Json } from "@pluggableharness/protocol";
import { RenderTreeSchema, ToolEventSchema, ToolResultEventSchema } from "@pluggableharness/protocol/wire";
import { EventText, resultText } from "./call-events.ts";
import { jsonArgument } from "./json-argument.ts";
import { pluginPath } from "./plugin-path.ts";
import { say, show, showLog, write } from "./screen.ts";

export interface CallCommandOptions {
  readonly preview?: boolean;
  readonly config?: string;
  readonly cwd?: string;
  readonly timeoutMs?: string;
  readonly json?: boolean;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

const RENDER_MS = 10_000;

/** Makes the call; `signal` cancels it. Throws a ToolError where it fails. */
export async function callCommand(
  plugin: string,
  operation: string,
  args: string,
  options: CallCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const call = {
    id: "call-1",
    toolName: operation,
    arguments: await jsonArgument(args, "the arguments", signal),
    callContext: { sessionId: "harness", turnId: "turn-1", workingDirectory: cwd },
  };
  const config =
    options.config === undefined
      ? defaultConfig(plugin, cwd)
      : await jsonArgument(options.config, "the contents of --config", signal);
  const callOptions = { signal, ...timeoutOf(options.timeoutMs) };
  await using running = await PluginProcess.launch(pluginPath(plugin), { onLog: showLog, signal });
  await running.configure(config, { signal });
  if (options.preview === true) await preview(running, call, callOptions, options.json === true);
  else await invoke(running, call, callOptions, options.json === true);
}

async function preview(
  running: PluginProcess,
  call: ToolCallInit,
  options: CallOptions,
  json: boolean,
): Promise<void> {
  const tree = await running.preview(call, options);
  // An empty tree is how JSON says that there is none.
  if (json) say(JSON.stringify(toJson(RenderTreeSchema, tree ?? create(RenderTreeSchema))));
  else if (tree === undefined) say(`${call.toolName} has no preview`);
  else show(tree);
}

async function invoke(
  running: PluginProcess,
  call: ToolCallInit,
  options: CallOptions,
  json: boolean,
): Promise<void> {
  const text = new EventText();
  for await (const event of running.invoke(call, options)) {
    const line = json
      ? `${JSON.stringify(toJson(ToolEventSchema, create(ToolEventSchema, { event })))}\n`
      : await textOf(event, text, running);
    // Nobody reads on: leaving the loop cancels the call.
    if (!(await write(line))) return;
  }
}

async function textOf(event: ToolEvent, text: EventText, running: PluginProcess): Promise<string> {
  if (event.case === "error" || event.case === undefined) return "";
  if (event.case !== "result") return text.of(event);
  const stored = create(ToolResultEventSchema, { toolCallId: "call-1", outcome: event });
  const rendering = running.render(toBinary(ToolResultEventSchema, stored), "1", { timeoutMs: RENDER_MS });
  return `${text.endLine()}${await resultText(rendering, event.value.payload)}\n`;
}

/** The filesystem plugin needs roots; without a configuration it gets the one a person means. */
function defaultConfig(plugin: string, cwd: string): { [key: string]: Json } {
  return /filesystem$/.test(plugin) ? { roots: [cwd] } : {};
}

function timeoutOf(text: string | undefined): { timeoutMs?: number } {
  if (text === undefined) return {};
  const timeoutMs = Number(text);
  if (!(timeoutMs > 0)) throw new Error(`--timeout-ms ${text} is no number of milliseconds`);
  return { timeoutMs };
}
