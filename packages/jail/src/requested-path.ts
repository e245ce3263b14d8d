// What a caller may ask for, decided from the text alone and before any I/O. On Linux and macOS every
// name but `.` and `..` is literal: `~`, `%2e` and `C:\x` are plain names. On Windows the forms that name
// something else than they seem to (drive-relative, device, UNC, streams, `name.`) are refused here.
import { Buffer } from "node:buffer";
import { parse, sep } from "node:path";
import { encodeName, isCanonicalName } from "./file-name.ts";
import { JailError, quoted } from "./jail-error.ts";

/** A path as a caller gives it. */
export interface PathRequest {
  /** Absolute, or relative to `workingDirectory`. */
  readonly path: string;
  /** Absolute path of a directory inside a root; only needed for a relative `path`. */
  readonly workingDirectory?: string | undefined;
}

/** A path taken apart. `names` may hold `.` and `..`, which only the walk may resolve. */
export interface PathParts {
  /** `/`, or a drive such as `C:\`; undefined for a relative path. */
  readonly anchor: string | undefined;
  readonly names: readonly string[];
}

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/** Throws `invalid_path` for what can be no path. */
export function parsePath(path: string, platform: NodeJS.Platform): PathParts {
  if (path === "") throw invalidPath(path, "it is empty");
  if (path.includes("\0")) throw invalidPath(path, "it holds a NUL byte");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw invalidPath(path, `it is longer than ${MAX_PATH_BYTES} bytes`);
  const parts = platform === "win32" ? splitWindows(path) : splitPosix(path);
  for (const name of parts.names) checkName(path, name, platform);
  return parts;
}

/** A resolved absolute path of this system taken apart. */
export function absoluteParts(path: string): PathParts & { readonly anchor: string } {
  const anchor = parse(path).root;
  const names = path.slice(anchor.length).split(sep);
  return { anchor, names: names.filter((name) => name !== "") };
}

/** A symbolic link's text taken apart; undefined where this system's links of that form lead out by nature. */
export function parseLinkTarget(text: string, platform: NodeJS.Platform): PathParts | undefined {
  if (platform !== "win32") return splitPosix(text);
  try {
    return splitWindows(text.replace(/^\\\\\?\\(?=[a-z]:)/i, ""));
  } catch {
    return undefined;
  }
}

/** A trailing slash says "a directory", as `.` does. */
function splitPosix(path: string): PathParts {
  const names = path.split("/").filter((name) => name !== "");
  if (path.endsWith("/")) names.push(".");
  return { anchor: path.startsWith("/") ? "/" : undefined, names };
}

function splitWindows(path: string): PathParts {
  const text = path.replaceAll("/", "\\");
  if (text.startsWith("\\"))
    throw invalidPath(path, "network, device and drive-less absolute paths are not accepted");
  const drive = /^[a-z]:(\\?)/i.exec(text);
  if (drive !== null && drive[1] === "") throw invalidPath(path, "a drive needs a backslash after it");
  const names = text
    .slice(drive?.[0].length ?? 0)
    .split("\\")
    .filter((name) => name !== "");
  if (text.endsWith("\\")) names.push(".");
  return { anchor: drive?.[0].toUpperCase(), names };
}

function checkName(path: string, name: string, platform: NodeJS.Platform): void {
  const isText = platform === "linux" ? isCanonicalName(name) : name.isWellFormed();
  if (!isText) throw invalidPath(path, "it is not valid Unicode text");
  if (Buffer.byteLength(encodeName(name)) > MAX_NAME_BYTES) {
    throw invalidPath(path, `a name in it is longer than ${MAX_NAME_BYTES} bytes`);
  }
  if (platform === "win32" && name !== "." && name !== "..") checkWindowsName(path, name);
}

function checkWindowsName(path: string, name: string): void {
  if (/[<>:"|?*\x01-\x1f]/.test(name))
    throw invalidPath(path, 'a name in it holds one of < > : " | ? * or a control character');
  if (/[. ]$/.test(name)) throw invalidPath(path, "a name in it ends with a dot or a space");
  if (/^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i.test(name)) {
    throw invalidPath(path, "a name in it is reserved for a device");
  }
}

function invalidPath(path: string, why: string): JailError {
  return new JailError({ code: "invalid_path" }, `${quoted(path)} cannot be a path: ${why}.`);
}
