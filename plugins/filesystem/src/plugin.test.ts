import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "./plugin.ts";

it("the plugin says the version it is released under", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(VERSION).toBe(manifest.version);
});
