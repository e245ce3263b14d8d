// What must never happen: a secret of the plugin seen by a command, a sandbox that leaks, a process that outlives the
// plugin, a file left behind.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PluginProcess } from "@pluggableharness/host";
import type { Json } from "@pluggableharness/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { BuiltPlugin, executable } from "./built-plugin.ts";

type Fields = { [key: string]: Json };

const SECRET = "s3cr3t-of-the-plugin";

afterEach(() => {
  delete process.env["EXEC_TEST_SECRET"];
});

describe("the environment of a command", () => {
  it.each(["terminal", "pipes", "session"])(
    "is what is configured and nothing else: %s [C097, 52]",
    async (way) => {
      process.env["EXEC_TEST_SECRET"] = SECRET;
      await using plugin = await BuiltPlugin.launch({ env: { GIVEN: "yes" }, pass_env: ["PATH"] });
      const seen = await outputOf(
        plugin,
        way,
        "env | cut -d= -f1 | sort; ps ax -o args=; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c MARK",
      );
      const names = seen.split("\n").filter((line) => /^[A-Z_]+$/.test(line));
      const unattended = [
        "AWS_PAGER",
        "DEBIAN_FRONTEND",
        "EDITOR",
        "GH_PAGER",
        "GH_PROMPT_DISABLED",
        "GIT_ASKPASS",
        "GIT_EDITOR",
        "GIT_PAGER",
        "GIT_SEQUENCE_EDITOR",
        "GIT_TERMINAL_PROMPT",
        "MANPAGER",
        "PAGER",
        "PIP_NO_INPUT",
        "SSH_ASKPASS_REQUIRE",
        "SYSTEMD_PAGER",
        "VISUAL",
      ];
      const always = ["GIVEN", "PATH", "PLUGGABLEHARNESS_EXEC", "PWD", "SHLVL", "TERM", "_", "OLDPWD"];
      for (const name of names) expect([...always, ...unattended]).toContain(name);
      expect(names).toContain("GIVEN");
      expect(seen).not.toContain(SECRET);
    },
  );

  it("has no start-up file of the shell", async () => {
    await using plugin = await BuiltPlugin.launch({
      pass_env: ["PATH", "BASH_ENV", "ENV"],
      env: { HOME: "/nonexistent" },
    });
    const { result } = await plugin.bash("shopt -q login_shell && echo login; echo $HOME");
    expect(result["output"]).toBe("/nonexistent");
  });
});

async function outputOf(plugin: BuiltPlugin, way: string, command: string): Promise<string> {
  if (way !== "session")
    return String((await plugin.bash(command, { pty: way === "terminal" })).result["output"]);
  return String((await plugin.run("exec_start", { command, settle_ms: 5_000 })).result["output"]);
}

describe("the sandbox", () => {
  it.each(["terminal", "pipes", "session"])(
    "lets only the writable be written and the network be: %s [C127]",
    async (way) => {
      const server = createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const outside = realpathSync(mkdtempSync(join(tmpdir(), "outside-")));
      try {
        await using plugin = await BuiltPlugin.launch({ sandbox: { mode: "bubblewrap" } });
        const command = `touch in && echo wrote; touch /etc/x ${outside}/x /usr/x 2>&1 | grep -c -i 'read-only\\|no such'
        touch /tmp/mine && ls /tmp | grep -c mine; (exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3) 2>/dev/null || echo no network
        grep NoNewPrivs /proc/self/status; ps ax | grep -c plugin-tool-exec`;
        const seen = (await outputOf(plugin, way, command)).split("\n").map((line) => line.trim());
        expect(seen.slice(0, 4)).toEqual(["wrote", "3", "1", "no network"]);
        expect(seen[4]).toMatch(/NoNewPrivs:\s+1/);
        expect(existsSync(join(plugin.root, "in"))).toBe(true);
        expect(existsSync("/tmp/mine")).toBe(false);
        expect(readdirSync(outside)).toEqual([]);
      } finally {
        server.close();
        rmSync(outside, { recursive: true });
      }
    },
  );

  it("gives the network where it is asked for, and long commands and input too", async () => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), "other-")));
    await using plugin = await BuiltPlugin.launch({
      sandbox: { mode: "bubblewrap", network: true, writable: [other] },
    });
    const { result } = await plugin.bash(
      `touch x 2>&1; ls /sys/class/net | grep -c . >/dev/null; cat; : ${"x".repeat(200_000)}`,
      { stdin: "given" },
    );
    expect(result["output"]).toMatch(/Read-only file system\ngiven$/);
    rmSync(other, { recursive: true });
  });

  it("ends with all that is in it, and an ordinary refusal stays one [C129]", async () => {
    await using plugin = await BuiltPlugin.launch({ sandbox: { mode: "bubblewrap" }, kill_grace_ms: 300 });
    const { result } = await plugin.bash("cat /none; trap '' TERM; (setsid env -i sleep 609 &) ; sleep 609", {
      timeout_ms: 700,
    });
    expect(result).toMatchObject({ timed_out: true, output: "cat: /none: No such file or directory" });
    await gone(/sleep 609/);
  });

  it("is refused at Configure where it cannot be had [C125]", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = `${join(process.execPath, "..")}`;
    try {
      await using plugin = await PluginProcess.launch(executable);
      await expect(plugin.configure({ roots: [tmpdir()], sandbox: { mode: "bubblewrap" } })).rejects.toThrow(
        /sandbox_unavailable[\s\S]*No command runs without it/,
      );
    } finally {
      process.env["PATH"] = path;
    }
  });
});

