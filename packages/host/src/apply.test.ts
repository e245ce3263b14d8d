import { ToolError } from "@pluggableharness/protocol";
import { ApplyResult_ApplyOutcome } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import type { Reply } from "./answer.ts";
import { type ApplyOptions, applyTurn } from "./apply.ts";
import type { Approval } from "./approve.ts";
import { planCall } from "./plan.ts";
import type { PolicyRule } from "./policy.ts";
import { call, FakeDesk, idle, place, planner } from "./testing/desk.ts";
import { applyMessage, type TurnCall } from "./turn.ts";

const denyNotes: PolicyRule = { name: "no notes", action: "deny", match: { toolName: "note" } };

async function apply(
  calls: readonly TurnCall[],
  options: Partial<ApplyOptions> = {},
  { desk = new FakeDesk(), rules = [] as readonly PolicyRule[] } = {},
) {
  const made = planner(new Map([["desk", desk]]), rules);
  const replan = (turnCall: TurnCall) => planCall(made, turnCall, place, { signal: idle });
  const plan = { turnId: "t", calls: await Promise.all(calls.map(replan)) };
  const { allowances } = made;
  const outcome = await applyTurn(plan, { allowances, place, replan }, { signal: idle, ...options });
  return {
    outcome,
    outcomes: outcome.outcomes,
    sent: desk.sent.map((sent) => `${sent.operation} ${sent.page}`),
  };
}

/** A person who gives these answers, one after the other. */
function person(...approvals: readonly Approval[]) {
  const shown: string[] = [];
  const ask: ApplyOptions["ask"] = async ({ item }, { problem }) => {
    const node = item.preview?.root?.node;
    shown.push(
      `${node?.case === "text" ? node.value.content : ""}${problem === undefined ? "" : ` (${problem})`}`,
    );
    const approval = approvals[shown.length - 1];
    if (approval === undefined) throw new Error("nobody is there any more");
    return approval;
  };
  return { ask, shown };
}

describe("an item that is asked about", () => {
  it("is done where a person allows it", async () => {
    const { outcome, outcomes, sent } = await apply([call("note", "1")], person({ kind: "allow" }));
    expect(outcomes).toMatchObject([
      { outcome: "applied", payload: { text: "done" }, planned: { item: { decidedBy: "person" } } },
    ]);
    expect(sent).toEqual(["note 1"]);
    expect(applyMessage(outcome)).toMatchObject({
      items: [
        { toolCallId: "note", outcome: ApplyResult_ApplyOutcome.APPLIED, result: { case: "toolResult" } },
      ],
    });
  });

  it.each<[string, Partial<ApplyOptions>, readonly PolicyRule[], string]>([
    ["a person denies it", person({ kind: "deny" }), [], "was not done: the person denied it"],
    ["a person says why not", person({ kind: "deny", reason: "wrong page" }), [], "denied it: wrong page"],
    ["nobody is attached", {}, [], "it needs a person's approval, and nobody is attached"],
    ["the person has gone", person(), [], "nobody could be asked: nobody is there any more"],
    ["the policy denies it", person({ kind: "allow" }), [denyNotes], 'the policy "no notes" denies it'],
  ])("is not done where %s, and the model is told", async (_why, options, rules, words) => {
    const { outcome, outcomes, sent } = await apply([call("note", "1")], options, { rules });
    expect(outcomes).toMatchObject([
      {
        outcome: "denied",
        error: { category: "permission_denied", message: expect.stringContaining(words) },
      },
    ]);
    expect(sent).toEqual([]);
    expect(applyMessage(outcome)).toMatchObject({
      items: [{ outcome: ApplyResult_ApplyOutcome.DENIED, result: { case: "toolError" } }],
    });
  });

  it("can be corrected: the new input is checked, previewed and asked about again", async () => {
    const { ask, shown } = person(
      { kind: "edit", input: { page: 3 } },
      { kind: "edit", input: { page: "2" } },
      { kind: "allow" },
    );
    const { outcomes, sent } = await apply([call("note", "1")], { ask });
    expect(shown).toEqual(["note 1", "note 1 (note: page: expected string, got number 3)", "note 2"]);
    expect(sent).toEqual(["note 2"]);
    expect(outcomes).toMatchObject([{ outcome: "applied", planned: { item: { input: { page: "2" } } } }]);
  });

  it("can be allowed for the session, whatever the arguments, and no other operation with it", async () => {
    const { ask, shown } = person({ kind: "allow_for_session" }, { kind: "deny" });
    const calls = [call("note", "1"), call("note", "2", { id: "b" }), call("finish", "3")];
    const { outcomes, sent } = await apply(calls, { ask });
    expect(shown).toEqual(["note 1", "finish 3"]);
    expect(sent).toEqual(["note 1", "note 2"]);
    expect(outcomes).toMatchObject([
      { planned: { item: { decidedBy: "person" } } },
      { planned: { item: { decidedBy: "session" } } },
      { outcome: "denied" },
    ]);
  });
});

