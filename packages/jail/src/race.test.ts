// The promise of the jail under attack: another process swaps directories, files and links for ways out
// all the while, and nothing outside is ever read, listed or written. The same swapper leads a path that is
// checked first and opened then out within moments, so this test can fail.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Jail } from "./jail.ts";
import { JailError } from "./jail-error.ts";
import { readText, Sandbox } from "./testing/sandbox.ts";

const swapper = fileURLToPath(new URL("./testing/swap-entries.ts", import.meta.url));
// Waiting for a real disk at every write would take most of the time, and has no part in this.
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const operations = 120_000;

it("lets nothing out in 120,000 operations while entries are swapped for links to the outside", async () => {
  const counts = new Map<string, number>();
  await underAttack(async (sandbox) => {
    const jail = sandbox.jail();
    for (let index = 0; index < operations; index++) {
      const outcome = attempt(() => act(jail, sandbox, index));
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (index % 5000 === 0) await setImmediate();
    }
  });
  // Both ends of the race were seen, and no failure that has no place in it.
  expect(counts.get("done")).toBeGreaterThan(operations / 20);
  expect(counts.get("outside")).toBeGreaterThan(operations / 1000);
  expect([...counts.keys()].filter((outcome) => !EXPECTED.includes(outcome))).toEqual([]);
});

it("would be failed by a path that is resolved, checked and then opened", async () => {
  await underAttack((sandbox) => {
    const isOut = (): boolean => {
      try {
        const real = realpathSync(join(sandbox.root, "sub/secret"));
        return real.startsWith(`${sandbox.root}/`) && readFileSync(real, "utf8") === "secret";
      } catch {
        return false;
      }
    };
    let tries = 0;
    while (!isOut() && tries < 1_000_000) tries++;
    expect(tries).toBeLessThan(1_000_000);
  });
});

const EXPECTED = ["done", "outside", "not_found", "changed", "not_a_directory", "exists"];
const PATHS = ["sub", "a/b", "link"];

/** One operation, of the kind whose turn it is; throws a plain error when something got out. */
function act(jail: Jail, sandbox: Sandbox, index: number): void {
  const directory = PATHS[index % 3] ?? "";
  const file = index % 4 === 0 ? "file" : `${directory}/secret`;
  const request = sandbox.at(file);
  if (index % 50 === 0) jail.replaceFile(request, Buffer.from("inside, replaced"));
  else if (index % 50 === 1) createAndRemove(jail, sandbox, `${directory}/new-${index}`);
  else if (index % 50 === 2) jail.createDirectory(sandbox.at(`${directory}/made/deep`));
  else if (index % 10 === 3) checkList(jail, sandbox, directory);
  else if (index % 10 === 4) mustBeInside(jail.resolve(request).realPath.startsWith(`${sandbox.root}/`));
  else mustBeInside(readText(jail, request).startsWith("inside"));
}

function createAndRemove(jail: Jail, sandbox: Sandbox, path: string): void {
  jail.createFile(sandbox.at(path), Buffer.from("inside"));
  jail.removeFile(sandbox.at(path));
}

/** The directory outside holds one name only, which the directories inside also hold, with another size. */
function checkList(jail: Jail, sandbox: Sandbox, path: string): void {
  using directory = jail.openDirectory(sandbox.at(path));
  for (const entry of directory.entries()) {
    mustBeInside(entry.name !== "secret" || entry.stat?.sizeBytes !== "secret".length);
  }
}

function mustBeInside(isInside: boolean): void {
  if (!isInside) throw new Error("something outside was reached");
}

function attempt(operation: () => void): string {
  try {
    operation();
    return "done";
  } catch (error) {
    if (error instanceof JailError) return error.code;
    throw error;
  }
}

async function underAttack(attacked: (sandbox: Sandbox) => Promise<void> | void): Promise<void> {
  using sandbox = new Sandbox("linux", parent);
  for (const path of ["sub/secret", "a/b/secret", "file"]) sandbox.file(path, "inside, at first");
  sandbox.link("link", "sub");
  const child = spawn(process.execPath, [swapper, sandbox.root, sandbox.outside], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "close");
  try {
    await once(child.stdout, "data");
    await attacked(sandbox);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}
