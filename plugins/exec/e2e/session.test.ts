// Sessions through the built plugin, with programs that really are interactive.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@pluggableharness/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuiltPlugin } from "./built-plugin.ts";

let plugin: BuiltPlugin;
beforeAll(async () => {
  plugin = await BuiltPlugin.launch({ kill_grace_ms: 500, max_sessions: 3 });
});
afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
});

type Fields = { [key: string]: Json };

async function start(command: string, args: Fields = {}): Promise<Fields> {
  return (await plugin.run("exec_start", { command, ...args })).result;
}

async function write(id: Json | undefined, args: Fields): Promise<Fields> {
  return (await plugin.run("exec_write", { session_id: id ?? "", ...args })).result;
}

async function read(id: Json | undefined, args: Fields = {}): Promise<Fields> {
  return (await plugin.run("exec_read", { session_id: id ?? "", ...args })).result;
}

async function kill(id: Json | undefined): Promise<Fields> {
  return (await plugin.run("exec_kill", { session_id: id ?? "" })).result;
}

/** Reads until the screen or the output shows it. */
async function readUntil(id: Json | undefined, words: RegExp): Promise<Fields> {
  for (;;) {
    const seen = await read(id, { screen: true, wait_ms: 200 });
    if (words.test(`${seen["screen"]}\n${seen["output"]}`)) return seen;
    if (seen["state"] === "ended") throw new Error(`it ended: ${JSON.stringify(seen)}`);
  }
}

