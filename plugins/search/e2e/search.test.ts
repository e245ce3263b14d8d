// The built plugin as a process on real trees: as another user, with its own ripgrep, until it is told to stop.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginProcess } from "@pluggableharness/host";
import type { Json } from "@pluggableharness/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";

const executable = fileURLToPath(new URL("../dist/plugin-tool-search", import.meta.url));
let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "search-e2e-")));
  root = join(base, "root");
  mkdirSync(root);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

type Payload = { [key: string]: Json };

async function call(
  plugin: PluginProcess,
  toolName: string,
  args: Payload,
  signal?: AbortSignal,
): Promise<Payload> {
  const context = { sessionId: "s", turnId: "t", workingDirectory: root };
  const options = signal === undefined ? {} : { signal };
  for await (const event of plugin.invoke(
    { id: "c", toolName, arguments: args, callContext: context },
    options,
  ))
    if (event.case === "result") return event.value.payload ?? {};
  throw new Error("the call ended without a result");
}

/** The plugin without the right of root to read everything; no other user has it. */
function withoutRightOfRoot(): string {
  if (process.getuid?.() !== 0) return executable;
  const path = join(base, "bounded");
  const rights = "--bounding-set=-dac_override,-dac_read_search";
  writeFileSync(path, `#!/bin/sh\nexec setpriv ${rights} "${executable}"\n`, { mode: 0o755 });
  return path;
}

it("a directory and a file that may not be read are warnings beside the good results [GL11 GR05]", async () => {
  for (const folder of ["readable", "locked"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "readable/n.txt"), "42\n");
  writeFileSync(join(root, "readable/secret.txt"), "42\n", { mode: 0o000 });
  writeFileSync(join(root, "locked/n.txt"), "42\n");
  chmodSync(join(root, "locked"), 0o000);
  await using plugin = await PluginProcess.launch(withoutRightOfRoot());
  await plugin.configure({ roots: [root] });
  for (const mode of ["content", "files", "count"]) {
    const found = await call(plugin, "grep", { pattern: "42", mode });
    expect(found).toMatchObject({ [mode === "content" ? "matches" : "files"]: [{ path: "readable/n.txt" }] });
    expect(found["warnings"]).toEqual(
      expect.arrayContaining([
        "locked could not be read: permission denied",
        "readable/secret.txt could not be read: permission denied",
      ]),
    );
  }
  const listed = await call(plugin, "glob", { pattern: "**/n.txt" });
  expect(listed).toMatchObject({ matches: [{ path: "readable/n.txt" }], total: 1 });
  expect(listed["warnings"]).toEqual(["locked could not be read: permission denied"]);
  chmodSync(join(root, "locked"), 0o755);
});

it("a cancelled search leaves no ripgrep behind, and the plugin goes on", async () => {
  // Holes take no room and much time.
  writeFileSync(join(root, "big"), "text\n");
  truncateSync(join(root, "big"), 200 * 1024 ** 3);
  await using plugin = await PluginProcess.launch(executable);
  await plugin.configure({ roots: [root] });
  const controller = new AbortController();
  const running = call(plugin, "grep", { pattern: "needle" }, controller.signal).catch(
    (error: unknown) => error,
  );
  await until(() => childrenOf(plugin.pid).length > 0);
  controller.abort();
  expect(await running).toBeInstanceOf(Error);
  await until(() => childrenOf(plugin.pid).length === 0);
  rmSync(join(root, "big"));
  expect(await call(plugin, "glob", { pattern: "*" })).toMatchObject({ total: 0 });
});

it("the bundle brings its own ripgrep, which is the one it runs", () => {
  const rg = fileURLToPath(new URL("../dist/rg", import.meta.url));
  expect(execFileSync(rg, ["--version"], { encoding: "utf8" })).toMatch(/^ripgrep 15\./);
});

function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim();
    return children === "" ? [] : children.split(" ");
  });
}

async function until(reached: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!reached()) {
    if (Date.now() > end) throw new Error("it never came to that");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
