// Names on disk are bytes: every one can be read, shown and used again.
import { readdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeName, encodeName, isCanonicalName, printableName } from "./file-name.ts";
import { readText, Sandbox } from "./testing/sandbox.ts";

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((array) => Buffer.from(array));

describe("the text of a file name", () => {
  it("leads back to the same bytes, whatever they are", () => {
    fc.assert(
      fc.property(bytes, (name) => {
        const text = decodeName(name);
        expect(Buffer.from(encodeName(text)).equals(name)).toBe(true);
        expect(isCanonicalName(text)).toBe(true);
      }),
    );
  });

  it("is plain text for valid UTF-8", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => decodeName(Buffer.from(text)) === text));
  });

  it.each([
    ["\u001b[31m", "\\x1b[31m"],
    ["a\nb", "a\\x0ab"],
    ["a\\b", "a\\\\b"],
    ["\u202egnp", "\\u{202e}gnp"],
    ["\u009b", "\\u{9b}"],
    ["caf\udce9", "caf\\xe9"],
    ["日本", "日本"],
  ])("is shown without anything a terminal would obey: %j", (name, shown) => {
    expect(printableName(name)).toBe(shown);
  });

  it("is shown differently for different names", () => {
    fc.assert(
      fc.property(
        bytes,
        bytes,
        (a, b) => a.equals(b) === (printableName(decodeName(a)) === printableName(decodeName(b))),
      ),
    );
  });
});

// Other systems accept no such name.
const systems = process.platform === "linux" ? ["Linux"] : [];

describe("a file whose name is not UTF-8", () => {
  it.each(systems)("is, on %s, listed, read, replaced and linked to like any other", () => {
    using sandbox = new Sandbox();
    const name = Buffer.concat([Buffer.from(`${sandbox.root}/caf`), Buffer.of(0xe9)]);
    writeFileSync(name, "au lait");
    sandbox.directory("d");
    const jail = sandbox.jail();
    using directory = jail.openDirectory(sandbox.at("."));
    const listed = [...directory.entries()].map((entry) => entry.name);
    expect(listed).toContain("caf\udce9");
    expect(readText(jail, sandbox.at("caf\udce9"))).toBe("au lait");
    jail.replaceFile(sandbox.at("caf\udce9"), Buffer.from("noir"));
    expect(readdirSync(sandbox.root, { encoding: "buffer" })).toContainEqual(Buffer.from("636166e9", "hex"));
    expect(jail.resolve(sandbox.at("d/../caf\udce9")).relativePath).toBe("caf\udce9");
  });
});
