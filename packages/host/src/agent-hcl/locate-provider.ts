// Which executable a provider is: a working copy that the user has named, or what is locked and installed (semantics.md,
// 'Where things sit on disk').
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { checksumOf, type ExpectedPlugin } from "../expected-plugin.ts";
import type { AgentFile } from "./agent-file.ts";
import type { LockedProvider } from "./lock-file.ts";
import type { UserConfig } from "./user-config.ts";
import { VersionConstraint } from "./version-constraint.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where providers are looked for. */
export interface ProviderPlaces {
  readonly agentFile: Pick<AgentFile, "requiredProviders">;
  readonly userConfig: UserConfig;
  readonly locked: ReadonlyMap<string, LockedProvider>;
  readonly environment: Environment;
  /** Such as `linux_amd64`; this machine's by default. */
  readonly platform?: string;
}

/** An executable, and what it must be; nothing is expected of a working copy. */
export interface LocatedProvider {
  readonly path: string;
  readonly expected: ExpectedPlugin | undefined;
}

const architectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** This machine, in Go's names. */
export function thisPlatform(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}_${architectures[process.arch] ?? process.arch}`;
}

/** Where a release is installed. */
export function installedPath(
  source: string,
  version: string,
  platform: string,
  environment: Environment,
): string {
  const cache = environment["XDG_CACHE_HOME"] || join(environment["HOME"] || homedir(), ".cache");
  const name = source.split("/").at(-1) ?? source;
  const file = platform.startsWith("windows_") ? `${name}.exe` : name;
  return join(cache, "agent", "plugins", source.replaceAll("/", "_"), version, platform, file);
}

/**
 * The executable of a provider. What is locked is compared with its checksum before it is handed out. Throws with what
 * to do where there is none, or another one.
 */
export async function locateProvider(name: string, places: ProviderPlaces): Promise<LocatedProvider> {
  const { agentFile, userConfig, locked, environment, platform = thisPlatform() } = places;
  const override = userConfig.devOverrides.get(name);
  if (override !== undefined) {
    if (!existsSync(override))
      throw new Error(`dev_overrides names ${override} for the provider "${name}", and there is nothing`);
    return { path: override, expected: undefined };
  }
  const required = agentFile.requiredProviders.get(name);
  const lock = locked.get(name);
  if (lock === undefined)
    throw new Error(
      `the provider "${name}" is not in the lock file; install it, or name a binary for it in dev_overrides`,
    );
  if (required !== undefined && required.source !== lock.source)
    throw new Error(
      `the provider "${name}" comes from ${required.source}, and the lock file has ${lock.source}; lock it again`,
    );
  if (required?.version !== undefined && !VersionConstraint.parse(required.version).allows(lock.version))
    throw new Error(
      `the provider "${name}" must be ${required.version}, and version ${lock.version} is locked; lock it again`,
    );
  const path = installedPath(lock.source, lock.version, platform, environment);
  if (!existsSync(path))
    throw new Error(
      `the provider "${name}" ${lock.version} is locked and not installed: there is no ${path}`,
    );
  const checksum = lock.checksums.get(platform);
  if (checksum === undefined)
    throw new Error(
      `the lock file has no checksum of the provider "${name}" for ${platform}; lock it again on this platform`,
    );
  const found = await checksumOf(path);
  if (found !== checksum)
    throw new Error(
      `${path} is not the locked provider "${name}": its checksum is ${found}, and ${checksum} is locked; install it again`,
    );
  return { path, expected: { version: lock.version, source: lock.source, checksum } };
}
