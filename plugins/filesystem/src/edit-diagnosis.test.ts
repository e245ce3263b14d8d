import { describe, expect, it } from "vitest";
import { byteText } from "./byte-text.ts";
import { noMatchError } from "./edit-diagnosis.ts";
import type { TextEncoding } from "./text-encoding.ts";

function diagnosis(
  file: string,
  old_string: string,
  new_string = "something new",
  encoding: TextEncoding = "utf-8",
) {
  const bytes = Buffer.from(file, encoding === "latin1" ? "latin1" : "utf8");
  const error = noMatchError(byteText(bytes, encoding), { old_string, new_string });
  expect(error.category).toBe("not_found");
  expect(error.message).toMatch(/^old_string was not found/);
  return error;
}

describe("a passage that looks alike is shown with what differs", () => {
  const cases: readonly (readonly [
    id: string,
    file: string,
    wanted: string,
    line: number,
    difference: string,
  ])[] = [
    [
      "case 8: tab against four spaces",
      "x\nif (a) {\n\treturn beta;\n}\n",
      "if (a) {\n    return beta;\n}",
      2,
      "differs in indentation (line 3: the file has 1 tab, old_string has 4 spaces).",
    ],
    [
      "four spaces against a tab",
      "x\n    beta();\n",
      "\tbeta();",
      2,
      "differs in indentation (line 2: the file has 4 spaces, old_string has 1 tab).",
    ],
    [
      "ED51: three spaces against four",
      "alpha\n   beta\ngamma\n",
      "    beta",
      2,
      "differs in indentation (line 2: the file has 3 spaces, old_string has 4 spaces). Matching is exact, but for LF and CRLF",
    ],
    [
      "white space at a line end",
      "alpha\nbeta  \ngamma\n",
      "beta\ngamma",
      2,
      "differs in white space at line ends (line 2: the file has 2 spaces, old_string has none).",
    ],
    [
      "a cause is named once, with its first line",
      "begin\n\tone();\n\ttwo();\n",
      "begin\n  one();\n    two();",
      1,
      "differs in indentation (line 2: the file has 1 tab, old_string has 2 spaces).",
    ],
    [
      "white space at the end of the last line",
      "alpha\nbeta \t\n",
      "alpha\nbeta\n",
      1,
      "differs in white space at line ends (line 2: the file has 1 space and 1 tab, old_string has none).",
    ],
    [
      "ED31: white space within a line",
      "let total = 10;\n",
      "let total  = 1",
      1,
      "differs in white space within lines (line 1: the file has 1 space, old_string has 2 spaces).",
    ],
    [
      "curly quotes in the file",
      "x\nsay \u201chello\u201d to them\n",
      'say "hello" to them',
      2,
      'differs in quotation marks (line 2: the file has \u201c (U+201C), old_string has " (U+0022)).',
    ],
    [
      "a curly apostrophe in old_string",
      "it's here\n",
      "it\u2019s here",
      1,
      "differs in quotation marks (line 1: the file has ' (U+0027), old_string has \u2019 (U+2019)).",
    ],
    [
      "an em dash",
      "one \u2014 two\n",
      "one - two",
      1,
      "differs in dashes (line 1: the file has \u2014 (U+2014), old_string has - (U+002D)).",
    ],
    [
      "a no-break space",
      "price:\u00a010 euros\n",
      "price: 10 euros",
      1,
      "differs in special blanks (line 1: the file has \u00a0 (U+00A0), old_string has none)",
    ],
    [
      "decomposed letters in the file",
      "cafe\u0301 au lait\n",
      "caf\u00e9 au lait",
      1,
      "differs in Unicode form (line 1: the file has decomposed (NFD), old_string has composed (NFC)).",
    ],
    ["composed letters, one word alone", "the caf\u00e9\n", "cafe\u0301", 1, "differs in Unicode form"],
    [
      "letter case",
      "x\nconst fooBar = 1;\n",
      "const foobar = 1;",
      2,
      'differs in letter case (line 2: the file has "fooBar", old_string has "foobar").',
    ],
    [
      "CRLF asked for in an LF file",
      "alpha\nbeta\n",
      "alpha\r\nbeta",
      1,
      "differs in line endings (line 1: the file has LF, old_string has CRLF).",
    ],
    [
      "several causes at once",
      "\tsay \u2018x\u2019  now;\n",
      "    say 'x' now;",
      1,
      "differs in indentation (line 1: the file has 1 tab, old_string has 4 spaces); white space within lines (line 1: the file has 2 spaces, old_string has 1 space); quotation marks (line 1: the file has \u2018",
    ],
    [
      "a word that differs",
      "a\nfunction total() {\n  return sum;\n}\n",
      "function total() {\n  return som;\n}",
      2,
      'differs in text (line 3: the file has "  return sum;", old_string has "  return som;").',
    ],
    [
      "a line that is missing",
      "foo\nOTHER line\nbaz\nqux\n",
      "foo\nbaz\nqux\n",
      2,
      'differs in text (line 2: the file has "line", old_string has "foo").',
    ],
    [
      "a last newline that is not there",
      "alpha\nomega",
      "omega\n",
      2,
      'differs in text (line 3: the file has no more lines, old_string has "")',
    ],
  ];
  it.each(cases)("%s", (_id, file, wanted, line, difference) => {
    const error = diagnosis(file, wanted);
    expect(error.message).toContain(`The closest passage begins on line ${line} and ${difference}`);
    expect(error.details).toMatchObject({ line });
  });

  it("is chosen among many by the words that are rare", () => {
    const file = Array.from({ length: 3_000 }, (_, i) => `  handle(event${i}, "common words here");\n`).join(
      "",
    );
    const error = diagnosis(file, '\thandle(event2711, "common words here");\n');
    expect(error.details).toMatchObject({
      line: 2_712,
      differs_in: ["indentation"],
      closest_passage: expect.stringContaining("event2711"),
    });
  });

  it("is found in the middle of one long line", () => {
    const file = Array.from({ length: 20_000 }, (_, i) => `function f${i}(){return ${i}}`).join(";");
    const error = diagnosis(file, "function f15000() { return 15000 }");
    expect(error.message).toContain("begins on line 1 and differs in white space within lines");
    expect(error.message).toContain("function f15000(){return 15000}");
    expect(error.message.length).toBeLessThan(2_500);
  });

  it("is shown in part where it is long, from shortly before the difference", () => {
    const lines = Array.from({ length: 60 }, (_, i) => `line number ${i}`);
    const error = diagnosis(lines.join("\n"), lines.join("\n").replace("number 40", "number forty"));
    const excerpt = String(error.details?.closest_passage).split("\n");
    expect(excerpt).toEqual(lines.slice(38, 48));
  });

  it("does not name line endings where LF matches CRLF anyway", () => {
    const error = diagnosis("if (a) {\r\n\tbeta();\r\n}\r\n", "if (a) {\n  beta();\n}\n");
    expect(error.message).toContain(
      "differs in indentation (line 2: the file has 1 tab, old_string has 2 spaces).",
    );
    expect(error.message).toMatch(/\nif \(a\) \{\n\tbeta\(\);\n\}\n?$/);
  });

  it("is compared to its end where it is long", () => {
    const lines = Array.from({ length: 400 }, (_, i) => `line number ${i}`);
    const error = diagnosis(lines.join("\n"), lines.join("\n").replace("number 390", "number ninety"));
    expect(error.message).toContain(
      'differs in text (line 391: the file has "line number 390", old_string has "line number ninety")',
    );
  });

  it("is shown with escapes made visible, and kept as it is for a program", () => {
    const error = diagnosis("red \u001b[31m word\n", "red \u001b[32m word");
    expect(error.message).toContain("red ␛[31m word");
    expect(error.details?.closest_passage).toBe("red \u001b[31m word");
  });

  it.each([
    "xyz",
    "{}",
    "completely different words of another text",
    "alpha is all these two have in common",
  ])("is not made up for %j", (wanted) => {
    expect(diagnosis("alpha beta\ngamma\n", wanted).message).toBe(
      "old_string was not found. No passage resembles it; read the file again",
    );
  });

  it("is shown for Latin-1 as it is stored", () => {
    const error = diagnosis("\tna\xefve \xa9 text\n", "  naïve © text", "x", "latin1");
    expect(error.message).toContain(
      "differs in indentation (line 1: the file has 1 tab, old_string has 2 spaces)",
    );
  });
});

