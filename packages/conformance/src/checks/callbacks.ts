// The plugin and the kernel behind it: callbacks are for the plugin's good, and a kernel that refuses them must not
// disturb it (wire.md, kernel.v1; semantics.md, 'Launch').
import { type Check, notReached, passUnless } from "../check.ts";
import { callables, endOf, exchange, resultOf } from "../exchange.ts";

export const callbackChecks: readonly Check[] = [
  {
    id: "callbacks.refused",
    rule: "A kernel that answers Log and its like with errors does not disturb a call.",
    source: "wire.md, kernel.v1: 'a failing Log call must never disturb the plugin'",
    run: async (trial) => {
      const good = (await trial.exchanges()).filter(({ outcome }) => resultOf(outcome.events) !== undefined);
      if (good.length === 0) return notReached("no call ended with a result");
      await using plugin = await trial.connectConfigured("refuses");
      const problems: string[] = [];
      for (const made of good) {
        const { outcome } = await exchange(plugin, made, trial.scratch);
        const disturbed = resultOf(outcome.events) === undefined;
        // Without sessions there are no sub-agents: that is no disturbance, but the operation's own failure.
        if (
          disturbed &&
          !plugin.kernel.called.includes("getSession") &&
          !plugin.kernel.called.includes("runSession")
        )
          problems.push(`${made.tool.name} ended with ${endOf(outcome)}`);
      }
      return passUnless(problems, `${good.length} calls ended with a result`);
    },
  },
  {
    id: "callbacks.absent",
    rule: "A host that offers no callbacks is served all the same.",
    source: "go-plugin.md, 'Reaching the kernel'",
    run: async (trial) => {
      const [callable] = callables((await trial.schema()).tools, trial.recipe);
      if (callable === undefined) return notReached("no operation could be called");
      await using plugin = await trial.connectSilently();
      const refusal = await plugin.configure(await trial.config());
      if (refusal !== undefined) return passUnless([`Configure failed: ${refusal.message}`], "");
      const { outcome } = await exchange(plugin, { ...callable, args: callable.args }, trial.scratch);
      return passUnless(
        outcome.status === undefined ? [] : [`${callable.tool.name} ended with ${endOf(outcome)}`],
        endOf(outcome),
      );
    },
  },
];
