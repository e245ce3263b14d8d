// Trees to search: 100,000 files of 1 GB with a rare word, and files with any number of matching lines. The plugin and
// ripgrep, which is the reference, are started on them the same way.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { inCheckout, pluginEnvironment, startForLine, stop } from "./measure.ts";

const FILES = 100_000;
const FILES_PER_DIRECTORY = 100;
const FILE_BYTES = 10_500;
const RARE_EVERY = 1_000;

/** The word that one file in a thousand holds. */
export const RARE = "rare_needle";

/** Makes the tree; the times of its files are spread, so that sorting by them is work. */
export function makeTree(root: string): void {
  const text = ballast();
  for (let number = 0; number < FILES; number++) {
    const directory = number / FILES_PER_DIRECTORY;
    const folder = join(root, `d${Math.floor(directory / 100)}`, `e${Math.floor(directory) % 100}`);
    if (number % FILES_PER_DIRECTORY === 0) mkdirSync(folder, { recursive: true });
    const from = (number * 7_919) % (text.length - FILE_BYTES);
    const body = text.slice(from, from + FILE_BYTES);
    const path = join(
      folder,
      `file${number % FILES_PER_DIRECTORY}.${["ts", "js", "md", "json"][number % 4]}`,
    );
    writeFileSync(path, number % RARE_EVERY === 0 ? `${body}\n${RARE} here\n` : body);
    const time = 1_600_000_000 + ((number * 7_919) % FILES);
    utimesSync(path, time, time);
  }
}

/** Makes twenty files with so many matching lines in all. */
export function makeMatches(root: string, matches: number): void {
  mkdirSync(root, { recursive: true });
  for (let number = 0; number < 20; number++)
    writeFileSync(
      join(root, `f${number}.txt`),
      "a needle in a line of the usual length\n".repeat(matches / 20),
    );
}

function ballast(): string {
  const words = "alpha beta gamma delta const function return import export value index result".split(" ");
  let state = 1;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const line = (): string => Array.from({ length: 4 + next(8) }, () => words[next(words.length)]).join(" ");
  return Array.from({ length: 8_000 }, line).join("\n");
}

/** The built plugin on one root. */
export interface SearchPlugin extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Milliseconds to the result, and to the first partial result where there was one. */
  call(operation: string, args: Record<string, string | number>): Promise<{ total: number; first: number }>;
}

export async function startSearch(root: string, maxResults = 100): Promise<SearchPlugin> {
  const plugin = await startForLine(
    inCheckout("plugins/search/dist/plugin-tool-search"),
    [],
    pluginEnvironment,
  );
  const client = new GrpcClient({ address: { network: "unix", path: plugin.line.split("|")[3] ?? "" } });
  await client.unary(ToolService.method.configure, { config: { roots: [root], max_results: maxResults } });
  return {
    pid: plugin.child.pid,
    async call(toolName, args) {
      const call = {
        id: "1",
        toolName,
        arguments: args,
        callContext: { sessionId: "s", workingDirectory: root },
      };
      const started = performance.now();
      let first = Number.NaN;
      for await (const { event } of client.serverStream(ToolService.method.invoke, { call })) {
        if (event?.event.case === "error") throw new Error(event.event.value.message);
        if (event?.event.case === "partialResult" && Number.isNaN(first)) first = performance.now() - started;
      }
      return { total: performance.now() - started, first };
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await stop(plugin.child);
    },
  };
}

/** Runs ripgrep with its output read through a pipe, as the plugin does. */
export async function timeRipgrep(
  root: string,
  args: readonly string[],
): Promise<{ total: number; first: number }> {
  const started = performance.now();
  const child: ChildProcess = spawn(inCheckout("plugins/search/dist/rg"), args, {
    cwd: root,
    env: {},
    stdio: ["ignore", "pipe", "ignore"],
  });
  let first = Number.NaN;
  child.stdout?.on("data", () => {
    if (Number.isNaN(first)) first = performance.now() - started;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return { total: performance.now() - started, first };
}
