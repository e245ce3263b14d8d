// What a call searches: a directory or one file, opened by the jail and held until the search is over, and the
// spelling of its paths: as the caller wrote `path`, so that a result can be given to the next call as it is.
import {
  type Jail,
  type JailDirectory,
  JailError,
  type JailFile,
  type PathRequest,
} from "@pluggableharness/jail";
import { type CallContext, ToolError } from "@pluggableharness/plugin";
import { asToolError } from "./jail-failure.ts";

type Opened =
  | { readonly kind: "directory"; readonly directory: JailDirectory }
  | { readonly kind: "file"; readonly file: JailFile };

/** Dispose it when the search is over. */
export type Scope = Disposable &
  Opened & {
    /** How results are spelled: this before the path from the directory, or this alone for a file. */
    readonly spelling: string;
    /** Real and absolute; of the directory, or of the file. */
    readonly realPath: string;
    /** The root's real path. */
    readonly root: string;
  };

/** Opens what `path` names; without it the working directory, or the only root. Throws ToolErrors. */
export function openScope(jail: Jail, path: string | undefined, context: CallContext): Scope {
  const request = requestOf(jail, path, context);
  try {
    return jail.stat(request).kind === "directory" ? directoryScope(jail, request) : fileScope(jail, request);
  } catch (error) {
    throw asToolError(error);
  }
}

/** As openScope, for a directory only. */
export function openDirectoryScope(
  jail: Jail,
  path: string | undefined,
  context: CallContext,
): Extract<Scope, { kind: "directory" }> {
  const scope = openScope(jail, path, context);
  if (scope.kind === "directory") return scope;
  scope[Symbol.dispose]();
  throw new ToolError("invalid_arguments", `path: ${JSON.stringify(path)} is a file; name a directory.`);
}

function requestOf(jail: Jail, path: string | undefined, { workingDirectory }: CallContext): PathRequest {
  if (path !== undefined && path !== "") return { path, workingDirectory };
  if (workingDirectory !== "") return { path: ".", workingDirectory };
  const [only, second] = jail.roots;
  if (only !== undefined && second === undefined) return { path: only.path };
  const roots = jail.roots.map((root) => JSON.stringify(root.path)).join(", ");
  throw new ToolError(
    "invalid_arguments",
    `path: missing, and the call names no working directory; give one of ${roots} or a path below.`,
  );
}

function directoryScope(jail: Jail, request: PathRequest): Scope {
  const directory = jail.openDirectory(request);
  const { realPath, root } = directory.path;
  const trimmed = request.path.replace(/\/+$/, "").replace(/^(\.\/+)+/, "");
  const spelling = request.path.startsWith("/")
    ? `${trimmed}/`
    : trimmed === "." || trimmed === ""
      ? ""
      : `${trimmed}/`;
  return {
    kind: "directory",
    directory,
    spelling,
    realPath,
    root,
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

function fileScope(jail: Jail, request: PathRequest): Scope {
  const file = jail.openFile(request);
  const { realPath, root } = file.path;
  return {
    kind: "file",
    file,
    spelling: request.path,
    realPath,
    root,
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** The request for a path below a directory, as ripgrep names it; the jail walks it anew, link by link. */
export function requestBelow({ realPath }: Pick<Scope, "realPath">, path: string): PathRequest {
  return { path: `${realPath === "/" ? "" : realPath}/${path}` };
}

/** True where the jail says that a path is not there, or not what it was. */
export function isGone(error: unknown): boolean {
  return error instanceof JailError;
}
