// The cases of public reports about edits, each with its id, and the rules of edit_file and multi_edit.
import { isToolError, type ToolError } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { detectContent } from "./content-kind.ts";
import { planEdits } from "./edit-plan.ts";
import type { EditRequest } from "./edit-request.ts";
import { joined } from "./spliced-text.ts";

/** A file given as text with `\xNN` bytes: Latin-1, so that each character is one byte. */
const bytesOf = (latin1: string) => Buffer.from(latin1, "latin1");

function plan(file: Buffer, edits: readonly EditRequest[], maxBytes?: number) {
  const content = detectContent(file, { isWhole: true });
  if (content.kind === "binary") throw new Error(`the file of this test is ${content.mediaType}`);
  const planned = planEdits(file, content, edits, maxBytes === undefined ? {} : { maxBytes });
  return { ...planned, after: joined(planned.after) };
}

const edit = (old_string: string, new_string: string, rest: Partial<EditRequest> = {}): EditRequest => ({
  old_string,
  new_string,
  ...rest,
});

function refusal(file: Buffer, edits: readonly EditRequest[], maxBytes?: number): ToolError {
  try {
    plan(file, edits, maxBytes);
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("the edit was not refused");
}

describe("an edit changes the bytes it names and no others", () => {
  const all = { replace_all: true };
  const cases: readonly (readonly [
    id: string,
    file: string,
    edits: readonly EditRequest[],
    after: string,
  ])[] = [
    ["case 1: $& is plain text", 'log("done");', [edit('log("done");', 'log("$& ok");')], 'log("$& ok");'],
    ["case 1: in replace_all", "a a", [edit("a", "$&$1", all)], "$&$1 $&$1"],
    ["case 1: in a multi edit", "a b", [edit("a", "$$"), edit("b", "$`")], "$$ $`"],
    ["ED01: $&", "x=OLD;\n", [edit("OLD", "$&_dup")], "x=$&_dup;\n"],
    ["ED01: $$", "x=OLD;\n", [edit("OLD", "$$")], "x=$$;\n"],
    ["ED01: $1 and $`", "x=OLD;\n", [edit("OLD", "$1$`")], "x=$1$`;\n"],
    ["case 2: mixed line endings stay", "one\ntwo\r\nthree\n", [edit("one", "1")], "1\ntwo\r\nthree\n"],
    ["case 3, ED03: LF finds CRLF", "a\r\nb\r\nc\r\n", [edit("a\nb", "x\ny")], "x\r\ny\r\nc\r\n"],
    ["ED05: one byte of a mixed file", "a\r\nb\nc\r\nd\n", [edit("b", "B")], "a\r\nB\nc\r\nd\n"],
    [
      "ED07: lines put into a CRLF file",
      "a\r\nb\r\nc\r\n",
      [edit("b", "b\nnew\nlines")],
      "a\r\nb\r\nnew\r\nlines\r\nc\r\n",
    ],
    [
      "case 4, ED09: the byte order mark stays",
      "\xef\xbb\xbfhello\nz\n",
      [edit("hello", "hello2")],
      "\xef\xbb\xbfhello2\nz\n",
    ],
    ["ED11: a Latin-1 byte stays", "// \xa9 x\nv=1\n", [edit("v=1", "v=2")], "// \xa9 x\nv=2\n"],
    ["ED11: Latin-1 is found and written as such", "caf\xe9\n", [edit("café", "thé")], "th\xe9\n"],
    [
      "case 5, ED13: UTF-16 LE",
      "\xff\xfev\0=\x001\0\n\0",
      [edit("v=1", "v=€")],
      "\xff\xfev\0=\0\xac\x20\n\0",
    ],
    [
      "case 5: UTF-16 BE",
      "\xfe\xff\0v\0=\x001\0\n",
      [edit("v=1\n", "v=2\n\n")],
      "\xfe\xff\0v\0=\x002\0\n\0\n",
    ],
    ["case 5: UTF-16 with CRLF", "\xff\xfea\0\r\0\n\0b\0", [edit("a\nb", "a\nc")], "\xff\xfea\0\r\0\n\0c\0"],
    [
      "ED15: curly quotes are written",
      "say '%s'",
      [edit("'%s'", "\u2018%s\u2019")],
      "say \xe2\x80\x98%s\xe2\x80\x99",
    ],
    [
      "ED17: look-alikes elsewhere stay",
      "\xe2\x80\x9cq\xe2\x80\x9d\n\xe2\x80\x94\nx\n\xc2\xa0  \n",
      [edit("x", "y")],
      "\xe2\x80\x9cq\xe2\x80\x9d\n\xe2\x80\x94\ny\n\xc2\xa0  \n",
    ],
    ["ED19: backslash and n stay two characters", "print(1)\n", [edit("1", "'a\\nb'")], "print('a\\nb')\n"],
    [
      "ED35: conflict markers are text",
      "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
      [edit("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "a\n")],
      "a\n",
    ],
    ["ED39: the last newline can be dropped", "a\nb\n", [edit("b\n", "b")], "a\nb"],
    ["case 6: a missing last newline stays missing", "a\nb", [edit("b", "c")], "a\nc"],
    [
      "ED45: regular expression signs are text",
      "a.b(c)*[d]^{2}|\\\\w$",
      [edit("a.b(c)*[d]^{2}|\\\\w$", "k")],
      "k",
    ],
    [
      "ED49: edits of one file after each other",
      "49\n50\n74\n75\n",
      [edit("50", "fifty"), edit("75", "x")],
      "49\nfifty\n74\nx\n",
    ],
    [
      "case 11: the second edit sees the first",
      "foo\n",
      [edit("foo", "bar baz"), edit("baz", "qux")],
      "bar qux\n",
    ],
    ["case 27: a file of one newline", "\n", [edit("\n", "a\n")], "a\n"],
    ["case 28: escapes are written unchanged", "x", [edit("x", "\u001b[31m\u202e")], "\x1b[31m\xe2\x80\xae"],
    ["an overlap is no second place for replace_all", "aaa", [edit("aa", "b", all)], "ba"],
    [
      "expected_replacements above 1 means all",
      "a a a",
      [edit("a", "b", { expected_replacements: 3 })],
      "b b b",
    ],
    ["a deletion leaves the rest", "a\nb\nc\n", [edit("b\n", "")], "a\nc\n"],
    ["an emoji in UTF-8", "a\n", [edit("a", "😀")], "\xf0\x9f\x98\x80\n"],
  ];
  it.each(cases)("%s", (_id, file, edits, after) => {
    expect(plan(bytesOf(file), edits).after).toEqual(bytesOf(after));
  });
});

describe("line ends of an edit follow the place where they go", () => {
  const cases: readonly (readonly [name: string, file: string, edit: EditRequest, after: string])[] = [
    [
      "an LF of old_string is any ending, each for itself",
      "a\r\nb\nc\r\n",
      edit("a\nb\nc", "x\ny\nz"),
      "x\r\ny\nz\r\n",
    ],
    [
      "endings of kept lines stay as they are",
      "a\nb\r\nc\nd\r\n",
      edit("a\nb\nc\nd", "a\nB\nc\nd"),
      "a\nB\r\nc\nd\r\n",
    ],
    [
      "a new line takes the ending of the line before it",
      "a\r\nb\nc\n",
      edit("a\nb", "a\nnew\nb"),
      "a\r\nnew\r\nb\nc\n",
    ],
    ["new lines in one line take its ending", "a\nb\r\nc\n", edit("b", "1\n2"), "a\n1\r\n2\r\nc\n"],
    [
      "in a last line without ending, that of the line before",
      "a\nb\r\nc",
      edit("c", "c\nd"),
      "a\nb\r\nc\r\nd",
    ],
    ["a leading LF is the whole ending", "a\r\nb\r\n", edit("\nb", "\nc"), "a\r\nc\r\n"],
    [
      "a leading LF is the whole ending in a mixed file",
      "z\na\r\nb\r\n",
      edit("\nb", "\nc"),
      "z\na\r\nc\r\n",
    ],
    ["a file without endings gets LF", "a", edit("a", "a\nb"), "a\nb"],
    [
      "each place of a replace_all has its own",
      "x\r\ny\nx\n",
      edit("x", "1\n2", { replace_all: true }),
      "1\r\n2\r\ny\n1\n2\n",
    ],
    ["CRLF in new_string is written as given", "a\nb\n", edit("a", "1\r\n2"), "1\r\n2\nb\n"],
    [
      "CRLF in old_string means CRLF, and new_string is then as given",
      "a\r\nb\r\n",
      edit("a\r\nb\r\n", "a\nb\n"),
      "a\nb\n",
    ],
    ["a lone CR is text", "a\rb\nc\n", edit("a\rb", "a b"), "a b\nc\n"],
    ["a lone CR is not turned into an ending", "a\rb\r\n", edit("b\n", "c\n"), "a\rc\r\n"],
  ];
  it.each(cases)("%s", (_name, file, request, after) => {
    expect(plan(bytesOf(file), [request]).after.toString("latin1")).toBe(after);
  });
});

describe("an edit that could be wrong is refused", () => {
  const threeHits = `${"-\n".repeat(3)}x=1\n${"-\n".repeat(85)}x=1\n${"-\n".repeat(40)}x=1\n`;
  const invalid = "invalid_arguments";
  const cases: readonly (readonly [
    id: string,
    file: string,
    edits: readonly EditRequest[],
    category: string,
    message: string,
  ])[] = [
    [
      "case 7",
      threeHits,
      [edit("x=1", "x=2")],
      invalid,
      "old_string occurs 3 times, on lines 4, 90 and 131; add context or set replace_all",
    ],
    [
      "ED25",
      "x=1\nx=1\n",
      [edit("x=1", "y", { replace_all: false })],
      invalid,
      "old_string occurs 2 times, on lines 1 and 2; add context or set replace_all",
    ],
    [
      "overlapping places are ambiguous",
      "aaa",
      [edit("aa", "b")],
      invalid,
      "old_string occurs 2 times, on line 1; add context or set replace_all",
    ],
    [
      "LF and CRLF places are both counted",
      "a\nb\na\r\nb\n",
      [edit("a\nb", "x")],
      invalid,
      "old_string occurs 2 times, on lines 1 and 3; add",
    ],
    [
      "many lines are named up to a bound",
      "a\n".repeat(30),
      [edit("a", "b")],
      invalid,
      "occurs 30 times, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 10 more; add",
    ],
    [
      "many places are counted up to a bound",
      "a\n".repeat(5_000),
      [edit("a", "b")],
      invalid,
      "occurs more than 1000 times",
    ],
    [
      "ED21",
      "abc",
      [edit("", "X", { replace_all: true })],
      invalid,
      "old_string is empty; give the text to replace, or set the whole content with write_file",
    ],
    ["ED21 without replace_all", "abc", [edit("", "X")], invalid, "old_string is empty"],
    ["ED23", "", [edit("", "X")], invalid, "old_string is empty"],
    [
      "case 9: the same strings",
      "a",
      [edit("a", "a")],
      invalid,
      "old_string and new_string are the same; nothing would change",
    ],
    [
      "case 9, ED27",
      "a a a",
      [edit("a", "b", { expected_replacements: 2 })],
      invalid,
      "expected_replacements is 2, but old_string occurs 3 times, on line 1; correct the number or add context",
    ],
    [
      "ED27 with replace_all",
      "a\na\na\n",
      [edit("a", "b", { expected_replacements: 1, replace_all: true })],
      invalid,
      "expected_replacements is 1, but old_string occurs 3 times, on lines 1, 2 and 3",
    ],
    [
      "ED27 with too few",
      "a",
      [edit("a", "b", { expected_replacements: 2 })],
      invalid,
      "expected_replacements is 2, but old_string occurs once, on line 1",
    ],
    [
      "expected_replacements 0",
      "a",
      [edit("a", "b", { expected_replacements: 0 })],
      invalid,
      "expected_replacements is 0; give a whole number from 1, or leave it out",
    ],
    [
      "expected_replacements 1.5",
      "a",
      [edit("a", "b", { expected_replacements: 1.5 })],
      invalid,
      "expected_replacements is 1.5; give a whole number",
    ],
    [
      "a change of endings that are there already",
      "a\r\nb\r\n",
      [edit("a\nb", "a\r\nb")],
      invalid,
      "differ only in their line endings",
    ],
    [
      "half of a surrogate pair in new_string",
      "a",
      [edit("a", "x\ud83d")],
      invalid,
      "new_string holds half of a surrogate pair (U+D83D) at character 2; give the whole character",
    ],
    [
      "half of a surrogate pair in old_string",
      "\xf0\x9f\x98\x80",
      [edit("\ude00", "x")],
      invalid,
      "old_string holds half of a surrogate pair (U+DE00) at character 1",
    ],
    [
      "case 64: half of a pair in UTF-16",
      "\xff\xfe\x3d\xd8\x00\xde",
      [edit("\ud83d", "x")],
      invalid,
      "old_string holds half of a surrogate pair",
    ],
    [
      "ED11: what Latin-1 cannot hold",
      "\xa9 v=1\n",
      [edit("v=1", "v=€")],
      invalid,
      "new_string holds `€` (U+20AC), which latin1, the encoding of the file, cannot hold; use characters up to U+00FF",
    ],
    [
      "ED11: an emoji in Latin-1",
      "\xa9 v=1\n",
      [edit("v=1", "😀")],
      invalid,
      "new_string holds `😀` (U+1F600), which latin1",
    ],
    [
      "what Latin-1 cannot hold is not in a Latin-1 file",
      "\xa9 5 EUR\n",
      [edit("5 €", "x")],
      "not_found",
      "It holds `€` (U+20AC), which a file in latin1 cannot hold",
    ],
    [
      "half of a surrogate pair, where the encoding has none at all",
      "\xa9\n",
      [edit("\ude00", "x")],
      invalid,
      "old_string holds half of a surrogate pair (U+DE00)",
    ],
    [
      "case 10: the third of four edits",
      "a b c",
      [edit("a", "1"), edit("b", "2"), edit("zzz", "3"), edit("c", "4")],
      "not_found",
      "no edit was made, because of edit 3 of 4: old_string was not found",
    ],
    [
      "ED37: edits see what earlier ones wrote",
      "foo bar\n",
      [edit("foo", "bar"), edit("bar", "baz")],
      invalid,
      "edit 2 of 2: old_string occurs 2 times, on line 1; add context or set replace_all",
    ],
    [
      "ED33: text that an earlier edit changed",
      "foo()\nbar()\n",
      [edit("foo()\nbar()", "qux()"), edit("foo()", "x()")],
      "not_found",
      "edit 2 of 2: old_string was not found. It was there until an earlier edit of this call changed it",
    ],
    ["no edits at all", "a", [], invalid, "edits is empty; give at least one edit"],
    [
      "ED41: lines to be removed must match",
      "foo\nOTHER\nbaz\nqux\n",
      [edit("foo\nbar\nbaz\n", "foo\nbaz\n")],
      "not_found",
      "old_string was not found",
    ],
    [
      "ED29: equal first and last lines do not make a match",
      "begin\n1\nend\n",
      [edit("begin\n2\nend\n", "")],
      "not_found",
      "old_string was not found",
    ],
    [
      "ED31: no token of a match is a prefix",
      "let total = 10;\n",
      [edit("let total  = 1", "let total = 2")],
      "not_found",
      "white space within lines (line 1: the file has 1 space, old_string has 2 spaces)",
    ],
    [
      "case 27: an empty file",
      "",
      [edit("a", "b")],
      "not_found",
      "the file is empty; set its content with write_file",
    ],
    [
      "a passage in the middle of UTF-16 units",
      "\xff\xfe\x41\x42\x43\x44",
      [edit("\u4342", "x")],
      "not_found",
      "old_string was not found",
    ],
  ];
  it.each(cases)("%s", (_id, file, edits, category, message) => {
    const error = refusal(bytesOf(file), edits);
    expect(error.category).toBe(category);
    expect(error.message).toContain(message);
  });

  it("names the failing edit and the lines for a program", () => {
    expect(refusal(bytesOf("a\na\n"), [edit("a\na", "b\nb"), edit("b", "c")]).details).toEqual({
      occurrences: 2,
      lines: [1, 2],
      edit: 2,
    });
  });

  it("stops counting at the bound", () => {
    const error = refusal(bytesOf("a\n".repeat(5_000)), [edit("a", "b")]);
    expect(error.details).toMatchObject({ occurrences: 1_001 });
  });

  it("refuses a result beyond the bound before it is built", () => {
    const growing = [edit("a", "b".repeat(1_000), { replace_all: true })];
    const error = refusal(bytesOf("a".repeat(1_000)), growing, 10_000);
    expect(error.category).toBe("invalid_arguments");
    expect(error.message).toContain(
      "the edited file would have 1000000 bytes, more than the 10000 that are allowed",
    );
  });

  it("refuses more places than one edit may change", () => {
    const error = refusal(Buffer.alloc(100_001, "a"), [edit("a", "b", { replace_all: true })]);
    expect(error.message).toContain("occurs more than 100000 times");
    expect(error.message).toContain("give a longer old_string");
  });
});

describe("a plan", () => {
  it("counts, names lines, and has the hunks with real line numbers", () => {
    const file = bytesOf(`${Array.from({ length: 99 }, (_, i) => `line ${i + 1}\r\n`).join("")}last`);
    const { edits, hunks, linesAdded, linesRemoved } = plan(file, [
      edit("line 50", "line fifty\nand more"),
      edit("last", "the end"),
      edit("line 5\n", ""),
    ]);
    expect(edits).toEqual([
      { replacements: 1, lines: [50] },
      { replacements: 1, lines: [101] },
      { replacements: 1, lines: [5] },
    ]);
    expect({ linesAdded, linesRemoved }).toEqual({ linesAdded: 3, linesRemoved: 3 });
    expect(hunks.map((hunk) => [hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines])).toEqual([
      [2, 7, 2, 6],
      [47, 7, 46, 8],
      [97, 4, 97, 4],
    ]);
    expect(hunks[2]?.lines.slice(-2)).toEqual([
      { op: "remove", text: "last", noNewline: true },
      { op: "add", text: "the end", noNewline: true },
    ]);
  });

  it("leaves the given bytes alone", () => {
    const file = bytesOf("a b a");
    plan(file, [edit("a", "xyz", { replace_all: true })]);
    expect(file).toEqual(bytesOf("a b a"));
  });

  it("has no hunks where the edits undo each other", () => {
    const { after, hunks } = plan(bytesOf("a\n"), [edit("a", "b"), edit("b", "a")]);
    expect([after.toString(), hunks]).toEqual(["a\n", []]);
  });
});
