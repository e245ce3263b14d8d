// The lock file, .agent/agent.lock.hcl (semantics.md, 'Where things sit on disk'): which release of each provider is
// installed, and what its binary must be.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { unknownName } from "./closest-name.ts";
import { FieldReader } from "./field-reader.ts";
import { bodyOf, HclDocument } from "./hcl-document.ts";

/** A locked provider. */
export interface LockedProvider {
  readonly source: string;
  readonly version: string;
  /** `sha256:` and the digest of the binary, by platform. */
  readonly checksums: ReadonlyMap<string, string>;
}

const LOCK_FILE_VERSION = 1;

/** Where the lock file of an agent.hcl is. */
export function lockFilePath(agentFile: string): string {
  return join(dirname(agentFile), ".agent", "agent.lock.hcl");
}

/** Reads it; nothing is locked where there is none. Throws an AgentFileError with everything that is wrong in it. */
export async function loadLockFile(path: string): Promise<ReadonlyMap<string, LockedProvider>> {
  if (!existsSync(path)) return new Map();
  const document = await HclDocument.read(path);
  const { root } = document;
  const top = new FieldReader(document, { ...root, outline: { ...root.outline, blocks: [] } }, 0);
  top.only(["lock_file_version"]).require("lock_file_version");
  const version = top.value("lock_file_version");
  if (version !== undefined && version !== LOCK_FILE_VERSION)
    top.problem(
      "lock_file_version",
      `lock_file_version is ${JSON.stringify(version)}; this host reads version ${LOCK_FILE_VERSION}`,
    );
  const locked = new Map<string, LockedProvider>();
  for (const block of root.outline.blocks) {
    const [name] = block.labels;
    if (block.type !== "provider" || name === undefined || block.labels.length > 1) {
      document.problem(
        block.offset,
        unknownName("block", [block.type, ...block.labels].join(" "), ["provider"]),
      );
      continue;
    }
    if (locked.has(name)) document.problem(block.offset, `the provider "${name}" is locked twice`);
    locked.set(name, readLocked(new FieldReader(document, bodyOf(root.values, block, 0), block.offset)));
  }
  document.check();
  return locked;
}

function readLocked(reader: FieldReader): LockedProvider {
  reader.only(["source", "version", "resolved_at", "checksums"]);
  for (const name of ["source", "version", "checksums"]) reader.require(name);
  reader.string("resolved_at");
  const checksums = Object.entries(reader.object("checksums")?.all() ?? {}).map(([platform, digest]) => {
    if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest))
      reader.problem("checksums", `the checksum of ${platform} must be "sha256:" and 64 hexadecimal digits`);
    return [platform, String(digest)] as const;
  });
  return {
    source: reader.string("source") ?? "",
    version: reader.string("version") ?? "",
    checksums: new Map(checksums),
  };
}
