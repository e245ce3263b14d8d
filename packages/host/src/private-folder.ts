// A folder for the sockets of one plugin and its host, which only this user can enter and which the host removes
// whatever becomes of the plugin (go-plugin-verified.md section 6).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./at-exit.ts";

/** The operating systems' limit is 104 to 108; Node before 24 cuts a longer path without saying so. */
const MAX_SOCKET_PATH_BYTES = 100;
/** What a plugin may put behind the folder: `/pluginXXXXXX/s` in ours, `/plugin` and ten digits in Go's. */
const PLUGIN_PART_BYTES = 20;

/** A folder; disposing removes it with all that is in it. */
export interface PrivateFolder extends Disposable {
  readonly path: string;
}

/** Makes the folder where temporary files belong, or in /tmp where that is too deep for a socket. */
export function makePrivateFolder(): PrivateFolder {
  const path = mkdtempSync(prefixFor([tmpdir(), "/tmp"]));
  const remove = (): void => {
    forget();
    rmSync(path, { recursive: true, force: true });
  };
  const forget = atExit(remove);
  return { path, [Symbol.dispose]: remove };
}

function prefixFor(parents: readonly string[]): string {
  for (const parent of parents) {
    const prefix = join(parent, "host");
    const longest = Buffer.byteLength(prefix) + "XXXXXX".length + PLUGIN_PART_BYTES;
    // A handshake line has no way to write a `|`. On Windows there are no socket paths to fit.
    if (process.platform === "win32" || (longest <= MAX_SOCKET_PATH_BYTES && !prefix.includes("|")))
      return prefix;
  }
  throw new Error(
    `no folder for sockets: in ${parents.join(" and in ")} their paths would be longer than ${MAX_SOCKET_PATH_BYTES} bytes; set TMPDIR to a shorter path`,
  );
}
