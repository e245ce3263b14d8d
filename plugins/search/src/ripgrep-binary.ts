// Where ripgrep is: beside the bundle, which carries it (bundle.config.mjs), or in the package of this platform
// when the plugin runs from source. Never on the PATH: another version has other answers.
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ToolError } from "@pluggableharness/plugin";

const NAME = process.platform === "win32" ? "rg.exe" : "rg";

let known: string | undefined;

/** The path of ripgrep. Throws execution_failed where it is missing. */
export function ripgrepBinary(): string {
  known ??= besideBundle() ?? inPackages();
  if (known !== undefined) return known;
  throw new ToolError(
    "execution_failed",
    `ripgrep is missing: ${NAME} belongs beside the plugin's executable; install the plugin again.`,
  );
}

function besideBundle(): string | undefined {
  try {
    // The executable may be started by a link to it.
    const path = join(dirname(realpathSync(process.argv[1] ?? "")), NAME);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function inPackages(): string | undefined {
  try {
    // The platform's package is a dependency of @vscode/ripgrep, so it is looked up from there.
    const ofWrapper = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"));
    return ofWrapper.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${NAME}`);
  } catch {
    return undefined;
  }
}
