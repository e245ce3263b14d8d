// A host of its own process, so that what a hostile plugin costs can be measured: does one thing with one plugin and
// tells what it saw, the memory it took at most, and whether it ended by itself.
import { readdirSync } from "node:fs";
import type { CallOptions } from "@pluggableharness/grpc";
import { type LaunchOptions, PluginProcess } from "../src/index.ts";
import { paint } from "../src/paint.ts";

const call = { id: "call-1", toolName: "any", arguments: {} };
/** What a run reads of an endless stream before it leaves it. */
const ENOUGH_BYTES = 1024 * 1024 * 1024;
const quick: CallOptions = { timeoutMs: 1_500 };

/** For plugins that never answer: the same limits, only sooner. */
const impatient: LaunchOptions = { connectTimeoutMs: 1_500, answerTimeoutMs: 1_500 };

async function using(
  path: string,
  act: (plugin: PluginProcess) => Promise<string>,
  options: LaunchOptions = {},
): Promise<string> {
  await using plugin = await PluginProcess.launch(path, {
    startTimeoutMs: 15_000,
    callbacks: { log: () => ({}) },
    ...options,
  });
  return await act(plugin);
}

/** Waits until the plugin writes a line that begins with "done", and tells it with what it holds open then. */
async function hear(path: string): Promise<string> {
  let resolve = (_line: string): void => {};
  const line = new Promise<string>((settle) => {
    resolve = settle;
  });
  const onLog: LaunchOptions["onLog"] = ({ message }) => {
    if (message.startsWith("done")) resolve(message);
  };
  const heard = async (): Promise<string> => {
    const message = await line;
    const descriptors = readdirSync("/proc/self/fd").length;
    return `${message}; ${descriptors > 100 ? "too many" : "few"} descriptors`;
  };
  return await using(path, heard, { onLog });
}

const acts: Readonly<Record<string, (path: string) => Promise<string>>> = {
  launch: (path) => using(path, async () => "launched", { startTimeoutMs: 2_000 }),
  describe: (path) => using(path, async (plugin) => `described ${(await plugin.describe()).name}`),
  getSchema: (path) =>
    using(path, async (plugin) => `has ${(await plugin.getSchema()).tools.length} operations`),
  configure: (path) =>
    using(path, async (plugin) => {
      await plugin.configure({}, quick);
      return "configured";
    }),
  preview: (path) =>
    using(path, async (plugin) => {
      const tree = await plugin.preview(call, { timeoutMs: 10_000 });
      const text = tree === undefined ? "" : paint(tree, { colour: true });
      return `painted ${text.length > 1_000_000 ? "without bound" : "within bounds"}`;
    }),
  render: (path) =>
    using(path, async (plugin) => {
      await plugin.render(new Uint8Array(), "1", quick);
      return "rendered";
    }),
  invoke: (path) =>
    using(path, async (plugin) => {
      let bytes = 0;
      let events = 0;
      for await (const event of plugin.invoke(call, { timeoutMs: 30_000 })) {
        events++;
        if (event.case === "outputChunk") bytes += event.value.data.length;
        if (bytes >= ENOUGH_BYTES) return "read enough";
      }
      return `read ${events} events`;
    }),
  invokeQuickly: (path) =>
    using(path, async (plugin) => {
      let events = 0;
      for await (const _ of plugin.invoke(call, quick)) events++;
      return `read ${events} events`;
    }),
  invokeSlowly: (path) =>
    using(path, async (plugin) => {
      let events = 0;
      for await (const _ of plugin.invoke(call)) {
        if (++events === 20) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return `read ${events} events`;
    }),
  describeImpatiently: (path) =>
    using(path, async (plugin) => `described ${(await plugin.describe()).name}`, impatient),
  getSchemaImpatiently: (path) =>
    using(path, async (plugin) => `has ${(await plugin.getSchema()).tools.length} operations`, impatient),
  implementsPreview: (path) =>
    using(path, async (plugin) => `previews: ${await plugin.implementsPreview()}`, impatient),
  previewQuickly: (path) =>
    using(path, async (plugin) => `previewed ${(await plugin.preview(call, quick)) !== undefined}`),
  hear,
  idle: (path) =>
    using(path, async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return "waited";
    }),
};

const [, , act = "", path = ""] = process.argv;
const started = performance.now();
const seen = await acts[act]?.(path).catch((error: unknown) => {
  const category = error instanceof Error && "category" in error ? `${error.category}: ` : "";
  return `${category}${error instanceof Error ? error.message : error}`;
});
const report = {
  seen: seen?.slice(0, 2_000),
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  ms: Math.round(performance.now() - started),
};
process.stdout.write(JSON.stringify(report));
