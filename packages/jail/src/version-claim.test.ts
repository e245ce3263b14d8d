import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Jail } from "./jail.ts";
import { openJail } from "./open-jail.ts";

let root = "";
let jail: Jail;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "claim-"));
  jail = openJail({ roots: [root] });
  writeFileSync(join(root, "f"), "old");
});

afterEach(() => {
  vi.useRealTimers();
  jail[Symbol.dispose]();
  rmSync(root, { recursive: true, force: true });
});

/** The name that claims the file's present version. */
function claimOf(name: string): string {
  const { ino, ctimeNs } = statSync(join(root, name), { bigint: true });
  return `.jail-${ino}-${ctimeNs}.claim`;
}

const path = () => join(root, "f");
const changed = expect.objectContaining({ code: "changed" });

describe("a version that another process has claimed", () => {
  it("is neither replaced nor removed, and nothing is left behind", () => {
    const claim = claimOf("f");
    writeFileSync(join(root, claim), "");
    expect(() => jail.replaceFile({ path: path() }, Buffer.from("new"))).toThrow(changed);
    expect(() => jail.removeFile({ path: path() })).toThrow(changed);
    expect(readFileSync(path(), "utf8")).toBe("old");
    expect(readdirSync(root).sort()).toEqual([claim, "f"].sort());
  });

  it("is free again when the claim is older than any claim can be", () => {
    writeFileSync(join(root, claimOf("f")), "");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    jail.replaceFile({ path: path() }, Buffer.from("new"));
    expect(readFileSync(path(), "utf8")).toBe("new");
    expect(readdirSync(root)).toEqual(["f"]);
  });

  it("does not matter to the next version", () => {
    writeFileSync(join(root, claimOf("f")), "");
    rmSync(path());
    writeFileSync(path(), "newer");
    jail.replaceFile({ path: path() }, Buffer.from("new"));
    expect(readFileSync(path(), "utf8")).toBe("new");
  });
});

describe("content that is given as seen", () => {
  it.each(["other", "olds", "ol", ""])("stops a change of a file that holds %j instead", (now) => {
    const seen = jail.stat({ path: path() }).version;
    writeFileSync(path(), now);
    // The worst case: a version that says nothing, because it is asked for only now.
    const version = jail.stat({ path: path() }).version;
    expect(seen).not.toBe(version);
    const options = { version, content: Buffer.from("old") };
    expect(() => jail.replaceFile({ path: path() }, Buffer.from("new"), options)).toThrow(changed);
    expect(() => jail.removeFile({ path: path() }, options)).toThrow(changed);
    expect(readFileSync(path(), "utf8")).toBe(now);
  });

  it("lets a change of the same content through, larger than a block too", () => {
    const large = Buffer.alloc(3 * 1024 * 1024 + 7, "x");
    writeFileSync(path(), large);
    jail.replaceFile({ path: path() }, Buffer.from("new"), { content: large });
    expect(readFileSync(path(), "utf8")).toBe("new");
  });
});