describe("limits", () => {
  it("end only the command that needs too much memory [C101, 53]", async () => {
    await using plugin = await BuiltPlugin.launch({
      max_memory_bytes: 256 * 1024 * 1024,
      max_processes: 500,
    });
    const { result } = await plugin.bash("ulimit -u; python3 -c 'x=\"a\"*10**10'");
    expect(result).toMatchObject({ exit_code: 1, output: expect.stringMatching(/^500\n[\s\S]*MemoryError/) });
  });

  it("make a full disk a warning and no loss of what is in memory [C063]", async () => {
    const disk = mkdtempSync(join(tmpdir(), "full-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    try {
      await using plugin = await BuiltPlugin.launch({ log_dir: disk });
      const { result } = await plugin.bash("seq 1 1000000");
      expect(result).toMatchObject({
        log_problem: expect.stringMatching(/ENOSPC/),
        output: expect.stringMatching(/^1\n2\n[\s\S]*1000000$/),
      });
    } finally {
      execFileSync("umount", [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  it("give two plugins and two calls a log each [C065, C067]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "logs-"));
    try {
      await using one = await BuiltPlugin.launch({ log_dir: folder });
      await using two = await BuiltPlugin.launch({ log_dir: folder });
      const both = await Promise.all([
        one.bash("seq 1 5000"),
        one.bash("seq 900000 905000"),
        two.bash("seq 1 2000"),
      ]);
      for (const { result, bytes } of both)
        expect(readFileSync(String(result["log_path"])).equals(bytes)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the end of the plugin", () => {
  const TREE =
    "setsid sleep 611 & (trap '' TERM HUP; while :; do sleep 0.611; done) & bash -c 'sleep 611 & wait'";

  it.each<NodeJS.Signals>(["SIGTERM", "SIGKILL"])(
    "by %s ends all and leaves no file [C031, C093]",
    async (signal) => {
      const temporary = mkdtempSync(join(tmpdir(), "t-"));
      const before = process.env["TMPDIR"];
      process.env["TMPDIR"] = temporary;
      try {
        const root = join(temporary, "root");
        mkdirSync(root);
        const plugin = await PluginProcess.launch(executable);
        await plugin.configure({ roots: [root] });
        const context = { sessionId: "s", turnId: "t", workingDirectory: root };
        const running = collect(plugin, "bash", { command: TREE }, context);
        await collect(plugin, "exec_start", { command: TREE }, context);
        process.kill(plugin.pid ?? 0, signal);
        await running.catch(() => {});
        await plugin.close().catch(() => {});
        await gone(/sleep 0?\.?611/);
        for (
          let left = readdirSync(temporary);
          left.some((name) => name !== "root");
          left = readdirSync(temporary)
        ) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      } finally {
        if (before === undefined) delete process.env["TMPDIR"];
        else process.env["TMPDIR"] = before;
        rmSync(temporary, { recursive: true, force: true });
      }
    },
  );
});

async function collect(
  plugin: PluginProcess,
  toolName: string,
  args: Fields,
  callContext: object,
): Promise<void> {
  for await (const _event of plugin.invoke({ id: "1", toolName, arguments: args, callContext }));
}

/** Waits until no process has such a command line; the test's time limit is the bound. */
async function gone(words: RegExp): Promise<void> {
  const runs = (): boolean =>
    words.test(execFileSync("ps", ["ax", "-o", "stat,args"], { encoding: "utf8" }).replace(/^Z.*$/gm, ""));
  while (runs()) await new Promise((resolve) => setTimeout(resolve, 20));
}
