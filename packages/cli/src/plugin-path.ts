// Which executable a name on the command line means: a path, or the short name of a plugin of this checkout.
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The executable. A short name wins over a file of that name here. Throws with what to do where there is none. */
export function pluginPath(name: string): string {
  if (/[/\\]/.test(name)) return resolve(name);
  const built = builtPlugin(name);
  if (built !== undefined) return built;
  if (statSync(name, { throwIfNoEntry: false })?.isFile() === true) return resolve(name);
  throw new Error(
    `there is no plugin ${JSON.stringify(name)} here; give a path, or build this checkout with: npm run build`,
  );
}

/** The executable that this checkout has built of a plugin, if it has. */
export function builtPlugin(name: string): string | undefined {
  // A provider's name of an agent.hcl is no path.
  if (!/^[\w-]+$/.test(name)) return undefined;
  const built = fileURLToPath(new URL(`../../../plugins/${name}/dist/plugin-tool-${name}`, import.meta.url));
  return existsSync(built) ? built : undefined;
}
