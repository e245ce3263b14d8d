// What must hold when more than one process is at work on a file, or one of them dies: no change that was answered
// is lost, and no file is ever half.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginProcess } from "@pluggableharness/host";
import { isToolError, type Json } from "@pluggableharness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const executable = fileURLToPath(new URL("../dist/plugin-tool-filesystem", import.meta.url));
let base = "";
let root = "";
const running: PluginProcess[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "durability-")));
  root = join(base, "root");
  mkdirSync(root);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((plugin) => plugin.close()));
  rmSync(base, { recursive: true, force: true });
});

async function launched(): Promise<PluginProcess> {
  const plugin = await PluginProcess.launch(executable, { environment: { TMPDIR: base } });
  running.push(plugin);
  await plugin.configure({ roots: [root], require_read_before_write: false });
  return plugin;
}

async function call(plugin: PluginProcess, toolName: string, args: { [key: string]: Json }): Promise<void> {
  const callContext = { sessionId: "s", turnId: "t", workingDirectory: root };
  for await (const _ of plugin.invoke({ id: "call", toolName, arguments: args, callContext }));
}

describe("several plugin processes on one file", () => {
  it("lose no edit that was answered: the loser of a race is told to read again", async () => {
    const lines = 200;
    const path = join(root, "shared.txt");
    writeFileSync(path, Array.from({ length: lines }, (_, line) => `line ${line}.\n`).join(""));
    const plugins = await Promise.all([launched(), launched(), launched()]);
    const edits = plugins.map(async (plugin, first) => {
      for (let line = first; line < lines; line += plugins.length) {
        const edit = { path, old_string: `line ${line}.`, new_string: `LINE ${line}.` };
        for (let tries = 0; !(await tried(() => call(plugin, "edit_file", edit))); tries++)
          expect(tries).toBeLessThan(1_000);
      }
    });
    await Promise.all(edits);
    expect(readFileSync(path, "utf8")).toBe(
      Array.from({ length: lines }, (_, line) => `LINE ${line}.\n`).join(""),
    );
    expect(readdirSync(root)).toEqual(["shared.txt"]);
  });

  /** True where it worked, false where somebody else was faster. */
  async function tried(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (isToolError(error) && error.category === "concurrency_conflict") return false;
      throw error;
    }
  }
});

describe("a plugin that is killed while it writes", () => {
  it("leaves the file as before or after a write, and never loses one that was answered", async () => {
    mkdirSync(join(root, "sub"));
    const path = join(root, "sub", "state.txt");
    const content = (version: number) => `${version}:`.repeat(20_000);
    writeFileSync(path, content(0));
    let written = 0;
    for (let round = 0; round < 10; round++) {
      const plugin = await launched();
      let answered = written;
      const writing = (async () => {
        for (;;) {
          await call(plugin, "write_file", { path, content: content(answered + 1) });
          answered++;
        }
      })().catch(() => {});
      // A different moment each time, by the progress of the writes themselves.
      while (answered < written + 3 + round) await new Promise((resolve) => setImmediate(resolve));
      process.kill(plugin.pid, "SIGKILL");
      await writing;
      const text = readFileSync(path, "utf8");
      written = Number(text.slice(0, text.indexOf(":")));
      expect(text).toBe(content(written));
      expect([answered, answered + 1]).toContain(written);
    }
  });
});