describe("what can be proved is said first", () => {
  const cases: readonly (readonly [
    id: string,
    file: string,
    wanted: string,
    replacement: string,
    hint: string,
  ])[] = [
    [
      "line numbers with an arrow",
      "a\nfoo();\nbar();\n",
      "     2→foo();\n     3→bar();",
      "x",
      "It holds line-number prefixes as read_file shows them; leave them out (the text is on line 2)",
    ],
    [
      "line numbers with a tab",
      "a\nfoo();\n",
      "2\tfoo();",
      "x",
      "It holds line-number prefixes as read_file shows them; leave them out (the text is on line 2)",
    ],
    [
      "line numbers with a colon",
      "a\nfoo();\n\nbar();\n",
      "2: foo();\n\n4: bar();",
      "x",
      "It holds line-number prefixes as read_file shows them; leave them out (the text is on line 2). The text begins on line 2:\nfoo();\n\nbar();",
    ],
    [
      "\\n as two characters",
      'a\nfoo("x")\nbar\n',
      'foo(\\"x\\")\\nbar',
      "x",
      'It holds escapes such as \\n or \\" as two characters each; give the characters themselves (the text is on line 2)',
    ],
    [
      "the edit was made before",
      "a\nv = 2;\n",
      "v = 1;",
      "v = 2;",
      "new_string is already in the file, on line 2: the edit may have been made before",
    ],
    [
      "a byte order mark in old_string",
      "hello\n",
      "\ufeffhello",
      "x",
      "It begins with a byte order mark (U+FEFF), which is not part of the text; leave it out",
    ],
  ];
  it.each(cases)("%s", (_id, file, wanted, replacement, hint) => {
    expect(diagnosis(file, wanted, replacement).message).toContain(`old_string was not found. ${hint}`);
  });

  it("that the encoding has not the character", () => {
    expect(diagnosis("price 5 \xa4\n", "price 5 €", "x", "latin1").message).toContain(
      "It holds `€` (U+20AC), which a file in latin1 cannot hold",
    );
  });

  it("what is numbered with an arrow, also where the text itself differs", () => {
    const error = diagnosis("a\n\tfoo(beta);\n", " 2→  foo(beta);");
    expect(error.message).toContain(
      "leave them out. The closest passage begins on line 2 and differs in indentation",
    );
  });

  it("nothing of numbers that are part of the text", () => {
    expect(diagnosis("1: one thing\n", "1: one thin.\n").message).not.toContain("prefixes");
    expect(diagnosis("1: one thing\nother\n", "1: one thin\nother\n").message).not.toContain("prefixes");
  });
});

