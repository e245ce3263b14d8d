import type { Operation } from "@pluggableharness/host";
import { describe, expect, it } from "vitest";
import { parseCalls } from "./calls-file.ts";
import { findOperation } from "./find-operation.ts";

describe("a file of calls", () => {
  it("may be an array or hold one, and gives each call its id", () => {
    const calls = [
      { tool_name: "a", arguments: { x: 1 }, preview: true },
      { id: "z", provider: "p", tool_name: "b" },
    ];
    const parsed = [
      { id: "call-1", provider: undefined, toolName: "a", arguments: { x: 1 } },
      { id: "z", provider: "p", toolName: "b", arguments: {} },
    ];
    expect(parseCalls(JSON.stringify(calls), "f")).toEqual(parsed);
    expect(parseCalls(JSON.stringify({ parallel: true, calls }), "f")).toEqual(parsed);
  });

  it.each([
    ["{", "f is not JSON"],
    ["{}", "f must hold an array of calls"],
    ["[1]", "f: call 1 is no object"],
    ["[{}]", "f: call 1 has no tool_name"],
    ['[{"tool_name":"a","id":1}]', "f: call 1 has an id that is no string"],
    ['[{"tool_name":"a","provider":1}]', "f: call 1 has a provider that is no string"],
    ['[{"tool_name":"a"},{"tool_name":"a","arguments":[]}]', "f: call 2 has arguments that are no object"],
  ])("is refused as %s", (text, words) => {
    expect(() => parseCalls(text, "f")).toThrow(words);
  });
});

describe("the name of an operation", () => {
  const operations = ["files.read", "web.read", "web.search"].map((full) => {
    const [provider = "", name = ""] = full.split(".");
    // The names are all that is looked at.
    return { provider, name } as Operation;
  });

  it.each([
    ["search", "web.search"],
    ["web.read", "web.read"],
  ])("%s means %s", (name, meant) => {
    const { provider, name: found } = findOperation(operations, name);
    expect(`${provider}.${found}`).toBe(meant);
  });

  it.each([
    ["read", 'several providers have an operation "read"; say which: files.read, web.read'],
    ["burn", "there are files.read, web.read, web.search"],
  ])("%s alone means nothing", (name, words) => {
    expect(() => findOperation(operations, name)).toThrow(words);
  });
});
