// An agent's parts from the operator's files: agent.hcl, the user's configuration and the lock file. Nothing is started
// and no plugin looked for: a provider that is missing fails where it is needed, and does not keep the others away.
import type { AgentParts } from "./agent.ts";
import { type AgentFile, loadAgentFile } from "./agent-hcl/agent-file.ts";
import { unknownName } from "./agent-hcl/closest-name.ts";
import { locateProvider, type ProviderPlaces } from "./agent-hcl/locate-provider.ts";
import { loadLockFile, lockFilePath } from "./agent-hcl/lock-file.ts";
import { absentProviderBody, decodeProviderBody } from "./agent-hcl/provider-config.ts";
import { toolSelection } from "./agent-hcl/tool-pattern.ts";
import { loadUserConfig, userConfigPath } from "./agent-hcl/user-config.ts";

/** Which agent. */
export interface AgentFiles {
  /** Path of the agent.hcl. */
  readonly agentFile: string;
  /** The `agent_profile` whose tools are offered; without one everything is. */
  readonly profile?: string | undefined;
  /** By default `.agent/agent.lock.hcl` beside the agent.hcl. */
  readonly lockFile?: string | undefined;
  /** By default `agent/config.hcl` where $XDG_CONFIG_HOME says. */
  readonly userConfig?: string | undefined;
  /** Executables by the local names of providers, as the user's `dev_overrides`, over which they win. */
  readonly overrides?: Readonly<Record<string, string>> | undefined;
  /** An executable for a provider that is neither overridden nor locked. */
  readonly unlocked?: ((provider: string) => string | undefined) | undefined;
  /** Where `env("NAME")` is looked up, and the user's folders; by default this process's own. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Reads the files. Throws with everything that is wrong in one of them. */
export async function loadAgentParts(files: AgentFiles): Promise<AgentParts> {
  const { environment = process.env, overrides = {}, profile } = files;
  const agentFile = await loadAgentFile(files.agentFile);
  const userConfig = await loadUserConfig(files.userConfig ?? userConfigPath(environment));
  const devOverrides = new Map([...userConfig.devOverrides, ...Object.entries(overrides)]);
  const locked = await loadLockFile(files.lockFile ?? lockFilePath(files.agentFile));
  const places = { agentFile, userConfig: { ...userConfig, devOverrides }, locked, environment };
  const names = new Set([...agentFile.requiredProviders.keys(), ...agentFile.providers.keys()]);
  return {
    providers: [...names].map((name) => ({
      name,
      locate: () => locate(name, places, files.unlocked),
      decodeConfig: (schema) => {
        const block = agentFile.providers.get(name);
        return block === undefined
          ? absentProviderBody(name, schema)
          : decodeProviderBody(block, schema, environment);
      },
    })),
    policy: agentFile.policy,
    offers: toolSelection(profile === undefined ? undefined : toolsOf(agentFile, profile)),
    profile: profile ?? "",
  };
}

async function locate(name: string, places: ProviderPlaces, unlocked: AgentFiles["unlocked"]) {
  const { userConfig, locked } = places;
  const isKnown = userConfig.devOverrides.has(name) || locked.has(name);
  const path = isKnown ? undefined : unlocked?.(name);
  return path === undefined ? await locateProvider(name, places) : { path, expected: undefined };
}

function toolsOf({ path, profiles }: AgentFile, name: string): readonly string[] | undefined {
  const profile = profiles.get(name);
  if (profile === undefined)
    throw new Error(`${path}: ${unknownName("agent_profile", name, [...profiles.keys()])}`);
  return profile.tools;
}
