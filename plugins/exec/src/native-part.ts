// Where the native and wasm parts are: beside the bundle, which carries them (bundle.config.mjs), or in the packages
// when the plugin runs from source.
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ToolError } from "@pluggableharness/plugin";

/** The path of a part, by its name in the bundle or its package. Throws execution_failed where it is missing. */
export function partPath(name: string, packageName: string, inside: string): string {
  const path = besideBundle(name) ?? inPackage(packageName, inside);
  if (path !== undefined) return path;
  throw new ToolError(
    "execution_failed",
    `${name} is missing: it belongs beside the plugin's executable; install the plugin again.`,
  );
}

function besideBundle(name: string): string | undefined {
  try {
    // The executable may be started by a link to it.
    const path = join(dirname(realpathSync(process.argv[1] ?? "")), name);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function inPackage(packageName: string, inside: string): string | undefined {
  try {
    const wrapper = createRequire(import.meta.url).resolve(packageName);
    // A part of another package is looked up from the package that depends on it.
    return createRequire(wrapper).resolve(inside);
  } catch {
    return undefined;
  }
}
