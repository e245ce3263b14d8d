// The agent of a file for the commands that need one: providers that are neither overridden nor locked are taken from
// this checkout, so that its own examples work without an installation.
import { resolve } from "node:path";
import { Agent } from "@pluggableharness/host";
import { builtPlugin } from "./plugin-path.ts";
import { showLog } from "./screen.ts";

export interface AgentFileOptions {
  readonly profile?: string;
  /** `name=path`: executables of providers. */
  readonly plugin?: readonly string[];
}

/** Opens the agent; its plugins start when they are needed. */
export async function openAgent(
  agentFile: string,
  { profile, plugin = [] }: AgentFileOptions,
): Promise<Agent> {
  return await Agent.open({
    agentFile,
    profile,
    overrides: Object.fromEntries(plugin.map(namedPath)),
    unlocked: builtPlugin,
    onLog: showLog,
  });
}

function namedPath(text: string): [name: string, path: string] {
  const [, name, path] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined)
    throw new Error(`--plugin ${text} must be name=path, such as filesystem=./plugin-tool-filesystem`);
  return [name, resolve(path)];
}
