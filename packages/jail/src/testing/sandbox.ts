// A temporary tree for one test: a root, a directory outside it, and the jails opened on it. Disposing
// closes the jails, proves that no descriptor was left open, and removes the tree. The body of a test is
// synchronous, so nothing else opens descriptors in between.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Jail } from "../jail.ts";
import { JailError } from "../jail-error.ts";
import type { JailOptions } from "../open-jail.ts";
import { openJailOn } from "../open-jail.ts";
import { linuxPlatform } from "../walk-linux.ts";
import { portablePlatform } from "../walk-portable.ts";

/** The walks this system can run. */
export const platformNames: readonly ("linux" | "portable")[] =
  process.platform === "linux" ? ["linux", "portable"] : ["portable"];

export class Sandbox {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly #platform: "linux" | "portable";
  readonly #jails: Jail[] = [];
  readonly #descriptors = openDescriptors();

  constructor(platform: "linux" | "portable" = platformNames[0] ?? "portable", parent = tmpdir()) {
    this.#platform = platform;
    this.base = realpathSync(mkdtempSync(join(parent, "jail-test-")));
    this.root = join(this.base, "root");
    this.outside = join(this.base, "outside");
    chmodSync(this.base, 0o755);
    mkdirSync(this.root);
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, "secret"), "secret");
  }

  /** A jail on `root`, unless the options say otherwise. */
  jail(options: Partial<JailOptions> = {}): Jail {
    const platform = this.#platform === "linux" ? linuxPlatform() : portablePlatform();
    const jail = openJailOn(platform, { roots: [this.root], ...options });
    this.#jails.push(jail);
    return jail;
  }

  /** A request relative to the root. */
  at(path: string): { path: string; workingDirectory: string } {
    return { path, workingDirectory: this.root };
  }

  /** Writes a file below the root, with its directories; returns its absolute path. */
  file(path: string, content = path): string {
    const target = this.directory(dirname(path));
    writeFileSync(join(target, path.slice(path.lastIndexOf("/") + 1)), content);
    return join(this.root, path);
  }

  directory(path: string): string {
    const target = join(this.root, path);
    mkdirSync(target, { recursive: true });
    return target;
  }

  link(path: string, target: string): string {
    this.directory(dirname(path));
    symlinkSync(target, join(this.root, path));
    return join(this.root, path);
  }

  fifo(path: string): string {
    const target = join(this.directory(dirname(path)), path.slice(path.lastIndexOf("/") + 1));
    execFileSync("mkfifo", [target]);
    return target;
  }

  /** Takes all rights to a directory away, until the end. */
  lock(path: string): void {
    chmodSync(join(this.root, path), 0);
  }

  content(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  names(path = "."): string[] {
    return readdirSync(join(this.root, path)).sort();
  }

  [Symbol.dispose](): void {
    for (const jail of this.#jails) jail[Symbol.dispose]();
    const left = openDescriptors();
    const outside = `${readdirSync(this.outside)}: ${readFileSync(join(this.outside, "secret"), "utf8")}`;
    execFileSync("chmod", ["-R", "u+rwX", this.base]);
    rmSync(this.base, { recursive: true });
    if (left !== this.#descriptors) throw new Error(`${left - this.#descriptors} descriptors were left open`);
    if (outside !== "secret: secret") throw new Error(`the directory outside was changed: ${outside}`);
  }
}

/** The text of a file read through the jail. */
export function readText(jail: Jail, request: { path: string; workingDirectory?: string }): string {
  using file = jail.openFile(request);
  return file.readAll(1_000_000).toString("utf8");
}

/** The error that `act` throws; anything but a JailError fails the test. */
export function refusal(act: () => unknown): JailError {
  try {
    act();
  } catch (error) {
    if (error instanceof JailError) return error;
    throw error;
  }
  throw new Error("expected a refusal, but it succeeded");
}

/** Runs `act` without root's rights to every file: as root by changing the effective user, else as it is. */
export function unprivileged<T>(act: () => T): T {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

function openDescriptors(): number {
  return readdirSync(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd").length;
}
