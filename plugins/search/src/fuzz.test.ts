// Patterns and trees at random: grep against ripgrep itself, globs against a matcher too simple to be wrong, and the
// pieces that must be exact whatever the sizes of what comes.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { firstByPath } from "./first-entries.ts";
import { countSplitter, pathSplitter } from "./path-list.ts";
import { comparePaths } from "./path-order.ts";
import { compilePattern } from "./path-pattern.ts";
import { recordSplitter } from "./record-splitter.ts";
import { ripgrepBinary } from "./ripgrep-binary.ts";
import { Workspace } from "./testing/workspace.ts";

const name = fc.string({
  unit: fc.constantFrom("a", "b", ".", "[", "]", "-", "!", "\u{1f600}"),
  minLength: 1,
  maxLength: 4,
});
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const patternName = fc.string({
  unit: fc.constantFrom("a", "b", ".", "*", "?", "[", "]", "-", "!", "\u{1f600}", "[ab]", "[!a]", "[a-b]"),
  minLength: 1,
  maxLength: 5,
});
const pattern = fc
  .array(fc.oneof(patternName, fc.constant("**")), { minLength: 1, maxLength: 5 })
  .filter((names) => !names[0]?.startsWith("!") && !names.includes(".."))
  .map((names) => names.join("/"));

it("a glob matches as a matcher does that tries everything", () => {
  fc.assert(
    fc.property(pattern, path, fc.boolean(), (text, given, dot) => {
      const { matches } = compilePattern("pattern", text, {
        dot,
        ignoreCase: false,
        bareMatchesAnywhere: false,
      });
      const names = text.replace(/^(\.\/+)+/, "").split("/");
      if (names.at(-1) === "**") names.push("*");
      expect(matches(given)).toBe(naiveNames(names, given.split("/"), dot));
    }),
    { numRuns: 5_000 },
  );
});

function naiveNames(pattern: readonly string[], names: readonly string[], dot: boolean): boolean {
  const [first, ...rest] = pattern;
  const [name, ...others] = names;
  if (first === undefined) return name === undefined;
  if (first === "**") {
    if (naiveNames(rest, names, dot)) return true;
    return name !== undefined && (dot || !name.startsWith(".")) && naiveNames(pattern, others, dot);
  }
  if (name === undefined) return false;
  const isHit =
    first === name ||
    ((dot || !name.startsWith(".") || first.startsWith(".")) && naiveName([...first], [...name]));
  return isHit && naiveNames(rest, others, dot);
}

function naiveName(pattern: readonly string[], chars: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  const [char, ...others] = chars;
  if (first === undefined) return char === undefined;
  if (first === "*") return naiveName(rest, chars) || (char !== undefined && naiveName(pattern, others));
  if (char === undefined) return false;
  const end = first === "[" ? rest.indexOf("]", rest[0] === "!" ? 2 : 1) : -1;
  if (end < 0) return (first === "?" || first === char) && naiveName(rest, others);
  const body = rest.slice(rest[0] === "!" ? 1 : 0, end);
  let isIn = false;
  for (let at = 0; at < body.length; at++) {
    const isRange = body[at + 1] === "-" && at + 2 < body.length;
    const low = body[at] ?? "";
    const high = isRange ? (body[at + 2] ?? "") : low;
    if (low <= char && char <= high) isIn = true;
    if (isRange) at += 2;
  }
  return isIn !== (rest[0] === "!") && naiveName(rest.slice(end + 1), others);
}

const line = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\u00e9", "\r", "A"), maxLength: 8 });
const content = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
const plainName = fc.string({
  unit: fc.constantFrom("x", "y", "-", " ", "\n", "\u00e9"),
  minLength: 1,
  maxLength: 3,
});
const files = fc.dictionary(
  fc.array(plainName, { minLength: 1, maxLength: 2 }).map((names) => names.join("/d")),
  content,
  { minKeys: 1, maxKeys: 6 },
);
const regex = fc
  .array(
    fc.constantFrom("a", "b", "c", ".", "^", "$", "\\w", "a|b", "[ab]", "(a)", "b*", "\u00e9", "A", " "),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(""));

