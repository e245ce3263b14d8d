// The engine against the plainest reference: split and join on strings.
import { applyHunks } from "@pluggableharness/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planEdits } from "./edit-plan.ts";
import { joined } from "./spliced-text.ts";
import { bomOf, decodeText, encodeText, type TextContent, type TextEncoding } from "./text-encoding.ts";
import { reversalOfSplices, revert } from "./undo-journal.ts";

const encoding = fc.constantFrom<TextEncoding>("utf-8", "utf-16le", "utf-16be", "latin1");
const piece = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(unit, { minLength, maxLength }).map((units) => units.join(""));

function fileOf(text: string, content: TextContent): Buffer {
  return Buffer.concat([bomOf(content), encodeText(text, content.encoding, "text")]);
}

function textOf(file: Buffer, content: TextContent): string {
  return decodeText(file.subarray(bomOf(content).length), content.encoding);
}

/** What the engine does, or the category it refuses with. */
function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return `refused: ${error instanceof Error && "category" in error ? error.category : error}`;
  }
}

/** The plan with its content joined; and what undo would make of it, which must be the file before. */
function planned(file: Buffer, ...rest: DropFirst<Parameters<typeof planEdits>>) {
  const plan = planEdits(file, ...rest);
  const after = joined(plan.after);
  const reversal = reversalOfSplices(file, plan.splices);
  if (reversal.kind === "replaced") expect(revert(after, reversal)).toEqual(file);
  return { ...plan, after };
}

type DropFirst<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

describe("an edit is what split and join do", () => {
  // Few letters, so that passages are often found, often twice, and often overlap.
  const letters = fc.constantFrom("a", "b", "ab", "\n", "é", "ÿ");

  it("in every encoding, with and without a byte order mark", () => {
    fc.assert(
      fc.property(
        encoding,
        fc.boolean(),
        piece(letters, 0, 20),
        piece(letters, 1, 3),
        piece(letters, 0, 3),
        fc.boolean(),
        (enc, hasBom, text, old_string, new_string, replace_all) => {
          const content: TextContent = { kind: "text", encoding: enc, hasBom: hasBom && enc !== "latin1" };
          const reference = () => {
            const places = [...text].filter((_, at) => text.startsWith(old_string, at)).length;
            if (old_string === new_string) return "refused: invalid_arguments";
            if (places === 0) return "refused: not_found";
            if (!replace_all && places > 1) return "refused: invalid_arguments";
            return text.split(old_string).join(new_string);
          };
          const file = fileOf(text, content);
          const edited = outcome(() =>
            textOf(planned(file, content, [{ old_string, new_string, replace_all }]).after, content),
          );
          expect(edited).toBe(reference());
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("in files of any line endings, seen through LF", () => {
    const lines = fc.constantFrom("a", "b", "\n", "\r\n");
    const given = fc.constantFrom("a", "b", "\n");
    const toLf = (text: string) => text.replaceAll("\r\n", "\n");
    fc.assert(
      fc.property(
        encoding,
        piece(lines, 0, 16),
        piece(given, 1, 4),
        piece(given, 0, 4),
        (enc, text, old_string, new_string) => {
          const content: TextContent = { kind: "text", encoding: enc, hasBom: false };
          const edits = [{ old_string, new_string, replace_all: true }];
          const edited = outcome(() =>
            toLf(textOf(planned(fileOf(text, content), content, edits).after, content)),
          );
          const reference = toLf(text).split(old_string).join(new_string);
          if (!edited.startsWith("refused")) expect(edited).toBe(toLf(reference));
          else expect(toLf(text).includes(old_string) && old_string !== new_string).toBe(false);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("bytes that no edit names", () => {
  it("stay as they are, valid or not", () => {
    const noise = fc
      .array(fc.constantFrom(0x0a, 0x0d, 0x20, 0x80, 0xc3, 0xe9, 0xf0, 0xff), { maxLength: 40 })
      .map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.constantFrom<TextEncoding>("utf-8", "latin1"), noise, noise, (enc, head, tail) => {
        const content: TextContent = { kind: "text", encoding: enc, hasBom: false };
        const file = Buffer.concat([head, Buffer.from("passage"), tail]);
        const { after } = planned(file, content, [{ old_string: "passage", new_string: "other" }]);
        expect(after).toEqual(Buffer.concat([head, Buffer.from("other"), tail]));
      }),
    );
  });
});

describe("the hunks of a plan", () => {
  it("re-create the edited text, after any number of edits", () => {
    const lines = fc.constantFrom("a", "b", "c", "aa", "\n", "\n", "\r\n");
    const edit = fc.record({
      old_string: piece(fc.constantFrom("a", "b", "c", "\n"), 1, 2),
      new_string: piece(lines, 0, 4),
    });
    fc.assert(
      fc.property(
        encoding,
        piece(lines, 1, 60),
        fc.array(edit, { minLength: 1, maxLength: 5 }),
        (enc, text, edits) => {
          const content: TextContent = { kind: "text", encoding: enc, hasBom: enc !== "latin1" };
          const applicable = edits.filter(({ old_string, new_string }, index) => {
            const all = edits.slice(0, index + 1).map((each) => ({ ...each, replace_all: true }));
            return (
              old_string !== new_string &&
              !outcome(() => planned(fileOf(text, content), content, all).after.toString()).startsWith(
                "refused",
              )
            );
          });
          fc.pre(applicable.length === edits.length);
          const { after, hunks } = planned(
            fileOf(text, content),
            content,
            edits.map((each) => ({ ...each, replace_all: true })),
          );
          expect(applyHunks(text, hunks)).toBe(textOf(after, content));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
