// Bundles the plugin of the current folder into one executable file that needs nothing beside it: CommonJS,
// which starts fastest, with a shebang. Run by each plugin's `build`.
//
// A plugin that needs more has a `bundle.config.mjs`: `workers` are sources bundled to dist/<name>.js of their own,
// `assets` are files copied beside the bundle (name in dist: path), such as a native part; `external` are modules
// that the bundle must not contain.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const [outfile] = Object.values(manifest.bin);

const {
  workers = [],
  assets = {},
  external = [],
} = existsSync("bundle.config.mjs") ? await import(pathToFileURL(resolve("bundle.config.mjs")).href) : {};

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  minify: true,
  // Stack traces of a crash name functions, not letters.
  keepNames: true,
  platform: "node",
  format: "cjs",
  // Older than the engines field, so that a machine with an older Node on its PATH gets a working plugin.
  target: "node20",
  conditions: ["source"],
  external,
  legalComments: "linked",
  logLevel: "warning",
};
await build({ ...shared, entryPoints: ["src/main.ts"], outfile, banner: { js: "#!/usr/bin/env node" } });
await build({ ...shared, entryPoints: workers, outdir: "dist" });
for (const [name, source] of Object.entries(assets)) {
  mkdirSync(dirname(join("dist", name)), { recursive: true });
  copyFileSync(source, join("dist", name));
  chmodSync(join("dist", name), statSync(source).mode);
}
// Beside a package.json of "type": "module" Node would read the file as an ES module.
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n');
chmodSync(outfile, 0o755);
process.stdout.write(`built ${basename(outfile)}\n`);
