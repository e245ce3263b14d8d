// write_file, edit_file, multi_edit and undo_edit on real files. Numbers in brackets are the cases of
// cases/README.md, letters those of cases/filesystem-search.md.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf, Workspace } from "./testing/workspace.ts";

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work[Symbol.dispose]());

const edit = (path: string, old_string: string, new_string: string, more = {}) =>
  work.run("edit_file", { path, old_string, new_string, ...more });

describe("edit_file", () => {
  it.each([
    ["1 ED01", 'log("done");\n', 'log("done");', 'log("$& ok$1$$`");', 'log("$& ok$1$$`");\n'],
    ["2 ED05", "one\r\ntwo\nthree\r\n", "two", "2", "one\r\n2\nthree\r\n"],
    ["3 ED03", "a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n"],
    ["4 ED09", "\xef\xbb\xbfhello\nz\n", "hello", "hello2", "\xef\xbb\xbfhello2\nz\n"],
    ["5 ED13", "\xff\xfev\0=\x001\0\n\0", "v=1", "v=é", "\xff\xfev\0=\0\xe9\0\n\0"],
    ["6", "a\nlast", "last", "end", "a\nend"],
    ["ED07", "a\r\nb\r\nc\r\n", "b", "b\nnew1\nnew2", "a\r\nb\r\nnew1\r\nnew2\r\nc\r\n"],
    ["ED11", "// \xa9 x\nv=1\n", "v=1", "v=2", "// \xa9 x\nv=2\n"],
    ["ED19", "x\n", "x", "print('a\\nb')", "print('a\\nb')\n"],
    ["ED39", "a\nb\n", "b\n", "b", "a\nb"],
  ])("changes only the bytes of the passage [%s]", async (_case, before, old_string, new_string, after) => {
    work.put("f", Buffer.from(before, "latin1"));
    const preview = await work.preview("edit_file", { path: "f", old_string, new_string });
    const result = await edit("f", old_string, new_string);
    expect(work.bytes("f")).toBe(after);
    expect(textOf(work.render(result)).replace("Edited f", "Edit f")).toBe(`${textOf(preview)}\n[Undo]`);
  });

  it("shows escapes and bidirectional controls in the preview's text, and writes them unchanged [28]", async () => {
    work.put("f", "plain\n");
    await edit("f", "plain", "\u001b[31m\u202ered");
    expect(work.bytes("f")).toBe(Buffer.from("\u001b[31m\u202ered\n").toString("latin1"));
  });

  it("refuses several occurrences with their lines and writes nothing [7 ED25]", async () => {
    work.put("f", "x\na\nx\nb\nx\n");
    const failure = await work.failure("edit_file", { path: "f", old_string: "x", new_string: "y" });
    expect(failure).toMatchObject({
      category: "invalid_arguments",
      message: expect.stringMatching(/3 times.*lines 1, 3 and 5/),
    });
    expect(work.bytes("f")).toBe("x\na\nx\nb\nx\n");
    await edit("f", "x", "y", { replace_all: true });
    expect(work.bytes("f")).toBe("y\na\ny\nb\ny\n");
  });

  it("says in the preview that and why the edit would fail", async () => {
    work.put("f", "\tindented\n");
    const preview = textOf(
      await work.preview("edit_file", { path: "f", old_string: "    indented", new_string: "x" }),
    );
    expect(preview).toContain("This would fail (not_found)");
  });

  it("refuses a file that is no text, naming its type", async () => {
    work.put("f.png", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"));
    expect(
      await work.failure("edit_file", { path: "f.png", old_string: "P", new_string: "Q" }),
    ).toMatchObject({
      category: "execution_failed",
      message: expect.stringContaining("image/png"),
    });
  });

  it("goes through a link to its target and leaves the link a link [19 PJ13]", async () => {
    work.put("real", "a\n");
    symlinkSync("real", join(work.root, "link"));
    await edit("link", "a", "b");
    expect(work.bytes("real")).toBe("b\n");
    expect(lstatSync(join(work.root, "link")).isSymbolicLink()).toBe(true);
  });

  it("loses no update of calls that come at once, whatever their spelling [25 ED49]", async () => {
    work.put("a.txt", Array.from({ length: 100 }, (_, line) => `line ${line}.\n`).join(""));
    symlinkSync("a.txt", join(work.root, "link"));
    const spellings = ["a.txt", "./a.txt", "link", join(work.root, "a.txt")];
    await Promise.all(
      Array.from({ length: 100 }, (_, line) =>
        edit(spellings[line % 4] ?? "", `line ${line}.`, `LINE ${line}.`),
      ),
    );
    expect(work.bytes("a.txt")).toBe(Array.from({ length: 100 }, (_, line) => `LINE ${line}.\n`).join(""));
  });
});

describe("multi_edit", () => {
  it("applies its edits in order, each to what the one before left [11 ED37]", async () => {
    work.put("f", "foo bar\n");
    await work.run("multi_edit", {
      path: "f",
      edits: [
        { old_string: "foo", new_string: "new place" },
        { old_string: "new place", new_string: "$1" },
      ],
    });
    expect(work.bytes("f")).toBe("$1 bar\n");
  });

  it("changes nothing where one edit fails, and names it [10]", async () => {
    work.put("f", "a b c\n");
    const edits = ["a", "b", "missing", "c"].map((old_string) => ({ old_string, new_string: "x" }));
    expect(await work.failure("multi_edit", { path: "f", edits })).toMatchObject({
      category: "not_found",
      message: expect.stringContaining("edit 3 of 4"),
    });
    expect(work.bytes("f")).toBe("a b c\n");
  });
});

describe("write_file", () => {
  it("creates a file and the directories it needs", async () => {
    const result = await work.run("write_file", { path: "a/b/new.txt", content: "text\n" });
    expect(work.bytes("a/b/new.txt")).toBe("text\n");
    expect(result).toMatchObject({
      created: true,
      encoding: "utf-8",
      lines_added: 1,
      lines_removed: 0,
      size_bytes: 5,
    });
    expect(result["diff"]).toContain("--- /dev/null\n+++ a/b/new.txt\n@@ -0,0 +1 @@\n+text\n");
  });

  it("refuses to overwrite what this session has not read, until it has [write_file]", async () => {
    work.put("f", "old\n");
    const write = { path: "f", content: "new\n" };
    expect(await work.failure("write_file", write)).toMatchObject({
      category: "invalid_arguments",
      message: expect.stringMatching(/has not been read.*read_file/),
    });
    expect(textOf(await work.preview("write_file", write))).toContain("This would fail (invalid_arguments)");
    await work.run("read_file", { path: "f" });
    expect(await work.failure("write_file", write, "another session")).toMatchObject({
      category: "invalid_arguments",
    });
    await work.run("write_file", write);
    await work.run("write_file", { path: "f", content: "newer\n" });
    expect(work.bytes("f")).toBe("newer\n");
  });

  it("and edit_file refuse a file that changed since it was read [24]", async () => {
    work.put("f", "old\n");
    await work.run("read_file", { path: "f" });
    work.put("f", "theirs\n");
    for (const [operation, input] of [
      ["write_file", { path: "f", content: "mine\n" }],
      ["edit_file", { path: "f", old_string: "theirs", new_string: "mine" }],
    ] as const) {
      expect(await work.failure(operation, input)).toMatchObject({
        category: "concurrency_conflict",
        retryable: true,
        message: expect.stringContaining("read it again"),
      });
    }
    expect(work.bytes("f")).toBe("theirs\n");
    await work.run("read_file", { path: "f" });
    await work.run("write_file", { path: "f", content: "mine\n" });
  });

  it("do not mind a file that was touched but holds the same [ED47]", async () => {
    const path = work.put("f", "same\n");
    await work.run("read_file", { path: "f" });
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    await edit("f", "same", "edited");
    utimesSync(path, new Date(), new Date(Date.now() + 9_000));
    await work.run("write_file", { path: "f", content: "written\n" });
  });

  it("takes expected_sha256 as proof instead, and nothing else", async () => {
    work.put("f", "old\n");
    const sha = "e31ac35d4d60ca04172f73f68edd2d1ea76c07ae7ac7a58a69b25c3e1cbca4ba";
    expect(await work.failure("write_file", { path: "f", content: "x", expected_sha256: sha })).toMatchObject(
      {
        category: "concurrency_conflict",
      },
    );
    expect(
      await work.failure("write_file", { path: "none", content: "x", expected_sha256: sha }),
    ).toMatchObject({
      category: "concurrency_conflict",
      message: expect.stringContaining("does not exist"),
    });
    const { sha256 } = await work.run("read_file", { path: "f" }, "other session");
    await work.run("write_file", { path: "f", content: "x", expected_sha256: String(sha256).toUpperCase() });
    expect(work.bytes("f")).toBe("x");
  });

  it.each([
    ["CRLF [WR09]", "a\r\nb\r\n", "c\nd\n", "c\r\nd\r\n"],
    ["a byte order mark", "\xef\xbb\xbfa\n", "b\n", "\xef\xbb\xbfb\n"],
    ["UTF-16", "\xff\xfea\0\n\0", "é\n", "\xff\xfe\xe9\0\n\0"],
    ["Latin-1", "\xe9t\xe9\n", "\xe0\n", "\xe0\n"],
    ["mixed line endings as given", "a\r\nb\n", "c\nd\n", "c\nd\n"],
    ["CRLF given as such", "a\r\n", "b\r\nc\n", "b\r\nc\n"],
  ])("keeps how the file is stored: %s", async (_name, before, content, after) => {
    work.put("f", Buffer.from(before, "latin1"));
    await work.run("read_file", { path: "f" });
    await work.run("write_file", { path: "f", content });
    expect(work.bytes("f")).toBe(after);
  });

  it("keeps the mode, and refuses a file that nobody may write [22 WR01 WR15]", async () => {
    const path = work.put("run.sh", "#!/bin/sh\n");
    chmodSync(path, 0o755);
    await edit("run.sh", "/bin/sh", "/bin/bash");
    expect(statSync(path).mode & 0o777).toBe(0o755);
    chmodSync(path, 0o444);
    expect(
      await work.failure("edit_file", { path: "run.sh", old_string: "bash", new_string: "sh" }),
    ).toMatchObject({
      category: "permission_denied",
    });
    expect(work.bytes("run.sh")).toBe("#!/bin/bash\n");
  });

  it("warns of what is lost: an emptied file [WR11], a binary one, hard links", async () => {
    work.put("f", "text\n");
    linkSync(join(work.root, "f"), join(work.root, "g"));
    await work.run("read_file", { path: "f" });
    const emptied = await work.run("write_file", { path: "f", content: "" });
    expect(emptied["warnings"]).toEqual([
      "this empties a file of 5 bytes",
      "the file had other names (hard links); they keep the old content",
    ]);
    expect(work.bytes("g")).toBe("text\n");
    const binary = work.put("b.gz", Buffer.from("\x1f\x8b\b\0\0\0\0\0", "latin1"));
    const replaced = await new WithoutRule(binary).write("text");
    expect(replaced).toContain("application/gzip");
  });

  it.each([
    ["a directory that is a file [WR13]", "f/x.txt", "invalid_arguments"],
    ["a directory", ".", "invalid_arguments"],
    ["protected", ".git/config", "permission_denied"],
    ["protected at any depth and in any case [26]", "sub/.GIT/config", "permission_denied"],
    ["outside [16]", "../root-outside/x", "permission_denied"],
    ["a NUL byte [20]", "a\0b", "invalid_arguments"],
    ["empty", "", "invalid_arguments"],
  ])("refuses a path that is %s", async (_name, path, category) => {
    work.put("f", "x");
    expect(await work.failure("write_file", { path, content: "x" })).toMatchObject({ category });
    expect(work.names()).toEqual(["f"]);
  });

  it("refuses content that is too large or no text, and says how much is allowed", async () => {
    using small = new Workspace({ max_file_bytes: 10 });
    expect(await small.failure("write_file", { path: "f", content: "x".repeat(11) })).toMatchObject({
      category: "invalid_arguments",
      message: expect.stringContaining("11 bytes, more than the 10"),
    });
    expect(await small.failure("write_file", { path: "f", content: "\ud800" })).toMatchObject({
      category: "invalid_arguments",
    });
    expect(small.names()).toEqual([]);
  });

  it("refuses every change where the configuration says read_only", async () => {
    using locked = new Workspace({ read_only: true });
    locked.put("f", "a\n");
    for (const [operation, input] of [
      ["write_file", { path: "g", content: "x" }],
      ["edit_file", { path: "f", old_string: "a", new_string: "b" }],
    ] as const) {
      expect(await locked.failure(operation, input)).toMatchObject({ category: "permission_denied" });
      const preview = textOf(await locked.preview(operation, input));
      expect(preview).toContain("This would fail (permission_denied)");
    }
  });
});

describe("undo_edit", () => {
  it("takes back changes one by one, to the byte and the mode [WR19]", async () => {
    const original = "\xef\xbb\xbfone\r\ntwo\r\n";
    const path = work.put("f", Buffer.from(original, "latin1"));
    chmodSync(path, 0o750);
    await edit("f", "one", "1");
    await edit("f", "two", "2\nmore");
    await work.run("read_file", { path: "f" });
    const third = await work.run("write_file", { path: "f", content: "all new\n" });
    expect(third["undo_available"]).toBe(3);
    const states = [];
    for (let step = 0; step < 3; step++) {
      await work.run("undo_edit", { path: "f" });
      states.push(work.bytes("f"));
    }
    expect(states).toEqual(["\xef\xbb\xbf1\r\n2\r\nmore\r\n", "\xef\xbb\xbf1\r\ntwo\r\n", original]);
    expect(statSync(path).mode & 0o777).toBe(0o750);
    expect(await work.failure("undo_edit", { path: "f" })).toMatchObject({ category: "not_found" });
  });

  it("removes a file it created, with the directories that came with it, and nothing else [WR17]", async () => {
    work.put("kept.md", "kept\n");
    await work.run("write_file", { path: "a/b/new.md", content: "new\n" });
    await work.run("write_file", { path: "a/other.md", content: "other\n" });
    const result = await work.run("undo_edit", { path: "a/b/new.md" });
    expect(result).toMatchObject({ removed: true, lines_removed: 1 });
    expect(textOf(work.render(result))).toContain("-new");
    expect(existsSync(join(work.root, "a/b"))).toBe(false);
    expect(work.names("a")).toEqual(["other.md"]);
    expect(work.bytes("kept.md")).toBe("kept\n");
  });

  it("refuses where somebody else changed the file since", async () => {
    work.put("f", "a\n");
    await edit("f", "a", "b");
    writeFileSync(join(work.root, "f"), "theirs\n");
    expect(await work.failure("undo_edit", { path: "f" })).toMatchObject({
      category: "concurrency_conflict",
    });
    expect(work.bytes("f")).toBe("theirs\n");
  });

  it("keeps as many changes of a file as configured", async () => {
    using shallow = new Workspace({ undo_depth: 2 });
    shallow.put("f", "0\n");
    for (let step = 0; step < 5; step++) {
      await shallow.run("edit_file", { path: "f", old_string: `${step}`, new_string: `${step + 1}` });
    }
    await shallow.run("undo_edit", { path: "f" });
    await shallow.run("undo_edit", { path: "f" });
    expect(shallow.bytes("f")).toBe("3\n");
    expect(await shallow.failure("undo_edit", { path: "f" })).toMatchObject({ category: "not_found" });
  });

  it("previews what it would put back, and changes nothing by that", async () => {
    work.put("f", "a\n");
    await edit("f", "a", "b");
    const preview = textOf(await work.preview("undo_edit", { path: "f" }));
    expect(preview).toContain("-b\n+a");
    expect(work.bytes("f")).toBe("b\n");
  });
});

/** A workspace around one file, without the rule that it must have been read. */
class WithoutRule {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async write(content: string): Promise<string> {
    using free = new Workspace({ require_read_before_write: false });
    free.put("copy", readFileSync(this.#path));
    return JSON.stringify(await free.run("write_file", { path: "copy", content }));
  }
}
