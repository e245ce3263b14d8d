// The life of a state: opened by Configure, used by calls, disposed when nobody uses it any more.
import type { Json } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { definePlugin, progress, s, ui } from "./index.ts";
import { invokeTool } from "./invoke.ts";
import type { Kernel } from "./kernel.ts";
import { createLogger } from "./logger.ts";
import { PluginRuntime } from "./plugin-runtime.ts";

/** Nothing here calls the kernel. */
const kernel: Kernel = {
  call: () => Promise.reject(new Error("there is no kernel")),
  subscribe: () => {
    throw new Error("there is no kernel");
  },
  readEvents: () => {
    throw new Error("there is no kernel");
  },
};

interface State extends AsyncDisposable {
  readonly name: string;
}

/** A plugin whose states tell what becomes of them in `seen`. */
function runtimeOf(open: (name: string, signal: AbortSignal) => Promise<void>, seen: string[]) {
  const plugin = definePlugin({
    name: "demo",
    version: "0.0.1",
    source: "github.com/pluggableharness/plugin-tool-demo",
    config: s.object({ name: s.string("Its name.") }),
    open: async ({ name }, { signal }): Promise<State> => {
      await open(name, signal);
      seen.push(`${name} opened`);
      return {
        name,
        [Symbol.asyncDispose]: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(`${name} disposed`);
        },
      };
    },
  });
  const follow = plugin.defineTool({
    name: "follow",
    kind: "data_source",
    description: "Goes on until it is cancelled.",
    idempotent: true,
    concurrency: { safe: true },
    input: s.object({}),
    output: s.object({ operation: s.literal("follow") }),
    async *invoke(_input, call) {
      try {
        yield progress("begun");
        call.signal.throwIfAborted();
        await new Promise((_resolve, reject) =>
          call.signal.addEventListener("abort", () => reject(call.signal.reason)),
        );
        return { operation: "follow" };
      } finally {
        await new Promise((resolve) => setTimeout(resolve, 20));
        seen.push(`call cleaned up with ${call.state.name}`);
      }
    },
    render: () => ui.text(""),
  });
  return new PluginRuntime(
    plugin,
    [follow],
    kernel,
    createLogger("demo", () => {}),
  );
}

const config = (name: string): { [key: string]: Json } => ({ name });
const never = new AbortController().signal;

describe("a plugin's state", () => {
  it.each([
    ["was cancelled", true],
    ["was left by its reader", false],
  ])(
    "is disposed only when the clean-up of the last call that used it is done, which %s",
    async (_how, isCancelled) => {
      const seen: string[] = [];
      const runtime = runtimeOf(async () => {}, seen);
      await runtime.configure(config("first"), never);
      const abort = new AbortController();
      const call = invokeTool(
        runtime,
        { $typeName: "pluggableharness.tool.v1.ToolCall", id: "1", toolName: "follow", arguments: {} },
        { signal: abort.signal, deadline: undefined, metadata: {} },
      );
      await call.next();
      await runtime.configure(config("second"), never);
      if (isCancelled) {
        abort.abort(new Error("enough"));
        for await (const _ of call);
      } else await call.return();
      await runtime.close();
      expect(seen).toEqual([
        "first opened",
        "second opened",
        "call cleaned up with first",
        "first disposed",
        "second disposed",
      ]);
    },
  );

  it("that is opened by a Configure which was given up holds up no other, and is disposed when it comes", async () => {
    const seen: string[] = [];
    let arrive = (): void => {};
    const runtime = runtimeOf(
      (name) =>
        name === "slow"
          ? new Promise((resolve) => {
              arrive = resolve;
            })
          : Promise.resolve(),
      seen,
    );
    const abort = new AbortController();
    const slow = runtime.configure(config("slow"), abort.signal);
    const quick = runtime.configure(config("quick"), never);
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new Error("enough"));
    await expect(slow).rejects.toThrow("enough");
    await quick;
    expect(runtime.leaseState().state.name).toBe("quick");
    arrive();
    await new Promise((resolve) => setImmediate(resolve));
    await runtime.close();
    expect(seen).toEqual(["quick opened", "slow opened", "slow disposed", "quick disposed"]);
  });

  it("that comes after the plugin was closed is disposed", async () => {
    const seen: string[] = [];
    let arrive = (): void => {};
    const runtime = runtimeOf(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
      seen,
    );
    const configuring = runtime.configure(config("late"), never);
    await new Promise((resolve) => setImmediate(resolve));
    await runtime.close();
    arrive();
    await expect(configuring).rejects.toThrow("demo is ending");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(["late opened", "late disposed"]);
  });
});