describe("ED43: the work is bounded", () => {
  it("for a file of 50 MB and a passage of 100,000 characters", () => {
    const block = Array.from(
      { length: 1_000 },
      (_, i) => `  const value${i} = compute(${i}); // some text\n`,
    ).join("");
    const file = Buffer.from(block.repeat(1_100)).subarray(0, 50 * 1024 * 1024);
    const old_string = block.replaceAll("  const", "\tconst").repeat(3).slice(0, 100_000);
    const error = noMatchError(byteText(file, "utf-8"), { old_string, new_string: "x" });
    expect(error.details).toMatchObject({ line: 1, differs_in: ["indentation"] });
    expect(error.message.length).toBeLessThan(2_000);
  });

  it.each([
    ["blanks within a line", `word${" ".repeat(200_000)}end\n`, `word${" ".repeat(200_001)}end`],
    ["blanks at the start of a line", `${"\t".repeat(200_000)}word\n`, `${" ".repeat(200_000)}word`],
    ["numbers", `${"1 ".repeat(100_000)}\n`, `${"1  ".repeat(100_000)}`],
  ])("for a passage of very many %s", (_name, file, old_string) => {
    const error = noMatchError(byteText(Buffer.from(file), "utf-8"), { old_string, new_string: "x" });
    expect(error.message.length).toBeLessThan(3_000);
  });
});
