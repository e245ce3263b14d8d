// The walk: from what a caller asks for to the place it names, at this moment. A relative path is walked
// from its working directory, which has to be inside itself: `..` and links there mean what they would
// mean to a shell that stands in it.
import { fromSystemError, JailError, quoted } from "./jail-error.ts";
import type { Place } from "./place.ts";
import type { PathRequest } from "./requested-path.ts";
import { parsePath } from "./requested-path.ts";
import type { LastLink, WalkContext } from "./way.ts";
import { Way } from "./way.ts";

/** Walks to what `request` names; what does not exist is a Place too. The caller disposes it. */
export function walk(context: WalkContext, request: PathRequest, lastLink: LastLink): Place {
  const parts = parsePath(request.path, process.platform);
  const way = new Way(context, request.path, lastLink);
  try {
    if (parts.anchor !== undefined) return way.finish(parts.anchor, parts.names);
    const problem = enterDirectory(way, request.workingDirectory ?? "");
    if (problem !== undefined) throw workingDirectoryError(context, request.path, problem);
    return way.finish(undefined, parts.names);
  } catch (error) {
    way.close();
    throw fromSystemError(error, request.path);
  }
}

/** Walks to the working directory, or says why not. */
function enterDirectory(way: Way, directory: string): string | undefined {
  if (directory === "") return "the call names no working directory";
  const name = `its working directory ${quoted(directory)}`;
  try {
    const { anchor, names } = parsePath(directory, process.platform);
    if (anchor === undefined) return `${name} is not absolute`;
    const target = way.run(anchor, [...names, "."]);
    return target.kind === "missing" ? `${name} does not exist (any more)` : undefined;
  } catch (error) {
    const failure = fromSystemError(error, directory);
    if (!(failure instanceof JailError) || failure.code === "root_replaced") throw failure;
    if (failure.code === "outside") return `${name} is outside the allowed directories, or hidden`;
    return `${name} cannot be entered (${failure.code})`;
  }
}

function workingDirectoryError(context: WalkContext, path: string, problem: string): JailError {
  const roots = context.roots.map((root) => quoted(root.path)).join(", ");
  const words = `${quoted(path)} is relative, but ${problem}; use an absolute path below ${roots}.`;
  return new JailError({ code: "working_directory" }, words);
}
