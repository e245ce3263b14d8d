import { create } from "@bufbuild/protobuf";
import { type Json, ToolError } from "@pluggableharness/protocol";
import { ToolEventSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import type { ToolCallInit, ToolEvent } from "./call.ts";
import { CallLock } from "./call-lock.ts";
import { type CallOperationOptions, callOperation, DEFAULT_TIMEOUT_MS } from "./call-operation.ts";
import type { Operation } from "./operation.ts";
import type { ProviderCallOptions } from "./provider.ts";

const idle = new AbortController().signal;
const operation: Operation = {
  provider: "files",
  name: "edit",
  kind: "resource",
  risk: "low",
  description: "",
  input: { type: "object", description: "", properties: { path: text() }, required: ["path"] },
  output: { type: "object", description: "", properties: { text: text() }, required: ["text"] },
  concurrency: { safe: true, keyFields: ["path"] },
  defaultTimeoutMs: undefined,
  mayRepeat: true,
  terminatesTurn: false,
};

function text() {
  return { type: "string", description: "" } as const;
}

function result(payload: { [key: string]: Json } | undefined): ToolEvent {
  const value = payload === undefined ? {} : { payload };
  return create(ToolEventSchema, { event: { case: "result", value } }).event;
}

function progress(message: string): ToolEvent {
  return create(ToolEventSchema, { event: { case: "progress", value: { message } } }).event;
}

type Script = (call: ToolCallInit, options: ProviderCallOptions) => AsyncGenerator<ToolEvent, void>;

/** A provider whose tries follow these scripts, in turn. */
function provider(...tries: Script[]) {
  const seen: { timeoutMs: number | undefined }[] = [];
  return {
    seen,
    lock: new CallLock(),
    invoke: (call: ToolCallInit, options: ProviderCallOptions) => {
      const script = tries[seen.length] ?? succeeds;
      seen.push({ timeoutMs: options.timeoutMs });
      return script(call, options);
    },
  };
}

async function* succeeds(): AsyncGenerator<ToolEvent, void> {
  yield result({ text: "done" });
}

const fails = (error: unknown): Script =>
  async function* () {
    yield progress("trying");
    throw error;
  };

function untilCancelled(_delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

function run(target: ReturnType<typeof provider>, options: Partial<CallOperationOptions> = {}, changes = {}) {
  return callOperation(
    target,
    { ...operation, ...changes },
    { id: "1", arguments: { path: "a" }, sessionId: "s", turnId: "t", workingDirectory: "/" },
    { signal: idle, wait: async () => {}, ...options },
  );
}

describe("a call", () => {
  it("hands on what streams, then gives the payload", async () => {
    const streamed: unknown[] = [];
    const target = provider(async function* () {
      yield progress("half");
      yield result({ text: "done", more: 1 });
    });
    const payload = await run(target, { onEvent: ({ case: name }) => void streamed.push(name) });
    expect([streamed, payload]).toEqual([["progress"], { text: "done", more: 1 }]);
  });

  it.each([
    ["the operation's own", { defaultTimeoutMs: 7 }, {}, 7],
    ["the host's", {}, {}, DEFAULT_TIMEOUT_MS],
    ["the caller's", { defaultTimeoutMs: 7 }, { timeoutMs: 9 }, 9],
    ["none", { defaultTimeoutMs: 7 }, { timeoutMs: Number.POSITIVE_INFINITY }, undefined],
  ])("has a deadline: %s", async (_whose, changes, options, timeoutMs) => {
    const target = provider();
    await run(target, options, changes);
    expect(target.seen).toEqual([{ timeoutMs }]);
  });

  it("is not made with arguments that do not fit", async () => {
    const target = provider();
    const call = { id: "1", arguments: { path: 3 }, sessionId: "", turnId: "", workingDirectory: "" };
    await expect(callOperation(target, operation, call, { signal: idle })).rejects.toMatchObject({
      category: "invalid_arguments",
      message: "edit: path: expected string, got number 3",
    });
    expect(target.seen).toEqual([]);
  });

  it.each([
    ["does not fit", { text: 3 }, "text: expected string, got number 3"],
    ["is missing", undefined, "result: expected object, got undefined"],
  ])("has no result that %s", async (_how, payload, words) => {
    const target = provider(async function* () {
      yield result(payload);
    });
    await expect(run(target)).rejects.toMatchObject({
      category: "unknown",
      message: expect.stringContaining(words),
    });
    expect(target.seen).toHaveLength(1);
  });

  it("is tried again where that is allowed, and its receiver told", async () => {
    const late = new ToolError("timeout", "late");
    const retried: ToolError[] = [];
    const target = provider(fails(late), fails(late));
    const onRetry = (failure: ToolError) => void retried.push(failure);
    expect(await run(target, { onRetry })).toEqual({ text: "done" });
    expect(retried).toEqual([late, late]);
    const once = provider(fails(late));
    await expect(run(once, {}, { mayRepeat: false })).rejects.toBe(late);
  });

  it("has the provider for itself after a conflict", async () => {
    const conflict = new ToolError("concurrency_conflict", "busy");
    let end = () => {};
    const target = provider(fails(conflict));
    const other = target.lock.run(
      { kind: "key", key: "x" },
      idle,
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const call = run(target);
    while (target.seen.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(target.seen).toHaveLength(1);
    end();
    await other;
    expect(await call).toEqual({ text: "done" });
    expect(target.seen).toHaveLength(2);
  });

  it.each([
    ["before it began", (abort: AbortController) => abort.abort(new Error("enough")), {}],
    ["between two tries", () => {}, { wait: untilCancelled }],
    ["while its receiver is busy", () => {}, { onEvent: () => new Promise<void>(() => {}) }],
  ])("is cancelled %s", async (_when, before, options) => {
    const abort = new AbortController();
    before(abort);
    const target = provider(fails(new ToolError("timeout", "late")));
    const call = run(target, { signal: abort.signal, ...options });
    const outcome = expect(call).rejects.toMatchObject({ category: "cancelled" });
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new Error("enough"));
    await outcome;
  });

  it("fails where its receiver fails", async () => {
    const target = provider(fails(new Error("not reached")));
    const onEvent = () => Promise.reject(new Error("the screen is gone"));
    await expect(run(target, { onEvent })).rejects.toMatchObject({
      category: "unknown",
      message: "the screen is gone",
    });
  });
});
