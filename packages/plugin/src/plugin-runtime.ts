// What one running plugin holds: its tools by name, the state of the current configuration, its logger and the
// kernel. A state stays alive until the last call that uses it has ended.
import { type Json, ToolError } from "@pluggableharness/protocol";
import { readConfig } from "./config.ts";
import type { Plugin, Tool } from "./define-plugin.ts";
import type { Kernel } from "./kernel.ts";
import type { Logger } from "./logger.ts";

/** A state in use; disposing gives it back. */
export interface StateLease<State> extends Disposable {
  readonly state: State;
}

interface HeldState<State> {
  readonly state: State;
  users: number;
  retired: boolean;
}

/** How long an `open` may go on after its Configure was given up. */
const OPEN_GRACE_MS = 1_000;

/** One per process. */
export class PluginRuntime<State> {
  readonly plugin: Plugin<State>;
  readonly tools: ReadonlyMap<string, Tool<State>>;
  readonly kernel: Kernel;
  readonly log: Logger;
  #held: HeldState<State> | undefined;
  #configuring: Promise<void> = Promise.resolve();
  /** Of states that are not used any more; the end of the process waits for them. */
  readonly #disposals = new Set<Promise<void>>();
  #closed = false;

  /** Throws where two tools have one name: the kernel would reach only one of them. */
  constructor(plugin: Plugin<State>, tools: readonly Tool<State>[], kernel: Kernel, log: Logger) {
    this.plugin = plugin;
    this.kernel = kernel;
    this.log = log;
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.tools.size !== tools.length) throw new Error("two tools of this plugin have the same name");
  }

  /** The tool of that name. Throws not_found with the names there are. */
  tool(name: string | undefined): Tool<State> {
    const tool = this.tools.get(name ?? "");
    if (tool !== undefined) return tool;
    const known = [...this.tools.keys()].join(", ");
    throw new ToolError(
      "not_found",
      `${this.plugin.name} has no operation ${JSON.stringify((name ?? "").slice(0, 100))}; it has: ${known}`,
    );
  }

  /** Opens the plugin with a configuration, replacing the one before. One after the other where calls overlap. */
  async configure(config: { readonly [key: string]: Json }, signal: AbortSignal): Promise<void> {
    const before = this.#configuring;
    const mine = before.then(async () => {
      const state = await this.#open(config, signal);
      this.#retire();
      this.#held = { state, users: 0, retired: false };
    });
    this.#configuring = mine.catch(() => {});
    await mine;
  }

  /** The current state, kept alive until the lease is disposed. Throws execution_failed before Configure. */
  leaseState(): StateLease<State> {
    const lease = this.leaseStateIfAny();
    if (lease === undefined) {
      throw new ToolError(
        "execution_failed",
        `${this.plugin.name} has not been configured; call Configure first`,
      );
    }
    return lease;
  }

  /** As leaseState, but undefined before Configure. */
  leaseStateIfAny(): StateLease<State> | undefined {
    const held = this.#held;
    if (held === undefined) return undefined;
    held.users++;
    return {
      state: held.state,
      [Symbol.dispose]: () => {
        held.users--;
        if (held.retired && held.users === 0) this.#dispose(held.state);
      },
    };
  }

  /**
   * Disposes the state at once, whoever still uses it: the process is about to end. A state that is being opened is
   * disposed when it comes.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const state = this.#held?.state;
    this.#held = undefined;
    if (state !== undefined) await disposeState(state);
    await Promise.all(this.#disposals);
  }

  /** Opens a state. One that is not there a grace after the signal fired holds up nobody, and is disposed when it comes. */
  async #open(config: { readonly [key: string]: Json }, signal: AbortSignal): Promise<State> {
    signal.throwIfAborted();
    const opening = Promise.resolve(
      this.plugin.open(readConfig(this.plugin.config, config), { log: this.log, signal }),
    );
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    const givenUp = new Promise<never>((_resolve, reject) => {
      onAbort = () => {
        timer = setTimeout(() => reject(signal.reason), OPEN_GRACE_MS);
      };
      signal.addEventListener("abort", onAbort);
    });
    let isTaken = false;
    try {
      const state = await Promise.race([opening, givenUp]);
      isTaken = !this.#closed;
      if (isTaken) return state;
      throw new ToolError("cancelled", `${this.plugin.name} is ending`);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      // Its failure, if that is what comes, was told or has no one to go to any more.
      if (!isTaken) opening.then((state) => this.#dispose(state)).catch(() => {});
    }
  }

  #retire(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    held.retired = true;
    if (held.users === 0) this.#dispose(held.state);
  }

  #dispose(state: State): void {
    const disposal = disposeState(state)
      .catch((error: unknown) => this.log.error("closing the previous configuration failed", { error }))
      .finally(() => this.#disposals.delete(disposal));
    this.#disposals.add(disposal);
  }
}

async function disposeState(state: unknown): Promise<void> {
  if (typeof state !== "object" || state === null) return;
  if (isAsyncDisposable(state)) await state[Symbol.asyncDispose]();
  else if (isDisposable(state)) state[Symbol.dispose]();
}

function isAsyncDisposable(value: object): value is AsyncDisposable {
  return Symbol.asyncDispose in value && typeof value[Symbol.asyncDispose] === "function";
}

function isDisposable(value: object): value is Disposable {
  return Symbol.dispose in value && typeof value[Symbol.dispose] === "function";
}
