// A path argument as the jail takes it, and a file as an operation finds it.
import { type Jail, JailError, type JailPath, type PathRequest } from "@pluggableharness/jail";
import type { PreviewCall } from "@pluggableharness/plugin";
import { asToolError, failuresAsToolErrors } from "./jail-failure.ts";

/** A call as far as a path needs it. */
type PathCall = Pick<PreviewCall<unknown>, "context">;

/** The path argument, relative to the call's working directory where it is relative. */
export function requestOf(path: string, { context }: PathCall): PathRequest {
  return { path, workingDirectory: context.workingDirectory };
}

/** A file that exists, read whole. */
export interface FoundFile {
  readonly path: JailPath;
  readonly bytes: Buffer;
  /** The jail's, for `replaceFile`. */
  readonly version: string;
}

/** Reads a file whole. Throws the jail's refusals as ToolErrors. */
export function readWhole(jail: Jail, request: PathRequest, maxBytes: number): FoundFile {
  return failuresAsToolErrors(() => {
    using file = jail.openFile(request);
    return { path: file.path, bytes: file.readAll(maxBytes), version: file.stat.version };
  });
}

/** As readWhole, but undefined where nothing is there yet. */
export function readWholeIfThere(jail: Jail, request: PathRequest, maxBytes: number): FoundFile | undefined {
  try {
    using file = jail.openFile(request);
    return { path: file.path, bytes: file.readAll(maxBytes), version: file.stat.version };
  } catch (error) {
    if (error instanceof JailError && error.code === "not_found") return undefined;
    throw asToolError(error);
  }
}
