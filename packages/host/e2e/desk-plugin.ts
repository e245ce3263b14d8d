// The desk fixture as one executable file, built once by each process that asks.
import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

let built: string | undefined;

/** Its path. */
export function deskPlugin(): string {
  if (built !== undefined) return built;
  const folder = fileURLToPath(new URL("../../../node_modules/.cache/desk-plugin", import.meta.url));
  const outfile = join(folder, `building-${process.pid}`);
  buildSync({
    entryPoints: [fileURLToPath(new URL("fixtures/desk-plugin.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    conditions: ["source"],
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "error",
  });
  chmodSync(outfile, 0o755);
  // Beside a package.json of "type": "module" the file would be read as an ES module.
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  built = join(folder, "plugin-tool-desk");
  // Renamed, since another test process may be starting it right now.
  renameSync(outfile, built);
  return built;
}
