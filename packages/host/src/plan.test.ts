import { PlanDecision, RiskClass, ToolKind } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { planCall } from "./plan.ts";
import type { PolicyRule } from "./policy.ts";
import { call, FakeDesk, idle, place, planner } from "./testing/desk.ts";
import { planMessage, type TurnCall } from "./turn.ts";

const rule = (action: PolicyRule["action"], toolName: string): PolicyRule => ({
  name: `${action} ${toolName}`,
  action,
  match: { toolName },
});

async function plan(turnCall: TurnCall, rules: readonly PolicyRule[] = [], options = {}) {
  const made = planner(new Map([["desk", new FakeDesk()]]), rules);
  return await planCall(made, turnCall, place, { signal: idle, ...options });
}

describe("the plan of a call", () => {
  it("holds what a person needs to know", async () => {
    expect(await plan(call("note", "1"))).toMatchObject({
      status: "planned",
      item: {
        id: expect.stringMatching(/^\w{26}$/),
        toolCallId: "note",
        provider: "desk",
        toolName: "note",
        input: { page: "1" },
        decision: PlanDecision.ASK,
        decidedBy: "default",
        kind: ToolKind.RESOURCE,
        risk: RiskClass.MODERATE,
        description: "The operation note.",
        preview: { root: { node: { case: "text", value: { content: "note 1" } } } },
      },
    });
  });

  it.each([
    ["a change", "note", [], PlanDecision.ASK, "default"],
    ["a change that is allowed", "note", [rule("allow", "note")], PlanDecision.ALLOW, "allow note"],
    ["a change that is denied", "note", [rule("deny", "note")], PlanDecision.DENY, "deny note"],
    ["a look", "look", [], PlanDecision.ALLOW, "default"],
    ["a look that should be asked about", "look", [rule("ask", "look")], PlanDecision.DENY, "ask look"],
    ["a question", "ask", [], PlanDecision.ALLOW, "default"],
  ])("decides about %s", async (_what, name, rules, decision, decidedBy) => {
    const planned = await plan(call(name, "1"), rules);
    expect(planned).toMatchObject({ item: { decision, decidedBy } });
    expect("warning" in planned).toBe(decidedBy === "ask look");
  });

  it("previews what changes something and what asks, and the rest where it is wanted", async () => {
    for (const [name, options, has] of [
      ["ask", {}, true],
      ["look", {}, false],
      ["look", { previewAll: true }, true],
    ] as const) {
      const planned = await plan(call(name, "1"), [], options);
      expect(planned.status === "planned" && planned.item.preview !== undefined).toBe(has);
    }
  });

  it("says why there is no preview, and goes on", async () => {
    expect(await plan(call("stamp", "1"))).toMatchObject({
      status: "planned",
      noPreview: "timeout: no preview within 5 ms",
    });
  });

  it.each<[string, TurnCall, string, string]>([
    [
      "a provider that is not there",
      call("note", "1", { provider: "shelf" }),
      "not_found",
      'no provider "shelf"; there are desk',
    ],
    [
      "an operation that is not there",
      call("burn", "1"),
      "not_found",
      "there are note, stamp, look, ask, finish",
    ],
    ["an operation that the profile leaves out", call("hidden", "1"), "not_found", 'no operation "hidden"'],
    [
      "arguments that do not fit",
      { ...call("note", "1"), arguments: {} },
      "invalid_arguments",
      "page: required string is missing",
    ],
  ])("refuses %s", async (_what, turnCall, category, words) => {
    expect(await plan(turnCall)).toMatchObject({
      status: "refused",
      error: { category, message: expect.stringContaining(words) },
    });
  });

  it("is given up where the signal fires", async () => {
    const abort = new AbortController();
    abort.abort(new Error("enough"));
    await expect(plan(call("stamp", "1"), [], { signal: abort.signal })).rejects.toThrow("enough");
  });

  it("as the wire's message holds the changes only", async () => {
    const calls = await Promise.all(["note", "look", "burn", "ask"].map((name) => plan(call(name, "1"))));
    const message = planMessage({ turnId: "t", calls });
    expect(message).toMatchObject({ turnId: "t", items: [{ toolName: "note" }] });
  });
});
