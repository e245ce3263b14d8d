// A host survives plugins that never answer, that die at every step, and whose children stay.
import { afterAll, describe, expect, it } from "vitest";
import { stopAll } from "../../plugin/e2e/plugin-under-test.ts";
import { meet, TIME_MS } from "./meet-host.ts";
import { framePlugin, rawPlugin } from "./scripted-plugin.ts";

afterAll(stopAll);

const on = (method: string, source: string): string =>
  rawPlugin(`if (method === "${method}") { ${source}; return; }`);
const methods = {
  describe: "Describe",
  getSchema: "GetSchema",
  configure: "Configure",
  preview: "Preview",
  render: "Render",
  invoke: "Invoke",
} as const;
const every = Object.entries(methods);

describe("a host", { timeout: TIME_MS + 5_000 }, () => {
  describe("survives a plugin that never answers", () => {
    it.concurrent.each(every.filter(([act]) => act === "configure" || act === "render"))(
      "%s",
      async (act, method) => {
        expect((await meet(act, on(method, ""))).seen).toMatch(/^timeout: no result within/);
      },
    );

    it("invoke, and never ends its stream", async () => {
      const plugin = on("Invoke", "stream.respond(head); stream.write(progress)");
      expect((await meet("invokeQuickly", plugin)).seen).toMatch(/^timeout: no result within/);
    });

    it("invoke, with a result and no end", async () => {
      const plugin = on("Invoke", "stream.respond(head); stream.write(result)");
      expect((await meet("invokeQuickly", plugin)).seen).toMatch(/^timeout: no result within/);
    });

    it("Shutdown, SIGTERM and SIGINT", async () => {
      const deaf = rawPlugin('process.on("SIGTERM", () => {}); process.on("SIGINT", () => {});', {
        onShutdown: "",
      });
      expect((await meet("describe", deaf)).seen).toContain("unknown");
    });
  });

  describe("survives a plugin that dies", () => {
    it.concurrent.each([
      ...every.flatMap(([act, method]) =>
        ["process.exit(0)", "process.exit(3)", 'process.kill(process.pid, "SIGKILL")'].map(
          (death) => [`in ${method} by ${death}`, act, on(method, death)] as const,
        ),
      ),
      [
        "in the middle of a stream",
        "invoke",
        on(
          "Invoke",
          `stream.respond(head); stream.write(progress, () => process.kill(process.pid, "SIGKILL"))`,
        ),
      ] as const,
      [
        "with half a message out",
        "invoke",
        on(
          "Invoke",
          `stream.respond(head); stream.write(Buffer.from([0, 0, 0, 0, 9, 1]), () => process.exit(1))`,
        ),
      ] as const,
      ["when it is connected to", "describe", framePlugin("process.exit(2)")] as const,
      ["in Shutdown", "launch", rawPlugin("", { onShutdown: "process.abort()" })] as const,
    ])("%s", async (_name, act, plugin) => {
      const { seen } = await meet(act, plugin);
      expect(seen).toMatch(/^process_crashed: |^launched$|cannot launch/);
    });
  });

  it("survives a plugin whose child keeps its pipes open", async () => {
    const plugin = rawPlugin("", {
      onListening: `require("child_process").spawn("sleep", ["6"], { stdio: ["ignore", 1, 2], detached: true }).unref();`,
    });
    expect((await meet("launch", plugin)).seen).toBe("launched");
  });
});
