// Turns of an agent with real plugins: the filesystem plugin as it is shipped, one made with the SDK and one that
// misbehaves.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromBinary } from "@bufbuild/protobuf";
import { EventKind, ToolResultEventSchema } from "@pluggableharness/protocol/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { echoPlugin, eventually, stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";
import { Agent, type AgentOptions } from "../src/agent.ts";
import { paint } from "../src/paint.ts";
import { Policy, type PolicyRule } from "../src/policy.ts";
import { planMessage, type TurnCall } from "../src/turn.ts";
import { deskPlugin } from "./desk-plugin.ts";

const filesystem = fileURLToPath(
  new URL("../../../plugins/filesystem/dist/plugin-tool-filesystem", import.meta.url),
);
const allow: PolicyRule = { name: "all", action: "allow", match: {} };
const opened: Agent[] = [];
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((agent) => agent.close()));
  await stopAll();
});

function open(options: AgentOptions & { rules?: readonly PolicyRule[]; deskPath?: string } = {}): Agent {
  const { rules = [], deskPath = deskPlugin(), ...rest } = options;
  const agent = new Agent(
    {
      providers: [
        { name: "files", locate: () => ({ path: filesystem }), decodeConfig: () => ({ roots: [folder] }) },
        {
          name: "desk",
          locate: () => ({ path: deskPath }),
          decodeConfig: () => ({ greeting: "hello", key: "k" }),
        },
        { name: "echo", locate: () => ({ path: echoPlugin() }), decodeConfig: () => ({ greeting: "hello" }) },
      ],
      policy: new Policy(rules),
      offers: (_provider, operation) => operation !== "write_file",
      profile: "default",
    },
    { workingDirectory: folder, ...rest },
  );
  opened.push(agent);
  return agent;
}

let lastId = 0;
function call(provider: string, operation: string, args: TurnCall["arguments"]): TurnCall {
  lastId++;
  return { id: `call-${lastId}`, provider, operation, arguments: args };
}

const edit = () => call("files", "edit_file", { path: "a.txt", old_string: "one", new_string: "1" });

