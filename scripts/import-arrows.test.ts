// Who may import whom (CONTRIBUTING.md): held by the manifests, by what the sources import, and by nothing else.
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";

const scope = "@pluggableharness/";
const arrows: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  jail: [],
  grpc: ["protocol"],
  plugin: ["grpc", "protocol"],
  host: ["grpc", "protocol"],
  conformance: ["grpc", "host", "protocol"],
  cli: ["host", "protocol"],
  "plugin-tool-filesystem": ["plugin", "jail", "protocol"],
  "plugin-tool-search": ["plugin", "jail", "protocol"],
  "plugin-tool-exec": ["plugin", "jail", "protocol"],
  "plugin-tool-web": ["plugin", "protocol"],
};

const manifests = globSync(["packages/*/package.json", "plugins/*/package.json"]);

function ownName(manifest: string): string {
  return String(JSON.parse(readFileSync(manifest, "utf8")).name).replace(scope, "");
}

/** Sources that ship: tests, fixtures and end-to-end folders may import more. */
function sources(manifest: string): string[] {
  return globSync(`${dirname(manifest)}/src/**/*.ts`).filter(
    (path) => !/\.test\.ts$|\/testing\/|\/gen\//.test(path),
  );
}

/** Modules named by import and export statements, by dynamic imports, and where their files are looked up. */
function importedModules(path: string): string[] {
  const statements =
    /^(?:import|export)\b(?:[^;"=()]*\bfrom)?\s*"([^"]+)"|(?:\bimport|require\([^)]*\)\.resolve|Require\([^)]*\)\.resolve|require\.resolve)\("([^"]+)"\)/gm;
  return [...readFileSync(path, "utf8").matchAll(statements)]
    .map(([, named, dynamic]) => named ?? dynamic ?? "")
    .filter((name) => !name.startsWith("/"));
}

function importedPackages(path: string): string[] {
  return importedModules(path)
    .filter((name) => !name.startsWith(".") && !name.startsWith("node:"))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
}

describe("imports", () => {
  it.each(manifests.map((manifest) => [ownName(manifest), manifest]))(
    "of %s follow the arrows",
    (name, manifest) => {
      const allowed = arrows[name];
      expect(allowed, `${name} has no arrows yet`).toBeDefined();
      const used = new Set(
        sources(manifest)
          .flatMap(importedPackages)
          .filter((imported) => imported.startsWith(scope)),
      );
      expect([...used].filter((imported) => !allowed?.includes(imported.replace(scope, "")))).toEqual([]);
    },
  );

  it.each(manifests.map((manifest) => [ownName(manifest), manifest]))(
    "of %s are exactly its dependencies",
    (_name, manifest) => {
      const declared = Object.keys(JSON.parse(readFileSync(manifest, "utf8")).dependencies ?? {});
      const used = new Set(sources(manifest).flatMap(importedPackages));
      // A package of which only a file is used, such as a native part, is named as a string.
      for (const name of declared)
        if (sources(manifest).some((path) => readFileSync(path, "utf8").includes(`"${name}"`)))
          used.add(name);
      expect([...used].sort()).toEqual(declared.sort());
    },
  );

  it("of protocol reach no Node API", () => {
    for (const path of globSync("packages/protocol/src/**/*.ts").filter(
      (file) => !file.endsWith(".test.ts"),
    )) {
      expect(
        /from "node:|\bprocess\.\w|\bBuffer\./.exec(readFileSync(path, "utf8"))?.[0],
        path,
      ).toBeUndefined();
    }
  });

  it("of every package come from its public entry", () => {
    for (const path of globSync(["packages/*/src/**/*.ts", "plugins/*/src/**/*.ts"])) {
      const deep = importedModules(path).filter((name) => /^@pluggableharness\/[^/]+\//.test(name));
      expect(
        deep.filter((name) => name !== "@pluggableharness/protocol/wire"),
        path,
      ).toEqual([]);
    }
  });
});
