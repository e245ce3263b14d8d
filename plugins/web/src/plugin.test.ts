import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "./plugin.ts";

it("says the version of its package", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({ version: VERSION });
});
