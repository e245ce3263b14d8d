// bash through the built plugin: input, background children, exit status, output. The numbers in brackets name the
// public reports that the cases come from.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@pluggableharness/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuiltPlugin } from "./built-plugin.ts";

let plugin: BuiltPlugin;
beforeAll(async () => {
  plugin = await BuiltPlugin.launch({ kill_grace_ms: 500 });
});
afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
});

type Fields = { [key: string]: Json };

describe.each([true, false])("bash with pty %s", (pty) => {
  it.each<[string, string, number, string | RegExp, Fields?]>([
    ["gives every line [C057]", "echo first; echo second", 0, "first\nsecond"],
    ["closes the input [C001]", "cat", 0, ""],
    ["ends a read [44]", "read x; echo after", 0, "after"],
    ["hands input on", "cat; cat", 0, "one\ntwo ü", { stdin: "one\ntwo ü" }],
    ["opens /dev/stdin [C015]", "cat /dev/stdin <<< hi", 0, "hi"],
    [
      "opens /dev/stdout and /dev/stderr",
      "echo a >/dev/stdout; echo b | tee /dev/stderr >/dev/null",
      0,
      "a\nb",
    ],
    ["ignores an exclamation mark [C087]", 'echo "hi!" | cat', 0, "hi!"],
    ["keeps a comment at the end [C085]", "echo a # note", 0, "a"],
    ["joins continued lines [C089]", "printf '%s\\n' a \\\n b", 0, "a\nb"],
    ["keeps a trap and its code [C055]", "trap 'echo bye' EXIT; exit 3", 3, "bye"],
    ["sets no pipefail [C053]", "yes | head -n 1", 0, "y"],
    ["keeps CRLF apart from CR [C077]", "printf 'a\\r\\nb\\r\\n'", 0, "a\nb"],
    ["overwrites by CR [C075]", "for i in $(seq 1 100); do printf '\\r%d%%' $i; done; echo", 0, "100%"],
    [
      "redraws three lines [C081, 46]",
      "printf '1\\n1\\n1\\n'; for i in $(seq 2 50); do printf '\\033[3A%d\\n%d\\n%d\\n' $i $i $i; done",
      0,
      "50\n50\n50",
    ],
    [
      "removes OSC and keeps a link's text [C079]",
      "printf '\\033]0;title\\a\\033]52;c;aGk=\\a\\033]8;;http://x\\alink\\033]8;;\\a\\n'",
      0,
      "link",
    ],
    ["shows NUL [C073, 47]", "printf 'a\\0b\\n'; echo end", 0, "a\u2400b\nend"],
    ["removes colours", "printf '\\033[31mred\\033[0m\\n'", 0, "red"],
    [
      "shows an alternate screen left open [46]",
      "echo before; printf '\\033[?1049h\\033[Hdrawn'",
      0,
      /before\n\s*drawn/,
    ],
    ["survives a repeat bomb", "printf 'x\\033[2000000000bok\\n'", 0, "xok"],
    ["says what is not found [48]", "nosuchcmd_x", 127, /not found/],
    ["says what cannot be executed [48]", "./plain", 126, /Permission denied/],
    ["takes an empty command [48]", "", 0, ""],
    ["takes only a comment [48]", "# nothing", 0, ""],
    ["takes CRLF as bash does [50]", "true\r\n", 127, /not found/],
    ["takes unicode", "echo 'ü 漢 🎉'", 0, "ü 漢 🎉"],
    [
      "keeps git from its pager [C003, 44]",
      "git init -q . 2>/dev/null; git config core.pager less; git -c user.name=n -c user.email=e commit -q --allow-empty -m m; git log | head -1",
      0,
      /^commit /,
    ],
    [
      "keeps git from an editor [44]",
      "git -c user.name=n -c user.email=e commit --allow-empty 2>&1 | head -3; echo end",
      0,
      /end$/,
    ],
    [
      "lets a program of many files fail by itself [C099]",
      'ulimit -n 20; for i in $(seq 3 250); do eval "exec $i</dev/null" || break; done 2>&1; echo alive',
      0,
      /alive/,
    ],
  ])("%s", async (_name, command, code, output, args = {}) => {
    writeFileSync(join(plugin.root, "plain"), "not a program\n", { mode: 0o644 });
    const { result, exits } = await plugin.bash(command, { pty, ...args });
    expect(result).toMatchObject({
      exit_code: code,
      output: expect.stringMatching(output instanceof RegExp ? output : /^/),
    });
    if (typeof output === "string") expect(result["output"]).toBe(output);
    expect(exits).toHaveLength(1);
    expect(exits[0]?.exitCode).toBe(code);
  });

  it.each([
    ["SIGSEGV", 139],
    ["SIGKILL", 137],
  ])("names %s [C051, 48]", async (signal, code) => {
    const { result, exits } = await plugin.bash(`kill -${signal.slice(3)} $$`, { pty });
    expect(result).toMatchObject({ exit_code: code, signal, reason: "exited" });
    expect(exits).toEqual([{ exitCode: code, signal }]);
  });

  it("runs a heredoc exactly as given, also one beyond the argument limit [C083, 50]", async () => {
    for (const size of [1, 5_000]) {
      const body = "'q' \"d\" $x `b` \\ unmatched ' ü\n".repeat(size);
      const { result } = await plugin.bash(`cat > out.txt <<'EOF'\n${body}EOF\necho $# "$0" done; exit 4`, {
        pty,
      });
      expect(result).toMatchObject({ exit_code: 4, output: "0 /bin/bash done" });
      expect(readFileSync(join(plugin.root, "out.txt"), "utf8")).toBe(body);
    }
  });

  it("loses nothing of a quick exit [43, C025]", async () => {
    const expected = createHash("sha256").update(seq(5_000, pty)).digest("hex");
    for (let run = 0; run < 60; run++) {
      const { bytes } = await plugin.bash("seq 1 5000", { pty });
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(expected);
    }
  });

  it("does not cut a character in two [C069]", async () => {
    const { bytes, result } = await plugin.bash("printf '\\xf0\\x9f'; sleep 0.2; printf '\\x8e\\x89\\n'", {
      pty,
    });
    expect(bytes.toString()).toMatch(/^🎉\r?\n$/);
    expect(result["output"]).toBe("🎉");
  });

  it.each([
    ["a plain one [41, C021]", "echo important; sleep 60 &", 1],
    ["a silent one [C017]", "(exec sleep 60) & echo important", 1],
    ["one that left the session [C019]", "setsid sleep 60 & echo important", 1],
    ["a detached one, whose number it tells [C023]", "nohup sleep 60 >/dev/null 2>&1 & echo important", 1],
  ])("is not held by a child in the background: %s", async (_name, command, left) => {
    const { result } = await plugin.bash(command, { pty });
    expect(result).toMatchObject({ reason: "exited", exit_code: 0, output: "important" });
    const running = (result["still_running"] ?? []) as { pid: number }[];
    expect(running).toHaveLength(left);
    const { result: list } = await plugin.run("exec_list", {});
    const background = (list["background"] as { pid: number }[]).map(({ pid }) => pid);
    for (const { pid } of running) {
      expect(background).toContain(pid);
      if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
    }
  });

  it("ends every kind of child at its limit, and keeps what was said [42, C037, C039, C041, 49]", async () => {
    const command = `echo step1; echo $$ >> pids
      sleep 601 & echo $! >> pids
      setsid sleep 602 & echo $! >> pids
      (set -m; sleep 603 & echo $! >> pids)
      (trap '' TERM; while :; do sleep .1; done) & echo $! >> pids
      trap '' TERM; sleep 604 | cat`;
    rmSync(join(plugin.root, "pids"), { force: true });
    const { result } = await plugin.bash(command, { pty, timeout_ms: 1_000 });
    expect(result).toMatchObject({
      timed_out: true,
      reason: "timed_out",
      output: expect.stringMatching(/^step1/),
      signals_sent: ["SIGTERM", "SIGKILL"],
    });
    expect(result["still_running"]).toBeUndefined();
    for (const pid of pidsIn("pids")) expect(isAlive(pid)).toBe(false);
  });

  it("ends at its idle limit, but not while there is output [C043]", async () => {
    const talking = await plugin.bash("for i in 1 2 3 4 5; do echo $i; sleep .2; done", {
      pty,
      idle_timeout_ms: 800,
    });
    expect(talking.result).toMatchObject({ reason: "exited" });
    const silent = await plugin.bash("sleep 100", { pty, idle_timeout_ms: 300 });
    expect(silent.result).toMatchObject({ reason: "timed_out_idle", timed_out: true });
  });

  it("ends all on cancellation, in order and without a result [54]", async () => {
    rmSync(join(plugin.root, "pids"), { force: true });
    const controller = new AbortController();
    const running = plugin.run(
      "bash",
      { command: "echo $$ > pids; setsid sleep 605 & echo $! >> pids; seq 1 3; wait", pty },
      controller.signal,
    );
    await until(() => pidsIn("pids").length === 2);
    controller.abort();
    await expect(running).rejects.toThrow();
    await until(() => pidsIn("pids").every((pid) => !isAlive(pid)));
  });

  it("keeps the first and the last of much output, and all of it in a log [45, C059, C061]", async () => {
    const { result, bytes } = await plugin.bash("echo 'error: first'; seq 1 300000; echo last", { pty });
    expect(result["output"]).toMatch(
      /^error: first\n1\n2\n[\s\S]*\n\[\.\.\. \d+ bytes are left out here; the full output is in .*\]\n[\s\S]*\n300000\nlast$/,
    );
    expect(result).toMatchObject({ truncated: true, output_bytes: bytes.length });
    const path = String(result["log_path"]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const shown = String(result["output"]).replace(/\n\[\.\.\..*\]\n/, "\n").length;
    expect(shown + Number(result["omitted_bytes"])).toBeGreaterThan(1_900_000);
  });

  it("holds a command back while nobody reads, and loses nothing", async () => {
    const { bytes } = await plugin.bash("seq 1 600000", { pty });
    expect(bytes.equals(Buffer.from(seq(600_000, pty)))).toBe(true);
  });

  it("leaves no zombie of many short children [53]", async () => {
    const { result } = await plugin.bash("for i in $(seq 1 300); do /bin/true & done; wait; echo ok", {
      pty,
    });
    expect(result["output"]).toMatch(/ok$/);
    expect(result["still_running"]).toBeUndefined();
  });
});

function seq(last: number, pty: boolean): string {
  const end = pty ? "\r\n" : "\n";
  return Array.from({ length: last }, (_, index) => `${index + 1}${end}`).join("");
}

function pidsIn(name: string): number[] {
  const path = join(plugin.root, name);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
}

function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1));
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}
