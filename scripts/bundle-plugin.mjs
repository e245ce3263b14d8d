// Bundles the plugin of the current folder into one executable file that needs nothing beside it: CommonJS,
// which starts fastest, with a shebang. Run by each plugin's `build`.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const [outfile] = Object.values(manifest.bin);

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
await build({
  entryPoints: ["src/main.ts"],
  outfile,
  bundle: true,
  minify: true,
  // Stack traces of a crash name functions, not letters.
  keepNames: true,
  platform: "node",
  format: "cjs",
  // Older than the engines field, so that a machine with an older Node on its PATH gets a working plugin.
  target: "node20",
  conditions: ["source"],
  banner: { js: "#!/usr/bin/env node" },
  legalComments: "linked",
  logLevel: "warning",
});
// Beside a package.json of "type": "module" Node would read the file as an ES module.
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n');
chmodSync(outfile, 0o755);
process.stdout.write(`built ${basename(outfile)}\n`);