describe("an agent", () => {
  it("offers what its profile offers, of every provider that can be started", async () => {
    const { operations, failures } = await open({ deskPath: "/nowhere/at/all" }).operations();
    const names = operations.map(({ provider, name }) => `${provider}.${name}`);
    expect(names).toContain("files.edit_file");
    expect(names).toContain("echo.say");
    expect(names).not.toContain("files.write_file");
    expect(failures).toMatchObject([{ provider: "desk", error: { category: "execution_failed" } }]);
  });

  it("previews a change, does nothing without a person, and does it with one", async () => {
    writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
    const agent = open();
    const plan = await agent.plan([edit()]);
    const { items } = planMessage(plan);
    expect(items).toMatchObject([{ provider: "files", toolName: "edit_file", decidedBy: "default" }]);
    const preview = items[0]?.preview;
    expect(preview === undefined ? "" : paint(preview, { colour: false })).toContain("1   - one");

    expect((await agent.apply(plan)).outcomes).toMatchObject([{ outcome: "denied" }]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\n");

    const { outcomes } = await agent.run([edit()], { ask: async () => ({ kind: "allow" }) });
    expect(outcomes).toMatchObject([{ outcome: "applied", payload: { operation: "edit_file" } }]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("1\ntwo\n");
    const [done] = outcomes;
    const tree = done === undefined ? undefined : await agent.render(done);
    expect(tree === undefined ? "" : paint(tree, { colour: false })).toContain("Edited a.txt");
  });

  it("corrects a change as a person says", async () => {
    writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
    let asked = 0;
    const { outcomes } = await open().run([edit()], {
      ask: async () =>
        asked++ === 0
          ? { kind: "edit", input: { path: "a.txt", old_string: "two", new_string: "2" } }
          : { kind: "allow" },
    });
    expect(outcomes).toMatchObject([{ outcome: "applied" }]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\n2\n");
  });

  it("runs calls of different keys together and those of one key after each other", async () => {
    const hold = join(folder, "go");
    const begun: string[] = [];
    const notes = ["a", "b", "a"].map((page) => call("desk", "note", { page, hold }));
    const running = open({ rules: [allow] }).run(notes, {
      onEvent: ({ call: { id } }) => void begun.push(id),
    });
    await eventually(
      () => begun.length,
      (count) => count >= 2,
    );
    expect(begun.sort()).toEqual([notes[0]?.id, notes[1]?.id]);
    writeFileSync(hold, "");
    expect((await running).outcomes.map(({ outcome }) => outcome)).toEqual(["applied", "applied", "applied"]);
    expect(begun).toHaveLength(3);
  });

  it("goes on without a preview that fails or never comes, and says why", async () => {
    const agent = open({ previewTimeoutMs: 200 });
    const { calls } = await agent.plan([
      call("desk", "stamp", { page: "1" }),
      call("desk", "crash", {}),
      call("desk", "finish", {}),
    ]);
    expect(calls).toMatchObject([
      { status: "planned", noPreview: "timeout: no result within 200 ms" },
      { status: "planned", noPreview: "unknown: no preview with [redacted]" },
      { status: "planned" },
    ]);
    expect(calls[2]).not.toHaveProperty("noPreview");
  });

  it("survives the crash of a plugin, also for the other calls of the turn", async () => {
    const calls = [
      call("desk", "crash", {}),
      call("echo", "say", { text: "hi" }),
      call("desk", "note", { page: "1" }),
    ];
    const { outcomes } = await open({ rules: [allow] }).run(calls);
    expect(outcomes).toMatchObject([
      { outcome: "failed", error: { category: "process_crashed" } },
      { outcome: "applied", payload: { text: "hello hi" } },
      { outcome: "applied", payload: { text: "hello" } },
    ]);
  });

  it("asks a person and not the plugin what the plugin wants to know", async () => {
    const { outcomes } = await open().run([call("desk", "ask", { question: "why?" })], {
      answer: async ({ item }) => ({
        kind: "answer",
        payload: {
          operation: "ask",
          text: item.preview === undefined ? "" : paint(item.preview, { colour: false }),
        },
      }),
    });
    expect(outcomes).toMatchObject([{ outcome: "applied", payload: { text: 'ask {"question":"why?"}' } }]);
  });

  it("cancels what runs when its caller says so, and can go on", async () => {
    const agent = open({ rules: [allow] });
    const abort = new AbortController();
    const counting = call("echo", "count", { chunks: 1_000_000, bytes: 1, pause_ms: 1 });
    const { outcomes } = await agent.run([counting], {
      signal: abort.signal,
      onEvent: () => abort.abort(new Error("enough")),
    });
    expect(outcomes).toMatchObject([{ outcome: "failed", error: { category: "cancelled" } }]);
    expect((await agent.run([call("echo", "say", { text: "hi" })])).outcomes).toMatchObject([
      { outcome: "applied" },
    ]);
  });

  it("ends everything when it is closed", async () => {
    const agent = open({ rules: [allow] });
    let begun = () => {};
    const isRunning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const running = agent.run([call("desk", "note", { page: "1", hold: "/nowhere/at/all" })], {
      onEvent: begun,
    });
    await isRunning;
    await agent.close();
    expect((await running).outcomes).toMatchObject([{ outcome: "failed", error: { category: "cancelled" } }]);
  });

  it("tells its plugins of their session, and keeps what happened in it", async () => {
    const agent = open({ session: { id: "s1", remainingDepth: 4 } });
    const { outcomes } = await agent.run([
      call("echo", "say", { text: "", mode: "session" }),
      call("desk", "note", { page: "1" }),
    ]);
    expect(outcomes).toMatchObject([{ payload: { text: "depth 4" } }, { outcome: "denied" }]);
    const events = [...agent.session.events.read({ kinds: [] })];
    const { TOOL_CALL, PLAN, TOOL_RESULT, APPLY } = EventKind;
    expect(events.map(({ kind }) => kind)).toEqual([
      TOOL_CALL,
      TOOL_CALL,
      PLAN,
      TOOL_RESULT,
      TOOL_RESULT,
      APPLY,
    ]);
    const stored = fromBinary(ToolResultEventSchema, events[3]?.payload ?? new Uint8Array());
    expect(stored).toMatchObject({ outcome: { case: "result", value: { payload: { text: "depth 4" } } } });
  });
});
