// `harness run` at a real terminal: keys, Ctrl-C, and a terminal that is left as it was.
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deskPlugin } from "../../host/e2e/desk-plugin.ts";
import { eventually, stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";

const program = fileURLToPath(new URL("fixtures/desk-conversation.ts", import.meta.url));
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(stopAll);

/**
 * The conversation in a terminal of a shell, which says what the terminal is set to before and after. Ctrl-C reaches the
 * shell too.
 */
function start() {
  const command = `trap : INT; stty -g; "${process.execPath}" --conditions=source "${program}" "${deskPlugin()}"; echo "code $?"; stty -g`;
  const terminal = spawn("sh", ["-c", command], {
    cols: 120,
    rows: 40,
    env: { ...process.env, XDG_STATE_HOME: folder, TMPDIR: folder, NO_COLOR: "1" },
  });
  let shown = "";
  terminal.onData((data) => {
    shown += data;
  });
  const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  const sees = async (words: string): Promise<void> => {
    await eventually(
      () => shown,
      (text) => text.includes(words),
    );
    // What was seen counts once.
    shown = shown.slice(shown.indexOf(words) + words.length);
  };
  return { terminal, sees, ended, rest: () => shown };
}

describe("a conversation at a terminal", () => {
  it("is cancelled and left by Ctrl-C, and leaves the terminal as it was", async () => {
    const { terminal, sees, ended, rest } = start();
    await eventually(rest, (shown) => shown.includes("\n"));
    const settings = rest().split("\r\n")[0] ?? "";
    expect(settings).toMatch(/^[0-9a-f:]+$/);
    await sees("harness> ");
    terminal.write('note {"page":"1","hold":"/nowhere/at/all"}\r');
    await sees("allow for the [s]ession? ");
    terminal.write("a\r");
    await sees("note 1 begins");
    terminal.write("\u0003");
    await sees("✗ cancelled");
    await sees("harness> ");
    terminal.write("half a line\u0003");
    await sees("harness> ");
    terminal.write("\u001b[A");
    await sees('note {"page":"1","hold":"/nowhere/at/all"}');
    terminal.write("\u0003");
    await sees("harness> ");
    terminal.write("\u0003");
    await sees("(Ctrl-C again leaves)");
    await sees("harness> ");
    terminal.write("\u0003");
    await sees("code 0");
    await ended;
    expect(rest().trim()).toBe(settings);
  });

  it("ends with Ctrl-D", async () => {
    const { terminal, sees, ended } = start();
    await sees("harness> ");
    terminal.write("\u0004");
    await sees("code 0");
    await ended;
  });
});