describe("a turn", () => {
  it("has an outcome for each call, in their order", async () => {
    const calls = [call("burn", "1"), call("look", "2"), call("note", "3")];
    const { outcome, outcomes } = await apply(calls);
    expect(outcomes.map((done) => done.outcome)).toEqual(["failed", "applied", "denied"]);
    expect(outcomes[0]).toMatchObject({ error: { category: "not_found" } });
    expect(outcome.endsTurn).toBe(false);
  });

  it("keeps a failure where it is", async () => {
    const desk = new FakeDesk("desk", async ({ page }) => {
      if (page === "bad") throw new ToolError("execution_failed", "torn");
      return { text: "done" };
    });
    const calls = [call("look", "bad"), call("look", "good", { id: "b" })];
    const { outcomes } = await apply(calls, {}, { desk });
    expect(outcomes).toMatchObject([
      { outcome: "failed", error: { message: "torn" } },
      { outcome: "applied" },
    ]);
  });

  it("is ended by an operation that says so, where it is applied", async () => {
    const ends = async (approval: Approval) =>
      (await apply([call("finish", "1")], person(approval))).outcome.endsTurn;
    expect(await ends({ kind: "allow" })).toBe(true);
    expect(await ends({ kind: "deny" })).toBe(false);
  });

  it("that is cancelled skips what it has not begun", async () => {
    const abort = new AbortController();
    const desk = new FakeDesk("desk", async () => {
      abort.abort(new Error("enough"));
      throw new ToolError("cancelled", "the call was cancelled");
    });
    const allow: PolicyRule = { name: "all", action: "allow", match: {} };
    const calls = [call("stamp", "1"), call("stamp", "2", { id: "b" }), call("ask", "3")];
    const { outcome, outcomes, sent } = await apply(
      calls,
      { signal: abort.signal },
      { desk, rules: [allow] },
    );
    expect(outcomes.map((done) => done.outcome)).toEqual(["failed", "skipped", "skipped"]);
    expect(outcomes).toMatchObject([
      {},
      { error: { category: "cancelled" } },
      { error: { category: "cancelled" } },
    ]);
    expect(sent).toEqual(["stamp 1"]);
    expect(applyMessage(outcome).items.map((item) => item.outcome)).toEqual([
      ApplyResult_ApplyOutcome.FAILED,
      ApplyResult_ApplyOutcome.SKIPPED,
    ]);
  });

  it("that is cancelled while a person thinks skips everything", async () => {
    const abort = new AbortController();
    const ask = () => {
      abort.abort(new Error("enough"));
      return new Promise<Approval>(() => {});
    };
    const { outcomes, sent } = await apply([call("note", "1"), call("look", "2")], {
      signal: abort.signal,
      ask,
    });
    expect(outcomes.map((done) => done.outcome)).toEqual(["skipped", "skipped"]);
    expect(sent).toEqual([]);
  });
});

describe("a question", () => {
  it("is answered by a person and not by the plugin, with an answer that fits", async () => {
    const replies: Reply[] = [
      { kind: "answer", payload: { text: 3 } },
      { kind: "answer", payload: { text: "yes" } },
    ];
    const problems: unknown[] = [];
    const answer: ApplyOptions["answer"] = async ({ item }, { problem }) => {
      problems.push([item.preview?.root?.node.value, problem]);
      return replies[problems.length - 1] ?? { kind: "decline" };
    };
    const { outcomes, sent } = await apply([call("ask", "1")], { answer });
    expect(problems).toMatchObject([
      [{ content: "ask 1" }, undefined],
      [{ content: "ask 1" }, "text: expected string, got number 3"],
    ]);
    expect(outcomes).toMatchObject([{ outcome: "applied", payload: { text: "yes" } }]);
    expect(sent).toEqual([]);
  });

  it.each<[string, ApplyOptions["answer"], string]>([
    ["nobody is attached", undefined, "nobody is attached"],
    [
      "the person does not want to",
      async () => ({ kind: "decline", reason: "later" }),
      "did not answer: later",
    ],
    ["the person has gone", () => Promise.reject(new Error("gone")), "nobody could be asked: gone"],
  ])("is refused where %s", async (_why, answer, words) => {
    expect((await apply([call("ask", "1")], { answer })).outcomes).toMatchObject([
      {
        outcome: "denied",
        error: { category: "permission_denied", message: expect.stringContaining(words) },
      },
    ]);
  });

  it("waits for the one before, and for what the other calls stream", async () => {
    const order: string[] = [];
    const desk = new FakeDesk("desk", async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("look ends");
      return { text: "done" };
    });
    const answer: ApplyOptions["answer"] = async ({ call: { id } }) => {
      order.push(`${id} asked`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${id} answered`);
      return { kind: "answer", payload: { text: "yes" } };
    };
    const calls = [call("ask", "1", { id: "a" }), call("look", "2"), call("ask", "3", { id: "b" })];
    await apply(calls, { answer }, { desk });
    expect(order).toEqual(["look ends", "a asked", "a answered", "b asked", "b answered"]);
  });
});
