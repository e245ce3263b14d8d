// `harness run` as a person uses it, over a pipe: every question answered, and what comes of it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deskPlugin } from "../../host/e2e/desk-plugin.ts";
import { eventually, stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";

const program = fileURLToPath(new URL("fixtures/desk-conversation.ts", import.meta.url));
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(stopAll);

interface Conversation {
  readonly child: ChildProcess;
  readonly shown: () => string;
  readonly ended: Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>;
}

function start(said = "{}"): Conversation {
  const child = spawn(process.execPath, ["--conditions=source", program, deskPlugin(), said], {
    env: { ...process.env, XDG_STATE_HOME: folder, TMPDIR: folder },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code, stdout, stderr }));
  return { child, shown: () => stdout, ended };
}

/** What is shown after the first prompt where these lines are typed. */
async function typed(...lines: readonly string[]): Promise<string> {
  const { child, ended } = start();
  child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.slice(stdout.indexOf("harness> "));
}

const note = 'note {"page":"1","text":"x"}';
const shownNote = 'desk.note: resource, moderate, ask (default)\nnote {"page":"1","text":"x"}\n';
const question = "[a]llow, [d]eny, [e]dit, allow for the [s]ession? ";
const done = '{\n  "operation": "note",\n  "text": "x"\n}\n';

describe("a conversation", () => {
  it("begins with what there is, and ends with the input", async () => {
    const { child, ended } = start();
    child.stdin?.end();
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/desk\.note +resource +moderate +The operation note\./);
    expect(stdout).toMatch(/harness> \n$/);
  });

  it("shows what a call would do, asks, streams and shows the result", async () => {
    expect(await typed(note, "a", "quit")).toBe(
      `harness> ${note}\n${shownNote}${question}a\nnote 1 begins\n${done}harness> quit\n`,
    );
  });

  it("asks for arguments field by field", async () => {
    expect(await typed("desk.note", "1", "x", "", "allow")).toBe(
      `harness> desk.note\n  page (text): 1\n  text (text; enter leaves it out): x\n  hold (text; enter leaves it out): \n${shownNote}${question}allow\nnote 1 begins\n${done}harness> \n`,
    );
  });

  it("tells the model why a call is denied", async () => {
    expect(await typed(note, "d", "wrong page")).toContain(
      "✗ permission_denied: desk.note was not done: the person denied it: wrong page\n",
    );
    expect(await typed(note, "what?")).toContain(
      `a, d, e or s\n${question}\n✗ permission_denied: desk.note was not done: the person denied it: there was no answer\n`,
    );
  });

  it("lets a person correct a call, shows it again and asks again", async () => {
    const shown = await typed(note, "e", '{"page":3}', "e", '{"page":"2","text":"y"}', "a");
    expect(shown).toContain("note: page: expected string, got number 3");
    expect(shown).toContain(`note {"page":"2","text":"y"}\n${question}a\nnote 2 begins\n`);
  });

  it("lets a person correct a call field by field", async () => {
    const shown = await typed(note, "e", "", "2", "", "", "a");
    expect(shown).toContain('  page (text; enter keeps "1"): 2\n');
    expect(shown).toContain("note 2 begins\n");
  });

  it("does not ask again about what is allowed for the session, and says so", async () => {
    const shown = await typed(note, "s", note.replace("1", "2"));
    expect(shown).toContain("From now on desk.note is not asked about, whatever its arguments.");
    expect(shown).toContain("desk.note: resource, moderate, allow (session)\n");
    expect(shown).toContain("note 2 begins\n");
  });

  it("asks the person what an interactive operation asks, and not the plugin", async () => {
    expect(await typed('ask {"question":"why?"}', "because")).toBe(
      `harness> ask {"question":"why?"}\ndesk.ask: interactive, read_only, allow (default)\nask {"question":"why?"}\n  text (text): because\n{\n  "operation": "ask",\n  "text": "because"\n}\nharness> \n`,
    );
  });

  it.each([
    ["an operation that is not there", "burn", 'there is no operation "burn"; there are desk.note'],
    ["arguments that are no JSON", "note {", "the arguments are not JSON"],
    ["arguments in another form", "note 1", "arguments are JSON or @file"],
    ["arguments that do not fit", "note {}", "✗ invalid_arguments: note: page: required string is missing"],
    ["a result that does not fit", "lie {}", "✗ unknown: lie answered with a result"],
    ["help", "help", "leave; Ctrl-D does too"],
    ["operations", "operations", "desk.stamp"],
  ])("goes on after %s", async (_what, line, words) => {
    const shown = await typed(line, "quit");
    expect(shown).toContain(words);
    expect(shown).toMatch(/harness> quit\n$/);
  });

  it("goes on after a crash, with the plugin's last words but for its secret", async () => {
    const shown = await typed("crash {}", "a", note, "a");
    expect(shown).toContain("goodbye, the key is [redacted]");
    expect(shown).not.toContain("the-secret-key");
    expect(shown).toContain("note 1 begins\n");
  });

  it("says that a call is tried again", async () => {
    expect(await typed('flaky {"times":"1"}')).toContain(
      "flaky begins\n✗ timeout: not yet; trying again\nflaky begins\n{\n",
    );
  });

  it("shows a result that cannot be rendered", async () => {
    const { child, ended } = start('{"render":"fails"}');
    child.stdin?.end(`${note}\na\n`);
    expect((await ended).stdout).toContain(`note 1 begins\nnot rendered: no rendering today\n${done}`);
  });

  it("takes arguments from a file", async () => {
    writeFileSync(join(folder, "note.json"), '{"page":"7"}');
    expect(await typed(`note @${join(folder, "note.json")}`, "a")).toContain("note 7 begins\n");
  });

  it("keeps its lines for the next time, for the user only", async () => {
    await typed(note, "a");
    await typed("help");
    const path = join(folder, "agent", "harness-history");
    expect(readFileSync(path, "utf8")).toBe(`${note}\nhelp\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("Ctrl-C", () => {
  const sees = (conversation: Conversation, words: string) =>
    eventually(conversation.shown, (shown) => shown.endsWith(words));

  it("ends the call and not the conversation, and at an empty prompt asks for another", async () => {
    const conversation = start();
    const { child, ended } = conversation;
    child.stdin?.write('note {"page":"1","hold":"/nowhere/at/all"}\na\n');
    await sees(conversation, "note 1 begins\n");
    child.kill("SIGINT");
    await sees(conversation, "harness> ");
    expect(conversation.shown()).toContain("✗ cancelled: the call was cancelled");
    child.stdin?.write(`${note}\na\n`);
    await sees(conversation, `${done}harness> `);
    child.kill("SIGINT");
    await sees(conversation, "(Ctrl-C again leaves)\nharness> ");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("ends a question and not the conversation", async () => {
    const conversation = start();
    const { child, ended } = conversation;
    child.stdin?.write(`${note}\n`);
    await sees(conversation, question);
    child.kill("SIGINT");
    await sees(conversation, "harness> ");
    expect(conversation.shown()).toContain("✗ cancelled");
    child.stdin?.write("note\n");
    await sees(conversation, "page (text): ");
    child.kill("SIGINT");
    await sees(conversation, "cancelled\nharness> ");
    child.stdin?.end("quit\n");
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("is not SIGTERM, which ends everything in order", async () => {
    const conversation = start();
    await sees(conversation, "harness> ");
    conversation.child.kill("SIGTERM");
    expect((await conversation.ended).stderr).toContain("interrupted by SIGTERM");
  });
});