it("grep finds what ripgrep finds, line by line, page by page", async () => {
  await fc.assert(
    fc.asyncProperty(files, regex, fc.integer({ min: 1, max: 5 }), async (tree, text, limit) => {
      using w = new Workspace();
      for (const [file, body] of Object.entries(tree)) {
        try {
          w.put(file, body);
        } catch {
          // The name is a directory already, or below a file.
        }
      }
      const lines: string[] = [];
      for (let offset: unknown = 0; offset !== undefined; ) {
        const page = await w.run("grep", { pattern: text, limit, offset });
        lines.push(
          ...page.matches.map(({ path: file, line: number, column }) => `${file}\0${number}:${column}`),
        );
        offset = page["next_offset"];
      }
      expect(lines).toEqual(ripgrepLines(w.root, text));
    }),
    { numRuns: 25 },
  );
}, 120_000);

/** The same from ripgrep alone, where a column counts bytes. */
function ripgrepLines(cwd: string, text: string): string[] {
  const args = [
    "--no-config",
    "--no-ignore",
    "--sort=path",
    "--crlf",
    "--smart-case",
    "--json",
    `--regexp=${text}`,
    "./",
  ];
  let output: string;
  try {
    output = execFileSync(ripgrepBinary(), args, {
      cwd,
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
  } catch (error) {
    // It ends with 1 where nothing matches.
    output = String((error as { stdout?: unknown }).stdout);
  }
  return output.split("\n").flatMap((record) => {
    if (!record.startsWith('{"type":"match"')) return [];
    const { data } = JSON.parse(record) as {
      data: {
        path: { text: string };
        lines: { text: string };
        line_number: number;
        submatches: { start: number }[];
      };
    };
    const whole = Buffer.from(data.lines.text);
    const before = whole.toString("utf8", 0, data.submatches[0]?.start ?? 0);
    const shown = data.path.text.slice(2).replaceAll("\n", "\\x0a");
    return [`${shown}\0${data.line_number}:${[...before].length + 1}`];
  });
}

it("paths and counts come out as they went in, whatever the pieces", () => {
  const raw = fc
    .uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 8 })
    .map((bytes) => Buffer.from(bytes).toString("latin1"));
  const entry = fc.tuple(raw, fc.integer({ min: 1, max: 10_000 }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), (entries, size) => {
      const paths = entries.map(([text]) => `./${text}\0`).join("");
      const counts = entries.map(([text, count]) => `./${text}\0${count}\r\n`).join("");
      const names = inPieces(paths, size, pathSplitter());
      expect(names).toHaveLength(entries.length);
      expect(inPieces(counts, size, countSplitter())).toEqual(
        entries.map(([, count], index) => ({ path: names[index], count })),
      );
    }),
  );
});

function inPieces<T>(text: string, size: number, split: (piece: Buffer | undefined) => readonly T[]): T[] {
  const bytes = Buffer.from(text, "latin1");
  const items: T[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(...split(bytes.subarray(at, at + size)));
  return [...items, ...split(undefined)];
}

it("records come out whole, and one that is too long as its facts, whatever the pieces", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400_000 }), fc.boolean(), (size, isLong) => {
      const text = `\\"},\\"line_number\\":9${"x".repeat(isLong ? 1_100_000 : 10)}`;
      const record = `{"type":"match","data":{"path":{"text":"./a"},"lines":{"text":"${text}"},"line_number":7,"absolute_offset":5,"submatches":[{"match":{"text":"${text}"},"start":3,"end":4}]}}`;
      const split = recordSplitter();
      const bytes = Buffer.from(`${record}\n${record}\n`);
      const records = [];
      for (let at = 0; at < bytes.length; at += size) records.push(...split(bytes.subarray(at, at + size)));
      expect(records.map(({ kind }) => kind)).toEqual(isLong ? ["long", "long"] : ["whole", "whole"]);
      for (const one of records) {
        if (one.kind === "whole") expect(one.bytes.toString()).toBe(record);
        else expect([one.facts.slice(0, 2), one.place.slice(0, 2)]).toEqual(["7,", "3,"]);
      }
    }),
    { numRuns: 40 },
  );
});

it("the first by path are those of the whole sorted, and few are kept", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (paths, count) => {
      const kept = firstByPath<string>(count, (one) => one);
      for (const one of paths) kept.add(one);
      expect(kept.entries()).toEqual([...paths].sort(comparePaths).slice(0, count));
    }),
  );
});
