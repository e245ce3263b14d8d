import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { installedPath, locateProvider, type ProviderPlaces } from "./locate-provider.ts";
import { loadLockFile, lockFilePath } from "./lock-file.ts";
import { loadUserConfig, userConfigPath } from "./user-config.ts";

const folder = mkdtempSync(join(tmpdir(), "locate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = "github.com/pluggableharness/plugin-tool-filesystem";
const environment = { XDG_CACHE_HOME: join(folder, "cache"), XDG_CONFIG_HOME: join(folder, "config") };
const platform = "linux_amd64";
const installed = installedPath(source, "1.2.3", platform, environment);
const binary = "the binary";
const checksum = `sha256:${createHash("sha256").update(binary).digest("hex")}`;
write(installed, binary);

function write(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function places(change: Partial<ProviderPlaces> = {}): ProviderPlaces {
  return {
    agentFile: { requiredProviders: new Map([["fs", { source, version: "~> 1.2" }]]) },
    userConfig: { devOverrides: new Map(), registryMirror: undefined },
    locked: new Map([["fs", { source, version: "1.2.3", checksums: new Map([[platform, checksum]]) }]]),
    environment,
    platform,
    ...change,
  };
}

const required = (version: string | undefined, from = source) => ({
  agentFile: { requiredProviders: new Map([["fs", { source: from, version }]]) },
});
const locked = (version: string, digest = checksum, on = platform) => ({
  locked: new Map([["fs", { source, version, checksums: new Map([[on, digest]]) }]]),
});

describe("a provider's executable", () => {
  it("is installed under its source, version and platform", () => {
    expect(installed).toBe(
      join(
        folder,
        "cache/agent/plugins/github.com_pluggableharness_plugin-tool-filesystem/1.2.3/linux_amd64/plugin-tool-filesystem",
      ),
    );
    expect(installedPath(source, "1.0.0", "windows_amd64", { HOME: "/home/me" })).toMatch(
      /^\/home\/me\/\.cache\/agent\/.*windows_amd64\/plugin-tool-filesystem\.exe$/,
    );
  });

  it("is the installed one where its checksum is the locked one", async () => {
    expect(await locateProvider("fs", places())).toEqual({
      path: installed,
      expected: { version: "1.2.3", source, checksum },
    });
  });

  it("is the working copy that the user names, of which nothing is expected", async () => {
    const path = write(join(folder, "working-copy"), "");
    const userConfig = { devOverrides: new Map([["fs", path]]), registryMirror: undefined };
    expect(await locateProvider("fs", places({ userConfig, locked: new Map() }))).toEqual({
      path,
      expected: undefined,
    });
  });

  it.each([
    [
      "a working copy that is not there",
      { userConfig: { devOverrides: new Map([["fs", "/none"]]), registryMirror: undefined } },
      "dev_overrides names /none",
    ],
    [
      "nothing that is locked",
      { locked: new Map() },
      "is not in the lock file; install it, or name a binary for it in dev_overrides",
    ],
    [
      "another source in the lock file",
      required("~> 1.2", "github.com/other/x"),
      "comes from github.com/other/x, and the lock file has",
    ],
    [
      "a locked version that is not wanted",
      required(">= 2.0"),
      "must be >= 2.0, and version 1.2.3 is locked",
    ],
    ["nothing installed", locked("1.9.9"), "is locked and not installed: there is no"],
    [
      "no checksum for this platform",
      locked("1.2.3", checksum, "darwin_arm64"),
      'has no checksum of the provider "fs" for linux_amd64',
    ],
    [
      "another binary",
      locked("1.2.3", `sha256:${"0".repeat(64)}`),
      `its checksum is ${checksum}, and sha256:000`,
    ],
  ])("is refused for %s", async (_name, change, message) => {
    await expect(locateProvider("fs", places(change))).rejects.toThrow(message);
  });
});

describe("the lock file", () => {
  it("lies beside agent.hcl, in .agent", () => {
    expect(lockFilePath("/project/agent.hcl")).toBe("/project/.agent/agent.lock.hcl");
  });

  it("is read, and nothing is locked without one", async () => {
    const path = write(
      join(folder, "good.lock.hcl"),
      `lock_file_version = 1\nprovider "fs" {\n  source = "${source}"\n  version = "1.2.3"\n  resolved_at = "2026-01-01T00:00:00Z"\n  checksums = { "linux_amd64" = "${checksum}" }\n}\n`,
    );
    expect((await loadLockFile(path)).get("fs")).toEqual({
      source,
      version: "1.2.3",
      checksums: new Map([[platform, checksum]]),
    });
    expect((await loadLockFile(join(folder, "none"))).size).toBe(0);
  });

  it.each([
    ["", "1:1: lock_file_version is missing"],
    ["lock_file_version = 2", "1:1: lock_file_version is 2; this host reads version 1"],
    ["lock_file_version = 1\nplugin {\n}", '2:1: unknown block "plugin"'],
    ['lock_file_version = 1\nprovider "a" {\n}', "2:1: source is missing"],
    [
      'lock_file_version = 1\nprovider "a" {\n  source = "s"\n  version = "1"\n  checksums = { x = "md5:1" }\n}',
      '5:3: the checksum of x must be "sha256:"',
    ],
  ])("%j is refused where the mistake is", async (content, message) => {
    const path = write(join(folder, "bad.lock.hcl"), content);
    await expect(loadLockFile(path)).rejects.toThrow(`${path}:${message}`);
  });
});

describe("the user's config", () => {
  it("is found where XDG says", () => {
    expect(userConfigPath(environment)).toBe(join(folder, "config/agent/config.hcl"));
    expect(userConfigPath({ HOME: "/home/me" })).toBe("/home/me/.config/agent/config.hcl");
  });

  it("names working copies, relative ones from where it lies, and a mirror", async () => {
    const path = write(
      userConfigPath(environment),
      'registry_mirror = "mirror"\ndev_overrides {\n  fs = "../bin/fs"\n  web = "/opt/web"\n}\n',
    );
    expect(await loadUserConfig(path)).toEqual({
      devOverrides: new Map([
        ["fs", join(folder, "config/bin/fs")],
        ["web", "/opt/web"],
      ]),
      registryMirror: "mirror",
    });
    expect((await loadUserConfig(join(folder, "none"))).devOverrides.size).toBe(0);
  });

  it.each([
    ["mirror = 1", '1:1: unknown attribute "mirror"'],
    ["overrides {\n}", '1:1: unknown block "overrides"'],
    ["dev_overrides {\n  fs = 1\n}", "2:3: fs must be a string"],
  ])("%j is refused where the mistake is", async (content, message) => {
    const path = write(join(folder, "bad.hcl"), content);
    await expect(loadUserConfig(path)).rejects.toThrow(`${path}:${message}`);
  });
});
