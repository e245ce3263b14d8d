// What a file that takes another's place takes over from it: mode, group and owner, as far as this process
// may set them. Extended attributes and ACLs cannot be read from Node and are lost without notice.
import type { BigIntStats } from "node:fs";
import { fchmodSync, fchownSync, fstatSync } from "node:fs";
import { errnoOf } from "./jail-error.ts";

/**
 * What the new file does not have of the old one.
 * - `hard_links`: other names of the old file still have the old content.
 * - `owner`, `group`: it belongs to this process's; a lost group keeps only the rights of everybody.
 * - `set_id`: setuid and setgid are dropped, as the kernel does when a program is written to.
 * - `mode`: the file system refused it.
 */
export type MetadataLoss = "hard_links" | "owner" | "group" | "set_id" | "mode";

/** Gives the open new file what `old` had. The mode comes before the owner: afterwards it is not ours to set. */
export function keepMetadata(fd: number, old: BigIntStats): MetadataLoss[] {
  const losses: MetadataLoss[] = [];
  const own = fstatSync(fd, { bigint: true });
  if (old.nlink > 1n) losses.push("hard_links");
  let mode = Number(old.mode & 0o7777n);
  if (own.gid !== old.gid && !isPermitted(() => fchownSync(fd, -1, Number(old.gid)))) {
    losses.push("group");
    mode = (mode & ~0o2070) | ((mode & 0o7) << 3);
  }
  // Setgid without group execution is no privilege but a locking mode: it stays.
  const setId = (mode & 0o4000) | (mode & 0o10 ? mode & 0o2000 : 0);
  if (setId !== 0) losses.push("set_id");
  if (!isPermitted(() => fchmodSync(fd, mode & ~setId))) losses.push("mode");
  if (own.uid !== old.uid && !isPermitted(() => fchownSync(fd, Number(old.uid), -1))) losses.push("owner");
  return losses;
}

/** False where the system refuses by permission, or has no such notion. */
function isPermitted(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EPERM" || errno === "EINVAL" || errno === "ENOSYS" || errno === "ENOTSUP") return false;
    throw error;
  }
}