describe("a session", () => {
  it.each<[string, string, RegExp, Fields, RegExp, Fields]>([
    ["python3", "python3 -q", />>>/, { text: "print(6*7)", keys: ["enter"] }, /\n42/, { keys: ["ctrl_d"] }],
    ["node", "node -i", />/, { text: "6*7", keys: ["enter"] }, /42/, { text: ".exit", keys: ["enter"] }],
    [
      "sqlite3",
      "sqlite3",
      /sqlite>/,
      { text: "select 6*7;", keys: ["enter"] },
      /\n42/,
      { text: ".quit", keys: ["enter"] },
    ],
    ["less", "seq 1 500 > n.txt; less n.txt", /n\.txt|:/, { text: "G" }, /500/, { text: "q" }],
    ["sort, by the end of its input [C011]", "sort", /^/, { text: "b\na\n", keys: ["ctrl_d"] }, /a\s+b/, {}],
  ])("works with %s", async (_name, command, ready, input, answer, end) => {
    const { session_id } = await start(command);
    if (!/sort/.test(command)) await readUntil(session_id, ready);
    await write(session_id, input);
    if (/sort/.test(command)) {
      const done = await read(session_id, { wait_ms: 5_000 });
      expect(String(done["output"])).toMatch(answer);
    } else {
      await readUntil(session_id, answer);
      await write(session_id, end);
    }
    let seen = await read(session_id, { wait_ms: 2_000 });
    while (seen["state"] !== "ended")
      seen = await read(session_id, { wait_ms: 500, cursor: seen["cursor"] ?? 0 });
    expect(seen["exit_code"]).toBe(0);
  });

  it("edits a file with vi, on the alternate screen [C013]", async () => {
    const { session_id } = await start("vi -u NONE -n note.txt");
    const open = await readUntil(session_id, /note\.txt/);
    expect(open["alternate_screen"]).toBe(true);
    await write(session_id, { text: "ihello from a session", keys: ["escape"] });
    await readUntil(session_id, /hello from a session/);
    await write(session_id, { text: ":wq", keys: ["enter"] });
    while ((await read(session_id, { wait_ms: 300 }))["state"] !== "ended");
    expect(readFileSync(join(plugin.root, "note.txt"), "utf8")).toBe("hello from a session\n");
  });

  it("tells at once what fails at once [C105]", async () => {
    expect(await start("nosuchcmd_x", { settle_ms: 5_000 })).toMatchObject({
      state: "ended",
      exit_code: 127,
      output: expect.stringMatching(/not found/),
    });
  });

  it("gives each byte once by its cursor, and a character whole [C027, C071]", async () => {
    const started = await start("stty -echo; printf 'a\\xf0\\x9f'; read x; printf '\\x8e\\x89b\\n'; read y", {
      settle_ms: 2_000,
    });
    expect(started["output"]).toBe("a");
    await write(started["session_id"], { keys: ["enter"] });
    const next = await read(started["session_id"], { cursor: started["cursor"] ?? 0 });
    expect(next["output"]).toBe("🎉b");
    expect(await read(started["session_id"], { cursor: next["cursor"] ?? 0, wait_ms: 0 })).toMatchObject({
      output: "",
    });
    await kill(started["session_id"]);
  });

  it("says what a cursor has missed [C103], and ends its log at the limit [C109]", async () => {
    await using small = await BuiltPlugin.launch({ max_log_bytes: 100_000 });
    const { result } = await small.run("exec_start", { command: "seq 1 400000", settle_ms: 0 });
    let seen: Fields;
    do seen = (await small.run("exec_read", { session_id: result["session_id"] ?? "", wait_ms: 500 })).result;
    while (seen["state"] !== "ended");
    expect(Number(seen["skipped_bytes"])).toBe(3_088_895 - 1024 * 1024);
    expect(seen).toMatchObject({ truncated: true, log_problem: expect.stringMatching(/output_limit/) });
  });

  it("waits for input, and says so", async () => {
    const { session_id } = await start("printf 'name: '; read x; echo hello $x");
    await readUntil(session_id, /name:/);
    while ((await read(session_id, { wait_ms: 0 }))["state"] !== "waiting_input");
    const { cursor } = await write(session_id, { text: "you", keys: ["enter"] });
    const seen = await read(session_id, { cursor: cursor ?? 0, wait_ms: 3_000 });
    expect(seen["output"]).toMatch(/hello you/);
  });

  it("refuses a line that the terminal would cut, and takes it from a program that reads by keys [C009]", async () => {
    const { session_id } = await start("cat");
    await expect(write(session_id, { text: `${"x".repeat(8_000)}\n` })).rejects.toThrow(/line_too_long/);
    await kill(session_id);
    const raw = await start("stty raw -echo; head -c 8000 | wc -c", { settle_ms: 500 });
    await write(raw["session_id"], { text: "x".repeat(8_000) });
    await readUntil(raw["session_id"], /8000/);
    await kill(raw["session_id"]);
  });

  it("that has ended says so on a write, with its last words [C007], and takes a resize [C033]", async () => {
    const { session_id } = await start("echo last words; exit 5", { settle_ms: 5_000 });
    await expect(write(session_id, { text: "x\n" })).rejects.toThrow(
      /session_ended[\s\S]*5[\s\S]*last words/,
    );
    expect(await write(session_id, { columns: 50 })).toMatchObject({ state: "ended", accepted_bytes: 0 });
    expect(await kill(session_id)).toMatchObject({ state: "ended", exit_code: 5 });
  });

  it("is stopped with all its children, by request and not by failure [C049]; twice is once", async () => {
    const { session_id } = await start(
      "echo $$ > pids; setsid sleep 606 & echo $! >> pids; (trap '' TERM HUP; while :; do sleep .1; done) & echo $! >> pids; echo ready; wait",
    );
    await readUntil(session_id, /ready/);
    const killed = await kill(session_id);
    expect(killed).toMatchObject({
      state: "ended",
      summary: "Stopped by request (SIGHUP, then SIGTERM, then SIGKILL).",
      survivors: [],
    });
    for (const pid of readFileSync(join(plugin.root, "pids"), "utf8").trim().split("\n")) {
      expect(() => readFileSync(`/proc/${pid}/environ`, "utf8").length > 0 || missing()).toThrow();
    }
    expect(await kill(session_id)).toMatchObject({ state: "ended" });
  });

  it("has a resize, and stays when a read is cancelled [C045]", async () => {
    const { session_id } = await start("trap 'stty size' WINCH; while :; do sleep .1; done");
    const controller = new AbortController();
    const reading = plugin.run(
      "exec_read",
      { session_id: session_id ?? "", cursor: 1_000, wait_ms: 50_000 },
      controller.signal,
    );
    controller.abort();
    await expect(reading).rejects.toThrow();
    await write(session_id, { columns: 91, rows: 17 });
    await readUntil(session_id, /17 91/);
    await kill(session_id);
  });

  it("tells that its program has exited while a child lives [C035, C029]", async () => {
    const { session_id } = await start(
      "setsid sh -c 'touch up; exec sleep 607' & until [ -e up ]; do :; done; echo now",
      { settle_ms: 5_000 },
    );
    const seen = await read(session_id);
    expect(seen).toMatchObject({
      state: "ended",
      exit_code: 0,
      summary: expect.stringMatching(/1 of its processes still run/),
    });
    const { result } = await plugin.run("exec_list", {});
    for (const { pid } of result["background"] as { pid: number }[]) process.kill(pid, "SIGKILL");
  });

  it("is listed, limited in number, and known to its owner only [C107]", async () => {
    const started = [await start("sleep 608"), await start("sleep 608"), await start("sleep 608")];
    await expect(start("true")).rejects.toThrow(/3 sessions are running.*exec_kill/);
    const { result } = await plugin.run("exec_list", {});
    const running = (result["sessions"] as Fields[]).filter(({ state }) => state === "running");
    expect(running.map(({ session_id }) => session_id)).toEqual(started.map(({ session_id }) => session_id));
    await expect(read("1-none")).rejects.toThrow(/no session "1-none"; there are /);
    for (const { session_id } of started) await kill(session_id);
    writeFileSync(join(plugin.root, "after"), "");
  });
});

function missing(): never {
  throw new Error("the process is a zombie");
}
