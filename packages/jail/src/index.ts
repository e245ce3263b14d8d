// The public list.

export type { FileContent } from "./atomic-write.ts";
export { decodeName, printableName } from "./file-name.ts";
export type { FileKind, FileStat } from "./file-stat.ts";
export type { Jail, RootRelative } from "./jail.ts";
export type { JailDirectory, JailEntry } from "./jail-directory.ts";
export type { JailErrorCode, JailFailure } from "./jail-error.ts";
export { JailError } from "./jail-error.ts";
export type { JailFile } from "./jail-file.ts";
export type { MetadataLoss } from "./keep-metadata.ts";
export type { LinkTarget } from "./link-target.ts";
export type {
  CreateOptions,
  DirectoryReport,
  RemoveOptions,
  ReplaceOptions,
  WriteReport,
} from "./mutations.ts";
export type { JailOptions } from "./open-jail.ts";
export { openJail } from "./open-jail.ts";
export type { JailPath } from "./place.ts";
export type { PathRequest } from "./requested-path.ts";
