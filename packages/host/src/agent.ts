// An agent without its kernel: providers, policy and a session, and turns of calls that go through them.
import type { ToolError } from "@pluggableharness/protocol";
import { type ApplyOptions, applyTurn } from "./apply.ts";
import type { CallPlace } from "./call-operation.ts";
import type { BreakerLimits } from "./circuit-breaker.ts";
import { EventBus } from "./kernel/event-bus.ts";
import type { SharedServices } from "./kernel/kernel-services.ts";
import { Session, type SessionOptions } from "./kernel/session.ts";
import { createUlids } from "./kernel/ulid.ts";
import { type AgentFiles, loadAgentParts } from "./load-agent.ts";
import type { Operation } from "./operation.ts";
import { type Planner, planCall } from "./plan.ts";
import type { RenderTree } from "./plugin-process.ts";
import type { Policy } from "./policy.ts";
import { Provider, type ProviderOptions } from "./provider.ts";
import { recordOutcome, recordPlan, SCHEMA_VERSION, storedResult } from "./record-turn.ts";
import type { LogRecord } from "./stderr-record.ts";
import type { CallOutcome, TurnCall, TurnOutcome, TurnPlan } from "./turn.ts";

/** What an agent is made of. */
export interface AgentParts {
  readonly providers: readonly Omit<ProviderOptions, "services" | "onLog" | "limits">[];
  readonly policy: Policy;
  /** Whether the profile offers the operation. */
  readonly offers: (provider: string, operation: string) => boolean;
  readonly profile: string;
}

export interface AgentOptions extends Pick<SharedServices, "runSession" | "countTokens"> {
  /** Where relative paths of calls start; by default where this process is. */
  readonly workingDirectory?: string;
  /** Takes what a provider logs and writes to stderr, without its secrets. */
  readonly onLog?: (record: LogRecord, provider: string) => void;
  readonly session?: Omit<SessionOptions, "profile">;
  /** How long a preview may take; 5 s by default. */
  readonly previewTimeoutMs?: number;
  /** When a provider that fails again and again is left alone. */
  readonly limits?: BreakerLimits;
}

/** How a turn is made. */
export type TurnOptions = Partial<ApplyOptions> & { readonly previewAll?: boolean };

/** Operations of an agent, and the providers that could not be asked for theirs. */
export interface AgentOperations {
  readonly operations: readonly Operation[];
  readonly failures: readonly { readonly provider: string; readonly error: ToolError }[];
}

const nextTurnId = createUlids();

/** One session of an agent. Close it; nothing of its plugins is left then. */
export class Agent implements AsyncDisposable {
  readonly session: Session;
  readonly workingDirectory: string;
  readonly #planner: Planner;
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #allowances = new Set<string>();
  readonly #closing = new AbortController();

  /** An agent of these parts; its plugins start when they are needed. */
  constructor({ providers, policy, offers, profile }: AgentParts, options: AgentOptions = {}) {
    const { onLog, limits, previewTimeoutMs } = options;
    this.session = new Session({ ...options.session, profile });
    this.workingDirectory = options.workingDirectory ?? process.cwd();
    const services: SharedServices = {
      sessions: new Map([[this.session.id, this.session]]),
      bus: new EventBus(),
      runSession: options.runSession,
      countTokens: options.countTokens,
    };
    this.#providers = new Map(
      providers.map((provider) => [
        provider.name,
        new Provider({
          ...provider,
          services,
          ...(limits !== undefined && { limits }),
          ...(onLog !== undefined && { onLog: (record) => onLog(record, provider.name) }),
        }),
      ]),
    );
    this.#planner = {
      providers: this.#providers,
      policy,
      offers,
      allowances: this.#allowances,
      ...(previewTimeoutMs !== undefined && { previewTimeoutMs }),
    };
  }

  /**
   * An agent of an operator's files. Throws with everything that is wrong in one of them; a plugin that is missing only
   * fails where it is needed.
   */
  static async open(options: AgentFiles & AgentOptions): Promise<Agent> {
    return new Agent(await loadAgentParts(options), options);
  }

  /** What the profile offers. Starts every provider, in parallel; one that fails does not keep the others away. */
  async operations({ signal }: TurnOptions = {}): Promise<AgentOperations> {
    const until = this.#until(signal);
    const operations: Operation[] = [];
    const failures: { provider: string; error: ToolError }[] = [];
    const started = [...this.#providers.values()].map(async (provider) => ({
      provider: provider.name,
      // Provider.ready throws ToolErrors only.
      ready: await provider.ready(until).catch((error: ToolError) => error),
    }));
    for (const { provider, ready } of await Promise.all(started)) {
      if (ready instanceof Error) failures.push({ provider, error: ready });
      else
        for (const operation of ready.operations.values())
          if (this.#planner.offers(provider, operation.name)) operations.push(operation);
    }
    until.throwIfAborted();
    return { operations, failures };
  }

  /** The plan of a turn: what would become of each call, and a preview of what it would do. */
  async plan(calls: readonly TurnCall[], { signal, previewAll }: TurnOptions = {}): Promise<TurnPlan> {
    const place = this.#place(nextTurnId());
    const options = { signal: this.#until(signal), previewAll };
    const planned = await Promise.all(calls.map((call) => planCall(this.#planner, call, place, options)));
    const plan = { turnId: place.turnId, calls: planned };
    recordPlan(this.session.events, plan, place);
    return plan;
  }

  /** Carries a plan out, with a person's approval where the policy asks for it. Never throws. */
  async apply(plan: TurnPlan, options: TurnOptions = {}): Promise<TurnOutcome> {
    const signal = this.#until(options.signal);
    const place = this.#place(plan.turnId);
    const { previewAll } = options;
    const outcome = await applyTurn(
      plan,
      {
        place,
        allowances: this.#allowances,
        replan: (call) => planCall(this.#planner, call, place, { signal, previewAll }),
      },
      { ...options, signal },
    );
    recordOutcome(this.session.events, outcome);
    return outcome;
  }

  /** Plans the calls of a turn and carries the plan out. */
  async run(calls: readonly TurnCall[], options: TurnOptions = {}): Promise<TurnOutcome> {
    return await this.apply(await this.plan(calls, options), options);
  }

  /** What came of a call as something to show; undefined where its plugin renders nothing. */
  async render(done: CallOutcome, { signal, timeoutMs }: TurnOptions = {}): Promise<RenderTree | undefined> {
    const provider = this.#providers.get(done.planned.call.provider);
    return await provider?.render(storedResult(done), SCHEMA_VERSION, {
      signal: this.#until(signal),
      timeoutMs: timeoutMs ?? RENDER_MS,
    });
  }

  /** Cancels what runs and ends every plugin. Safe to call twice; never throws. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the agent was closed"));
    await Promise.all([...this.#providers.values()].map((provider) => provider.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  #place(turnId: string): CallPlace {
    return { sessionId: this.session.id, turnId, workingDirectory: this.workingDirectory };
  }
}

const RENDER_MS = 10_000;
