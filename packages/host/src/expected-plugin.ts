// Whether a plugin is the one the lock file names (semantics.md, 'Launch' and 'Where things sit on disk').
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Category } from "@pluggableharness/protocol/wire";
import type { Producer } from "./plugin-process.ts";

/** What was released and locked. */
export interface ExpectedPlugin {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly source?: string | undefined;
  /** Of the executable: `sha256:` and 64 hexadecimal digits. */
  readonly checksum?: string | undefined;
}

/** An executable, and what it must be; nothing is compared where that is missing. */
export interface LocatedPlugin {
  readonly path: string;
  readonly expected?: ExpectedPlugin | undefined;
}

/** The version of the tool category's protocol. */
const PROTOCOL_VERSION = 1;

/** Throws where the plugin is no tool plugin of this protocol, or not the expected one. */
export async function checkIdentity(
  { name, version, source, category, protocolVersion }: Producer,
  { path, expected = {} }: LocatedPlugin,
): Promise<void> {
  if (category !== Category.TOOL) throw new Error(`it is no tool plugin, but one of category ${category}`);
  if (protocolVersion !== PROTOCOL_VERSION)
    throw new Error(`it speaks version ${protocolVersion} of the tool protocol, not ${PROTOCOL_VERSION}`);
  compare("name", name, expected.name);
  compare("version", version, expected.version);
  compare("source", source, expected.source);
  if (expected.checksum !== undefined) compare("checksum", await checksumOf(path), expected.checksum);
}

function compare(what: string, found: string, expected: string | undefined): void {
  if (expected === undefined || found === expected) return;
  throw new Error(
    `its ${what} is ${JSON.stringify(found)}, but the lock file says ${JSON.stringify(expected)}; install it again, or lock it again`,
  );
}

/** The digest of a file, as a lock file writes it. */
export async function checksumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return `sha256:${hash.digest("hex")}`;
}
