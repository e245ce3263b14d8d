import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JudgedCall, Policy, type PolicyRule } from "./policy.ts";

const edit: JudgedCall = {
  kind: "resource",
  provider: "filesystem",
  toolName: "edit_file",
  risk: "moderate",
};
const read: JudgedCall = {
  kind: "data_source",
  provider: "filesystem",
  toolName: "read_file",
  risk: "read_only",
};
const ask: JudgedCall = { kind: "interactive", provider: "user", toolName: "ask_user", risk: "read_only" };

const rule = (name: string, match: PolicyRule["match"], action: PolicyRule["action"]): PolicyRule => ({
  name,
  match,
  action,
});

describe("Policy", () => {
  it.each<[string, JudgedCall, string]>([
    ["a change", edit, "ask"],
    ["a read", read, "allow"],
    ["a question", ask, "allow"],
  ])("decides %s without a rule", (_name, call, action) => {
    expect(new Policy([]).decide(call)).toEqual({ action, decidedBy: "default" });
  });

  it.each([
    [
      "tool over everything else",
      { toolName: "edit_file" },
      { provider: "filesystem", risk: "moderate", kind: "resource" },
    ],
    ["provider over risk and kind", { provider: "filesystem" }, { risk: "moderate", kind: "resource" }],
    ["risk over kind", { risk: "moderate" }, { kind: "resource" }],
    ["more over less", { toolName: "edit_file", kind: "resource" }, { toolName: "edit_file" }],
    ["anything over nothing", { kind: "resource" }, {}],
  ] as const)("lets the more specific rule win: %s", (_name, specific, general) => {
    const rules = [rule("general", general, "allow"), rule("specific", specific, "deny")];
    expect(new Policy(rules).decide(edit).decidedBy).toBe("specific");
    expect(new Policy([...rules].reverse()).decide(edit).decidedBy).toBe("specific");
  });

  it("turns an ask about what has no plan into a deny, with a warning", () => {
    const policy = new Policy([rule("careful", {}, "ask")]);
    expect(policy.decide(edit)).toEqual({ action: "ask", decidedBy: "careful" });
    for (const call of [read, ask]) {
      expect(policy.decide(call)).toMatchObject({
        action: "deny",
        decidedBy: "careful",
        warning: expect.stringContaining(call.toolName),
      });
    }
  });

  it("judges a question by the rules for reads", () => {
    const policy = new Policy([rule("headless", { kind: "data_source", provider: "user" }, "deny")]);
    expect(policy.decide(ask).action).toBe("deny");
  });

  it("refuses two rules for the same calls, naming both", () => {
    const twice = [rule("one", { provider: "web" }, "allow"), rule("two", { provider: "web" }, "deny")];
    expect(() => new Policy(twice)).toThrow('the policies "one" and "two" match the same calls');
  });

  it("decides as the rules say when they are read one by one", () => {
    const field = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const match = fc.record({
      kind: field("resource" as const, "data_source" as const),
      provider: field("a", "b"),
      toolName: field("x", "y"),
      risk: field("low" as const, "read_only" as const),
    });
    const calls = fc.record({
      kind: fc.constantFrom("resource" as const, "data_source" as const, "interactive" as const),
      provider: fc.constantFrom("a", "b"),
      toolName: fc.constantFrom("x", "y"),
      risk: fc.constantFrom("low" as const, "read_only" as const),
    });
    const rules = fc.uniqueArray(match, {
      selector: (one) => JSON.stringify(Object.entries(one).sort()),
      maxLength: 8,
    });
    const actions = fc.infiniteStream(fc.constantFrom("allow" as const, "ask" as const, "deny" as const));
    fc.assert(
      fc.property(rules, actions, calls, (matches, stream, call) => {
        const all = matches.map((one, index) => {
          const given = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));
          return rule(`rule ${index}`, given, stream.next().value ?? "deny");
        });
        expect(new Policy(all).decide(call)).toMatchObject(naive(all, call));
      }),
      { numRuns: 500 },
    );
  });

  /** The definition, read word by word: of the rules that match, the greatest by the tuple. */
  function naive(rules: readonly PolicyRule[], call: JudgedCall) {
    const kind = call.kind === "interactive" ? "data_source" : call.kind;
    let best: PolicyRule | undefined;
    for (const one of rules) {
      const { toolName, provider, risk } = one.match;
      if (one.match.kind !== undefined && one.match.kind !== kind) continue;
      if (toolName !== undefined && toolName !== call.toolName) continue;
      if (provider !== undefined && provider !== call.provider) continue;
      if (risk !== undefined && risk !== call.risk) continue;
      if (best === undefined || tuple(one) > tuple(best)) best = one;
    }
    const action = best?.action ?? (call.kind === "resource" ? "ask" : "allow");
    return {
      action: action === "ask" && call.kind !== "resource" ? "deny" : action,
      decidedBy: best?.name ?? "default",
    };
  }

  function tuple({ match }: PolicyRule): string {
    return [match.toolName, match.provider, match.risk, match.kind]
      .map((value) => (value === undefined ? "0" : "1"))
      .join("");
  }
});
