// What travels with the bundle: the ripgrep of the platform it is built on, as dist/rg (dist/rg.exe on Windows).
import { createRequire } from "node:module";

const binary = process.platform === "win32" ? "rg.exe" : "rg";
const require = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"));

export const assets = {
  [binary]: require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${binary}`),
};
