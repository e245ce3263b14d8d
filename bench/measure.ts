// Small statistics and processes for the benchmarks.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One line of the report: what was measured, its bound, and whether it holds. */
export interface Row {
  readonly name: string;
  /** Ours, the reference's, in words. */
  readonly detail: string;
  readonly ratio: number;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

/** Whether the ratio keeps its bound. */
export function holds({ ratio, bound }: Row): boolean {
  return "atMost" in bound ? ratio <= bound.atMost : ratio >= bound.atLeast;
}

/** Environment of a plugin as the kernel gives it. */
export const pluginEnvironment = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "/",
  PLUGGABLEHARNESS_AGENT_PLUGIN: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
  PLUGIN_PROTOCOL_VERSIONS: "1",
};

/** A path of this checkout. */
export function inCheckout(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** Starts a program and waits for its first line of stdout. */
export async function startForLine(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ child: ChildProcess; line: string; elapsedMs: number }> {
  const started = performance.now();
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk)));
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code} before it said anything`)));
  });
  return { child, line: line.trim(), elapsedMs: performance.now() - started };
}

/** Runs a program to its end and returns the milliseconds it took. */
export async function timeToExit(command: string, args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  return performance.now() - started;
}

/** Ends a process and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.kill("SIGTERM")) await ended;
}
