// A real folder with a configured filesystem plugin on it, for tests: operations run as the SDK runs them, with
// validated arguments and checked results.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Logger, RenderNode, Tool } from "@pluggableharness/plugin";
import { isToolError, problemsInWords, ToolError, validate } from "@pluggableharness/protocol";
import { editFile } from "../edit-file.ts";
import { listDirectory } from "../list-directory.ts";
import { multiEdit } from "../multi-edit.ts";
import { type FilesystemState, filesystem } from "../plugin.ts";
import { readFile } from "../read-file.ts";
import { undoEdit } from "../undo-edit.ts";
import { writeFile } from "../write-file.ts";

const tools: Readonly<Record<string, Tool<FilesystemState>>> = Object.fromEntries(
  [readFile, listDirectory, writeFile, editFile, multiEdit, undoEdit].map((tool) => [tool.name, tool]),
);

const silent: Logger = {
  log: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silent,
};

type Arguments = Record<string, unknown>;

/** One folder as the only root, and a second one outside of it. */
export class Workspace implements Disposable {
  /** The root. */
  readonly root: string;
  /** A folder beside the root. */
  readonly outside: string;
  readonly #base = realpathSync(mkdtempSync(join(tmpdir(), "filesystem-")));
  readonly #state: FilesystemState;
  #workingDirectory: string;

  constructor(config: Arguments = {}) {
    this.root = join(this.#base, "root");
    this.outside = join(this.#base, "root-outside");
    mkdirSync(this.root);
    mkdirSync(this.outside);
    this.#workingDirectory = this.root;
    this.#state = open({ roots: [this.root], ...config });
  }

  /** The result of a call; a ToolError is thrown. */
  async run(operation: string, input: Arguments, sessionId = "session-1"): Promise<Arguments> {
    const tool = toolOf(operation);
    check(tool.input, input);
    const call = {
      ...this.#call(sessionId),
      id: "call",
      deadline: undefined,
      kernel: unreachableKernel,
      log: silent,
    };
    const result = await tool.invoke(input, call);
    check(tool.output, result);
    return result as Arguments; // an object by its schema, checked above
  }

  /** The ToolError of a call that must fail. */
  async failure(operation: string, input: Arguments, sessionId?: string): Promise<ToolError> {
    const outcome = await this.run(operation, input, sessionId).catch((error: unknown) => error);
    if (isToolError(outcome)) return outcome;
    throw new Error(`${operation} should have failed, but gave ${JSON.stringify(outcome)}`);
  }

  /** As failure, for a call that names another working directory. */
  async failureIn(workingDirectory: string, operation: string, input: Arguments): Promise<ToolError> {
    this.#workingDirectory = workingDirectory;
    try {
      return await this.failure(operation, input);
    } finally {
      this.#workingDirectory = this.root;
    }
  }

  /** What a person sees before. */
  async preview(operation: string, input: Arguments, sessionId = "session-1"): Promise<RenderNode> {
    const node = await toolOf(operation).preview?.(input, this.#call(sessionId));
    if (node === undefined) throw new Error(`${operation} has no preview`);
    return node;
  }

  /** What a person sees after. */
  render(result: Arguments): RenderNode {
    return toolOf(String(result["operation"])).render(result);
  }

  /** Writes a file of the root, behind the plugin's back. */
  put(name: string, content: string | Uint8Array): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** The bytes of a file of the root, as Latin-1, so that every byte shows. */
  bytes(name: string): string {
    return readFileSync(join(this.root, name), "latin1");
  }

  /** The names in a folder of the root. */
  names(folder = "."): string[] {
    return readdirSync(join(this.root, folder)).sort();
  }

  [Symbol.dispose](): void {
    this.#state[Symbol.dispose]();
    rmSync(this.#base, { recursive: true, force: true });
  }

  #call(sessionId: string) {
    return {
      state: this.#state,
      signal: new AbortController().signal,
      context: { sessionId, turnId: "turn", workingDirectory: this.#workingDirectory },
    };
  }
}

const unreachableKernel = {
  call: () => Promise.reject(new Error("no operation of this plugin calls the kernel")),
  subscribe: () => {
    throw new Error("no operation of this plugin calls the kernel");
  },
  readEvents: () => {
    throw new Error("no operation of this plugin calls the kernel");
  },
};

function open(config: Arguments): FilesystemState {
  const filled: Arguments = { ...config };
  for (const [name, { defaultJson }] of Object.entries(filesystem.config.properties)) {
    if (defaultJson !== undefined && !(name in filled)) filled[name] = JSON.parse(defaultJson);
  }
  check(filesystem.config, filled);
  const state = filesystem.open(filled, { log: silent, signal: new AbortController().signal });
  if (state instanceof Promise) throw new Error("this plugin opens at once");
  return state;
}

function toolOf(operation: string): Tool<FilesystemState> {
  const tool = tools[operation];
  if (tool === undefined) throw new Error(`there is no operation ${operation}`);
  return tool;
}

function check(schema: Parameters<typeof validate>[0], value: unknown): void {
  const problems = validate(schema, value);
  if (problems.length > 0) throw new ToolError("invalid_arguments", problemsInWords(problems, "value"));
}

/** All text of a tree, one node a line, diff lines with their sign. */
export function textOf({ node }: RenderNode): string {
  switch (node?.case) {
    case "text":
    case "codeBlock":
      return node.value.content ?? "";
    case "diff":
      return (node.value.hunks ?? [])
        .flatMap(({ oldStart, newStart, lines = [] }) => [
          `@@ ${oldStart} ${newStart}`,
          ...lines.map(({ op, text }) => `${op === 2 ? "+" : op === 3 ? "-" : " "}${text}`),
        ])
        .join("\n");
    case "table":
      return (node.value.rows ?? []).map(({ cells = [] }) => cells.join(" | ")).join("\n");
    case "group":
    case "collapsible":
      return (node.value.children ?? []).map(textOf).join("\n");
    case "action":
      return `[${node.value.label}]`;
    default:
      return "";
  }
}
