// The order of the calls of a turn against the rule in its plainest form: a call begins as soon as it conflicts with no
// call before it that has not ended.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyTurn } from "./apply.ts";
import { planCall } from "./plan.ts";
import { call, FakeDesk, idle, place, planner } from "./testing/desk.ts";
import type { TurnCall } from "./turn.ts";

function conflict(one: TurnCall, other: TurnCall): boolean {
  if (one.provider !== other.provider) return false;
  // Alone with its provider.
  if (one.operation === "stamp" || other.operation === "stamp") return true;
  return (
    one.operation === "note" &&
    other.operation === "note" &&
    one.arguments["page"] === other.arguments["page"]
  );
}

/** What has begun after each end, by the rule. `ends` says which of the running calls ends next. */
function byTheRule(calls: readonly TurnCall[], ends: readonly number[]): string[][] {
  const [begun, ended] = [new Set<TurnCall>(), new Set<TurnCall>()];
  const steps: string[][] = [];
  for (let step = 0; ended.size < calls.length; step++) {
    for (const [index, each] of calls.entries()) {
      const before = calls.slice(0, index).filter((earlier) => !ended.has(earlier));
      if (!before.some((earlier) => conflict(earlier, each))) begun.add(each);
    }
    steps.push([...begun].map(({ id }) => id).sort());
    const running = calls.filter((each) => begun.has(each) && !ended.has(each));
    const next = running[(ends[step] ?? 0) % running.length];
    if (next !== undefined) ended.add(next);
  }
  return steps;
}

/** The same of a real turn. */
async function inTruth(calls: readonly TurnCall[], ends: readonly number[]): Promise<string[][]> {
  const running = new Map<string, () => void>();
  const begun = new Set<string>();
  const desk = (name: string) =>
    new FakeDesk(name, async ({ id }) => {
      begun.add(id);
      await new Promise<void>((resolve) => running.set(id, resolve));
      return { text: "done" };
    });
  const rules = [{ name: "all", action: "allow", match: {} }] as const;
  const made = planner(
    new Map([
      ["desk", desk("desk")],
      ["shelf", desk("shelf")],
    ]),
    rules,
  );
  const replan = (turnCall: TurnCall) => planCall(made, turnCall, place, { signal: idle });
  const plan = { turnId: "t", calls: await Promise.all(calls.map(replan)) };
  const applied = applyTurn(plan, { allowances: made.allowances, place, replan }, { signal: idle });
  const steps: string[][] = [];
  for (let step = 0; step < calls.length; step++) {
    await new Promise((resolve) => setImmediate(resolve));
    steps.push([...begun].sort());
    const order = calls.filter(({ id }) => running.has(id));
    const next = order[(ends[step] ?? 0) % order.length]?.id ?? "";
    running.get(next)?.();
    running.delete(next);
  }
  await applied;
  return steps;
}

describe("the calls of a turn", () => {
  it("begin as soon as the rule allows, and no sooner", async () => {
    const calls = fc
      .array(
        fc.record({
          provider: fc.constantFrom("desk", "shelf"),
          operation: fc.constantFrom("note", "note", "look", "stamp"),
          page: fc.constantFrom("a", "b"),
        }),
        { maxLength: 10 },
      )
      .map((list) =>
        list.map(({ provider, operation, page }, index) =>
          call(operation, page, { id: String(index), provider }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(calls, fc.array(fc.nat({ max: 9 }), { maxLength: 10 }), async (list, ends) => {
        expect(await inTruth(list, ends)).toEqual(byTheRule(list, ends));
      }),
      { numRuns: 200 },
    );
  });
});
