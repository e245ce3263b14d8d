// What differs between a terminal and pipes: where standard error goes, and who can be asked a question.
import { afterAll, beforeAll, expect, it } from "vitest";
import { BuiltPlugin } from "./built-plugin.ts";

let plugin: BuiltPlugin;
beforeAll(async () => {
  plugin = await BuiltPlugin.launch({ kill_grace_ms: 500 });
});
afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
});

it("tells standard error apart on pipes only", async () => {
  const onPipes = await plugin.bash("echo out; echo err >&2", { pty: false });
  expect([onPipes.bytes.toString(), onPipes.stderr.toString()]).toEqual(["out\n", "err\n"]);
  const inTerminal = await plugin.bash("test -t 1 && stty size </dev/tty; echo err >&2", {
    columns: 77,
    rows: 11,
  });
  expect([inTerminal.bytes.toString(), inTerminal.stderr.toString()]).toEqual(["11 77\r\nerr\r\n", ""]);
});

it("answers a question on the terminal with the end of the input [C005]", async () => {
  const { result } = await plugin.bash("printf 'password: '; read -s x </dev/tty; echo got:$x");
  expect(result).toMatchObject({
    exit_code: 0,
    output: "password: got:",
    summary: expect.stringMatching(/asked for input/),
  });
  const stuck = await plugin.bash("stty raw -echo; while :; do head -c 1 </dev/tty >/dev/null; done");
  expect(stuck.result).toMatchObject({ reason: "waiting_input" });
});
