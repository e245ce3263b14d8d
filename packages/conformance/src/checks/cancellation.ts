// What a call does when nobody waits for it any more (semantics.md, 'Calls'; tool-protocol.txt, 'Invoke'). Nothing
// can be read of a call that was reset; so its deadline is announced and not kept, and the plugin has to act on it.
import { create, toBinary } from "@bufbuild/protobuf";
import { InvokeRequestSchema, InvokeResponseSchema, ToolService } from "@pluggableharness/protocol/wire";
import { eventually, within } from "../bounded-wait.ts";
import { type Check, fail, notReached, type Outcome, pass, passUnless } from "../check.ts";
import { type ConnectedPlugin, QUICK_MS, type ToolEvent } from "../connected-plugin.ts";
import { type Callable, cancellable } from "../exchange.ts";
import { canFindProcesses, processesBelow, type SeenProcess, stillRuns } from "../process-search.ts";
import { decoded, pathOf, RawSession } from "../raw-call.ts";
import { RUN_VARIABLE, type Trial } from "../trial.ts";

const SOURCE = "semantics.md, 'Calls'";
const NO_CALL = "the recipe has no call with `cancel`";
/** The announced deadline, and how long after it a call must have ended. */
const DEADLINE_MS = 150;
const END_MS = 4_000;

/** Looks at every operation whose recipe has a call that goes on for seconds. */
async function ofLongCalls(
  trial: Trial,
  problem: (callable: Callable) => Promise<string | undefined>,
): Promise<Outcome> {
  const long = cancellable(await trial.schema(), trial.recipe);
  if (long.length === 0) return notReached(NO_CALL);
  const problems: string[] = [];
  for (const callable of long) {
    trial.scratch.restore();
    const wrong = await problem(callable);
    if (wrong !== undefined) problems.push(`${callable.tool.name} ${wrong}`);
  }
  return passUnless(problems, `holds of ${long.map(({ tool }) => tool.name).join(", ")}`);
}

interface Deadlined {
  readonly ended: boolean;
  readonly last: ToolEvent | undefined;
}

/** Makes the call with a deadline that only the plugin knows of. */
async function withDeadline(trial: Trial, { tool, args }: Callable): Promise<Deadlined> {
  const plugin = await trial.configured.get();
  using session = new RawSession(plugin.address);
  const call = plugin.message({ tool: tool.name, args, workingDirectory: trial.scratch.path });
  const { messages, ended } = await session.call(
    pathOf(ToolService.method.invoke),
    toBinary(InvokeRequestSchema, create(InvokeRequestSchema, { call })),
    { headers: { "grpc-timeout": `${DEADLINE_MS}m` }, waitMs: DEADLINE_MS + END_MS },
  );
  const last = messages.at(-1);
  return { ended, last: last === undefined ? undefined : decoded(InvokeResponseSchema, last).event?.event };
}

/** Starts the call and resets it while it runs; `look` is called in between. */
async function reset(
  plugin: ConnectedPlugin,
  { tool, args }: Callable,
  workingDirectory: string,
  look: () => void = () => {},
): Promise<void> {
  const controller = new AbortController();
  const call = plugin.invoke({ tool: tool.name, args, workingDirectory }, { signal: controller.signal });
  await within(call, 200);
  look();
  controller.abort();
  await call;
}

export const cancellationChecks: readonly Check[] = [
  {
    id: "cancel.deadline-ends",
    rule: "A call whose deadline has passed ends by itself, within a few seconds.",
    source: "go-plugin-verified.md, section 10",
    run: (trial) =>
      ofLongCalls(trial, async (callable) => {
        const { ended } = await withDeadline(trial, callable);
        return ended ? undefined : `goes on ${END_MS} ms after its deadline`;
      }),
  },
  {
    id: "cancel.no-success",
    rule: "A call that was given up does not end with a result: it would claim a success.",
    source: SOURCE,
    run: (trial) =>
      ofLongCalls(trial, async (callable) => {
        const { last } = await withDeadline(trial, callable);
        return last?.case === "result" ? "ends with a result" : undefined;
      }),
  },
  {
    id: "cancel.goes-on",
    rule: "After a call was reset, the plugin answers others.",
    source: SOURCE,
    run: (trial) =>
      ofLongCalls(trial, async (callable) => {
        const plugin = await trial.configured.get();
        for (let time = 0; time < 3; time++) await reset(plugin, callable, trial.scratch.path);
        const answer = await within(plugin.getSchema(), QUICK_MS);
        return answer === undefined ? `leaves the plugin without an answer for ${QUICK_MS} ms` : undefined;
      }),
  },
  {
    id: "cancel.children",
    rule: "A call that was reset leaves no process behind.",
    source: "catalog.md, 'exec'",
    run: async (trial) => {
      if (!canFindProcesses) return notReached("this system does not show the environment of processes");
      const withProcess = cancellable(await trial.schema(), trial.recipe).filter(
        ({ recipe }) => recipe?.process === true,
      );
      if (withProcess.length === 0) return notReached("no call with `cancel` runs a process");
      const mark = trial.mark();
      await using plugin = await trial.connectConfigured("answers", {
        environment: { [RUN_VARIABLE]: mark },
      });
      const pid = await plugin.subject.pluginPid;
      const own = new Set([...trial.processesMarked(mark), ...processesBelow(pid).map((seen) => seen.pid)]);
      const seen: SeenProcess[] = [];
      for (const callable of withProcess)
        await reset(plugin, callable, trial.scratch.path, () => seen.push(...processesBelow(pid)));
      const left = (): number[] =>
        [
          ...new Set([...trial.processesMarked(mark), ...seen.filter(stillRuns).map((one) => one.pid)]),
        ].filter((one) => !own.has(one));
      const isGone = await eventually(() => left().length === 0, END_MS);
      return isGone ? pass(`of ${seen.length} none is left`) : fail(`left: ${left().join(", ")}`);
    },
  },
];
