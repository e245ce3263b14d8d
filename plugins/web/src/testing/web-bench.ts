// A configured web plugin for tests: operations run as the SDK runs them, with validated arguments and checked results.
import type { Call, Logger, RenderNode, StreamEvent, Tool } from "@pluggableharness/plugin";
import { isToolError, problemsInWords, ToolError, validate } from "@pluggableharness/protocol";
import { web } from "../plugin.ts";
import { webFetch } from "../web-fetch.ts";
import { webSearch } from "../web-search.ts";
import type { WebState } from "../web-state.ts";

const tools: Readonly<Record<string, Tool<WebState>>> = { web_fetch: webFetch, web_search: webSearch };

type Arguments = Record<string, unknown>;

/** What web_fetch returns. */
export interface Page {
  readonly final_url: string;
  readonly status: number;
  readonly content_type: string;
  readonly title: string;
  readonly content: string;
  readonly truncated: boolean;
  readonly next_offset?: number;
  readonly total_chars: number;
  readonly bytes: number;
  readonly fetched_at: string;
  readonly from_cache: boolean;
  readonly notes?: readonly string[];
}

export interface Search {
  readonly results: readonly {
    title: string;
    url: string;
    snippet: string;
    published?: string;
    source: string;
  }[];
  readonly backend: string;
  readonly truncated: boolean;
  readonly next_offset?: number;
  readonly notes?: readonly string[];
}

export interface RunOptions {
  readonly session?: string;
  readonly signal?: AbortSignal;
}

const silent: Logger = {
  log: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silent,
};

export class WebBench implements AsyncDisposable {
  readonly state: WebState;
  readonly events: StreamEvent[] = [];

  private constructor(state: WebState) {
    this.state = state;
  }

  /** Configures a plugin; defaults are filled in as Configure does. */
  static async open(config: Arguments): Promise<WebBench> {
    const filled: Arguments = { ...config };
    for (const [name, { defaultJson }] of Object.entries(web.config.properties)) {
      if (defaultJson !== undefined && !(name in filled)) filled[name] = JSON.parse(defaultJson);
    }
    check(web.config, filled);
    return new WebBench(await web.open(filled, { log: silent, signal: new AbortController().signal }));
  }

  async fetch(input: Arguments | string, options: RunOptions = {}): Promise<Page> {
    const args = typeof input === "string" ? { url: input } : input;
    return (await this.#run("web_fetch", args, options)) as Page; // by its schema, which is checked
  }

  async search(input: Arguments | string, options: RunOptions = {}): Promise<Search> {
    const args = typeof input === "string" ? { query: input } : input;
    return (await this.#run("web_search", args, options)) as Search; // by its schema, which is checked
  }

  /** The ToolError of a fetch that must fail. */
  async refusal(input: Arguments | string, options: RunOptions = {}): Promise<ToolError> {
    return await failureOf(this.fetch(input, options));
  }

  async preview(operation: string, input: Arguments): Promise<RenderNode> {
    const node = await tools[operation]?.preview?.(input, this.#call({}));
    if (node === undefined) throw new Error(`${operation} has no preview`);
    return node;
  }

  render(operation: string, result: unknown): RenderNode {
    const tool = tools[operation];
    if (tool === undefined) throw new Error(`there is no operation ${operation}`);
    return tool.render(result);
  }

  endSession(session: string): void {
    web.sessionEnded?.(this.state, session);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.state[Symbol.asyncDispose]();
  }

  async #run(operation: string, input: Arguments, options: RunOptions): Promise<unknown> {
    const tool = tools[operation];
    if (tool === undefined) throw new Error(`there is no operation ${operation}`);
    check(tool.input, input);
    const running = tool.invoke(input, this.#call(options));
    let result: unknown;
    if ("next" in running) {
      for (;;) {
        const step = await running.next();
        if (step.done === true) {
          result = step.value;
          break;
        }
        this.events.push(step.value);
      }
    } else result = await running;
    check(tool.output, result);
    return result;
  }

  #call({ session = "session-1", signal = new AbortController().signal }: RunOptions): Call<WebState> {
    return {
      state: this.state,
      signal,
      context: { sessionId: session, turnId: "turn", workingDirectory: "/" },
      id: "call",
      deadline: undefined,
      kernel: unreachableKernel,
      log: silent,
    };
  }
}

/** The ToolError that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ToolError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (isToolError(outcome)) return outcome;
  throw outcome instanceof Error
    ? outcome
    : new Error(`should have failed, but gave ${JSON.stringify(outcome)}`);
}

/** What stands between the marks of a result. */
export function unmarked(text: string): string {
  const found = /^<(untrusted-[0-9a-f]{16})>\n?([\s\S]*?)\n?<\/\1>$/.exec(text);
  if (found === null) throw new Error(`not between marks: ${text.slice(0, 200)}`);
  return found[2] ?? "";
}

const unreachable = () => {
  throw new Error("no operation of this plugin calls the kernel");
};
const unreachableKernel: Call<WebState>["kernel"] = {
  call: () => Promise.reject(new Error("no operation of this plugin calls the kernel")),
  subscribe: unreachable,
  readEvents: unreachable,
};

function check(schema: Parameters<typeof validate>[0], value: unknown): void {
  const problems = validate(schema, value);
  if (problems.length > 0) throw new ToolError("invalid_arguments", problemsInWords(problems, "value"));
}
