// A real folder with a configured search plugin on it, for tests: operations run as the SDK runs them, with validated
// arguments and checked results.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Call, Logger, RenderNode, StreamEvent, Tool } from "@pluggableharness/plugin";
import { isToolError, problemsInWords, ToolError, validate } from "@pluggableharness/protocol";
import { glob } from "../glob.ts";
import { grep } from "../grep.ts";
import { type SearchState, search } from "../plugin.ts";

const tools: Readonly<Record<string, Tool<SearchState>>> = { glob, grep };

type Arguments = Record<string, unknown>;

/** A match, a file or a warning of any result, as tests look at them. */
export interface Found extends Arguments {
  readonly matches: readonly Record<string, unknown>[];
  readonly files: readonly Record<string, unknown>[];
  readonly warnings: readonly string[];
}

/** What a call may be given beside its arguments. */
export interface CallOptions {
  readonly workingDirectory?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

/** One folder as the only root, and a second one outside of it. */
export class Workspace implements Disposable {
  /** Around both. */
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "search-test-")));
  /** The root. */
  readonly root: string;
  /** A folder beside the root. */
  readonly outside: string;
  readonly state: SearchState;
  /** The events of the last call before its result. */
  events: StreamEvent[] = [];

  constructor(config: Arguments = {}, rootName = "root") {
    this.root = join(this.base, rootName);
    this.outside = join(this.base, "root-outside");
    mkdirSync(this.root);
    mkdirSync(this.outside);
    this.state = open({ roots: [this.root], ...config });
  }

  /** The result of a call; a ToolError is thrown. Missing lists are empty ones. */
  async run(operation: string, input: Arguments, options: CallOptions = {}): Promise<Found> {
    const tool = toolOf(operation);
    check(tool.input, input);
    this.events = [];
    const running = tool.invoke(input, this.#call(options));
    if (running instanceof Promise) throw new Error(`${operation} should stream`);
    for (;;) {
      const step = await running.next();
      if (step.done !== true) {
        this.events.push(step.value);
        continue;
      }
      check(tool.output, step.value);
      // An object by its schema, checked above.
      return { matches: [], files: [], warnings: [], ...(step.value as Arguments) };
    }
  }

  /** The paths of a result, in its order. */
  async paths(operation: string, input: Arguments, options?: CallOptions): Promise<string[]> {
    const { matches, files } = await this.run(operation, input, options);
    return [...new Set([...matches, ...files].map(({ path }) => String(path)))];
  }

  /** Matches of a grep as `path:line:text`. */
  async lines(input: Arguments, options?: CallOptions): Promise<string[]> {
    const { matches } = await this.run("grep", input, options);
    return matches.map(({ path, line, text }) => `${path}:${line}:${text}`);
  }

  /** The ToolError of a call that must fail. */
  async failure(operation: string, input: Arguments, options?: CallOptions): Promise<ToolError> {
    const outcome = await this.run(operation, input, options).catch((error: unknown) => error);
    if (isToolError(outcome)) return outcome;
    throw new Error(`${operation} should have failed, but gave ${JSON.stringify(outcome)}`);
  }

  /** What a person sees before. */
  async preview(operation: string, input: Arguments): Promise<RenderNode> {
    const node = await toolOf(operation).preview?.(input, this.#call({}));
    if (node === undefined) throw new Error(`${operation} has no preview`);
    return node;
  }

  /** What a person sees after. */
  render(result: Arguments): RenderNode {
    return toolOf(String(result["operation"])).render(result);
  }

  /** Writes a file of the root, with the directories it needs. */
  put(name: string, content: string | Uint8Array = ""): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Makes a link in the root. */
  link(name: string, target: string): void {
    symlinkSync(target, join(this.root, name));
  }

  [Symbol.dispose](): void {
    this.state[Symbol.dispose]();
    rmSync(this.base, { recursive: true, force: true });
  }

  #call({ workingDirectory = this.root, sessionId = "session-1", signal }: CallOptions): Call<SearchState> {
    return {
      id: "call",
      state: this.state,
      signal: signal ?? new AbortController().signal,
      deadline: undefined,
      context: { sessionId, turnId: "turn", workingDirectory },
      kernel: unreachableKernel,
      log: silent,
    };
  }
}

const silent: Logger = {
  log: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silent,
};

const unreachableKernel = {
  call: () => Promise.reject(new Error("no operation of this plugin calls the kernel")),
  subscribe: () => {
    throw new Error("no operation of this plugin calls the kernel");
  },
  readEvents: () => {
    throw new Error("no operation of this plugin calls the kernel");
  },
};

function open(config: Arguments): SearchState {
  const filled: Arguments = { ...config };
  for (const [name, { defaultJson }] of Object.entries(search.config.properties)) {
    if (defaultJson !== undefined && !(name in filled)) filled[name] = JSON.parse(defaultJson);
  }
  check(search.config, filled);
  const state = search.open(filled, { log: silent, signal: new AbortController().signal });
  if (state instanceof Promise) throw new Error("this plugin opens at once");
  return state;
}

function toolOf(operation: string): Tool<SearchState> {
  const tool = tools[operation];
  if (tool === undefined) throw new Error(`there is no operation ${operation}`);
  return tool;
}

function check(schema: Parameters<typeof validate>[0], value: unknown): void {
  const problems = validate(schema, value);
  if (problems.length > 0) throw new ToolError("invalid_arguments", problemsInWords(problems, "value"));
}
