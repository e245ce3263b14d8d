// Every way in which the jail refuses or fails, and its words (catalog.md, "The jail").
// What lies outside and what is hidden get the same code and words, whether it exists or not, so that
// no answer tells anything about what is there; and no message ever holds a path outside the roots.

import { printableName } from "./file-name.ts";
import type { FileKind } from "./file-stat.ts";

/** Why an operation was refused; `code` tells the members apart. */
export type JailFailure =
  | { readonly code: "outside" }
  | { readonly code: "not_found" }
  | { readonly code: "not_a_directory" }
  | { readonly code: "is_a_directory" }
  | { readonly code: "not_a_regular_file"; readonly kind: FileKind }
  | { readonly code: "not_a_link" }
  | { readonly code: "link_loop" }
  /** A `protect` rule forbids writing. */
  | { readonly code: "protected"; readonly rule: string }
  /** The jail was opened with `readOnly`. */
  | { readonly code: "read_only" }
  | { readonly code: "invalid_path" }
  /** The path is relative and the working directory cannot be used. */
  | { readonly code: "working_directory" }
  | { readonly code: "exists" }
  | { readonly code: "not_empty" }
  /** The file is not the one, or no longer as, the caller last saw. */
  | { readonly code: "changed" }
  | { readonly code: "too_large"; readonly sizeBytes: number; readonly maxBytes: number }
  /** The operating system, or the file's mode, does not allow it. */
  | { readonly code: "permission"; readonly errno: string }
  | { readonly code: "no_space"; readonly errno: string }
  | { readonly code: "io"; readonly errno: string }
  /** A root's path no longer leads to the directory that was opened. */
  | { readonly code: "root_replaced"; readonly root: string }
  | { readonly code: "invalid_option"; readonly option: "roots" | "protect" | "hide" }
  /** This machine lacks what the walk needs. */
  | { readonly code: "unsupported" }
  | { readonly code: "closed" };

export type JailErrorCode = JailFailure["code"];

/** Thrown by everything in this package. The message is for a person or a model and says what to do next. */
export class JailError extends Error {
  override readonly name = "JailError";
  readonly failure: JailFailure;

  constructor(failure: JailFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }

  get code(): JailErrorCode {
    return this.failure.code;
  }
}

/** A path or name as messages show it: quoted, with nothing in it that a terminal would obey. */
export function quoted(path: string): string {
  const text = printableName(path);
  return text.length > 300 ? `"${text.slice(0, 200)}…" (${path.length} characters)` : `"${text}"`;
}

export function outsideError(path: string, roots: readonly string[]): JailError {
  const allowed = roots.map(quoted).join(", ");
  return new JailError(
    { code: "outside" },
    `${quoted(path)} is not available: it lies outside the allowed directories, or is hidden by configuration. Use a path below ${allowed}.`,
  );
}

export function notFoundError(path: string, missing: string): JailError {
  const where = path === missing ? "" : ` (there is no ${quoted(missing)} on the way)`;
  return new JailError(
    { code: "not_found" },
    `${quoted(path)} does not exist${where}; check the spelling or list the directory.`,
  );
}

export function notADirectoryError(path: string, name: string): JailError {
  return new JailError(
    { code: "not_a_directory" },
    `${quoted(path)} cannot be used: ${quoted(name)} in it is not a directory.`,
  );
}

export function changedError(path: string): JailError {
  return new JailError(
    { code: "changed" },
    `${quoted(path)} was changed by someone else in the meantime; read it again and repeat the change.`,
  );
}

export function closedError(what: "jail" | "directory" | "file"): JailError {
  return new JailError({ code: "closed" }, `The ${what} is closed; open it again before using it.`);
}

/** Refuses what is not a regular file without ever having opened it. */
export function notRegularError(path: string, kind: FileKind): JailError {
  if (kind === "directory") {
    return new JailError(
      { code: "is_a_directory" },
      `${quoted(path)} is a directory, not a file; list it instead.`,
    );
  }
  const what = kind.replace("_", " ");
  return new JailError(
    { code: "not_a_regular_file", kind },
    `${quoted(path)} is not a regular file but a ${what}; it is never opened.`,
  );
}

/** The system's error about `path`, in the jail's terms. What is not a system error comes back as it is. */
export function fromSystemError(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const [failure, words] = translate(errno);
  return new JailError(failure, `${quoted(path)}: ${words}`, { cause: error });
}

/** `ENOENT` and its like; undefined for anything that is not a system error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function translate(errno: string): [JailFailure, string] {
  switch (errno) {
    case "ENOENT":
      return [{ code: "not_found" }, "does not exist (any more)."];
    case "ENOTDIR":
      return [{ code: "not_a_directory" }, "a part of the path is not a directory."];
    case "EISDIR":
      return [{ code: "is_a_directory" }, "is a directory."];
    case "EEXIST":
      return [{ code: "exists" }, "exists already."];
    case "ENOTEMPTY":
      return [{ code: "not_empty" }, "the directory is not empty."];
    case "ELOOP":
      return [{ code: "changed" }, "became a symbolic link while it was used; try again."];
    case "ENAMETOOLONG":
      return [{ code: "invalid_path" }, "a name in the path is too long for the file system."];
    case "EACCES":
    case "EPERM":
      return [
        { code: "permission", errno },
        `the operating system refuses access (${errno}); check the permissions of the file and its directories.`,
      ];
    case "EROFS":
      return [{ code: "permission", errno }, "the file system is mounted read-only (EROFS)."];
    case "ENOSPC":
    case "EDQUOT":
      return [
        { code: "no_space", errno },
        `no space is left on the device (${errno}); the file is as it was before.`,
      ];
    default:
      return [{ code: "io", errno }, `the operating system reports ${errno}.`];
  }
}
