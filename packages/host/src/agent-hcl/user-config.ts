// The user's own file, $XDG_CONFIG_HOME/agent/config.hcl (semantics.md, 'Where things sit on disk'): which binaries
// stand in for installed plugins, and which mirror of the registry is asked.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { unknownName } from "./closest-name.ts";
import { FieldReader } from "./field-reader.ts";
import { bodyOf, HclDocument } from "./hcl-document.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the user has set. */
export interface UserConfig {
  /** Paths of executables by the local names of providers. */
  readonly devOverrides: ReadonlyMap<string, string>;
  readonly registryMirror: string | undefined;
}

/** Where the file is, if there is one. */
export function userConfigPath(environment: Environment): string {
  return join(
    environment["XDG_CONFIG_HOME"] || join(environment["HOME"] || homedir(), ".config"),
    "agent",
    "config.hcl",
  );
}

/** Reads the file; nothing is set where there is none. Throws an AgentFileError with everything that is wrong in it. */
export async function loadUserConfig(path: string): Promise<UserConfig> {
  if (!existsSync(path)) return { devOverrides: new Map(), registryMirror: undefined };
  const document = await HclDocument.read(path);
  const { root } = document;
  for (const { name, offset } of root.outline.attributes)
    if (name !== "registry_mirror")
      document.problem(offset, unknownName("attribute", name, ["registry_mirror"]));
  const devOverrides = new Map<string, string>();
  let seen = 0;
  for (const block of root.outline.blocks) {
    if (block.type !== "dev_overrides" || block.labels.length > 0) {
      document.problem(
        block.offset,
        unknownName("block", [block.type, ...block.labels].join(" "), ["dev_overrides"]),
      );
      continue;
    }
    const body = bodyOf(root.values, block, seen);
    seen++;
    const reader = new FieldReader(document, body, block.offset);
    for (const { name } of block.body.attributes) {
      const binary = reader.string(name);
      // A relative path is meant from the file it stands in.
      if (binary !== undefined) devOverrides.set(name, resolve(dirname(path), binary));
    }
  }
  const registryMirror = new FieldReader(document, root, 0).string("registry_mirror");
  document.check();
  return { devOverrides, registryMirror };
}
