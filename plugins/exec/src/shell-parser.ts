// A real parser for the shell's language, loaded at the first preview: tree-sitter as WebAssembly.
import type { Node, Parser } from "@vscode/tree-sitter-wasm";
import { partPath } from "./native-part.ts";

export type ShellNode = Node;

const PACKAGE = "@vscode/tree-sitter-wasm";
/** Larger commands are not parsed: a preview must answer quickly. */
const MAX_PARSED_CHARS = 100_000;
const MAX_PARSE_MS = 200;

let loading: Promise<Parser> | undefined;

/** The tree of a command; undefined where it is too large or too slow. */
export async function parseShell(command: string): Promise<ShellNode | undefined> {
  if (command.length > MAX_PARSED_CHARS) return undefined;
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const parser = await loading;
  const until = performance.now() + MAX_PARSE_MS;
  const tree = parser.parse(command, null, { progressCallback: () => performance.now() > until });
  if (tree === null) parser.reset();
  return tree?.rootNode;
}

async function load(): Promise<Parser> {
  // Its types declare an ES module, but what is published is CommonJS: all of it is the default export.
  const { default: treeSitter } = (await import("@vscode/tree-sitter-wasm")) as unknown as {
    default: typeof import("@vscode/tree-sitter-wasm");
  };
  const wasm = (name: string): string => partPath(name, PACKAGE, `${PACKAGE}/wasm/${name}`);
  await treeSitter.Parser.init({ locateFile: () => wasm("tree-sitter.wasm") });
  const parser = new treeSitter.Parser();
  parser.setLanguage(await treeSitter.Language.load(wasm("tree-sitter-bash.wasm")));
  return parser;
}
