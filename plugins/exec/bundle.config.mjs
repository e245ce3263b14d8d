// What travels with the bundle: the native part of node-pty for the platform it is built on, and the shell's parser.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const fromPty = createRequire(require.resolve("@lydell/node-pty"));
const platform = `@lydell/node-pty-${process.platform}-${process.arch}`;
const wasm = (name) => require.resolve(`@vscode/tree-sitter-wasm/wasm/${name}`);

export const assets = {
  "pty.node": fromPty.resolve(`${platform}/pty.node`),
  ...(process.platform === "darwin" && { "spawn-helper": fromPty.resolve(`${platform}/spawn-helper`) }),
  "tree-sitter.wasm": wasm("tree-sitter.wasm"),
  "tree-sitter-bash.wasm": wasm("tree-sitter-bash.wasm"),
};
