package filesystem_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteCreatesAFileAndItsFolders(t *testing.T) {
	w := open(t)
	made := w.change("write_file", args{"path": "a/b/new.txt", "content": "one\ntwo\n"})
	w.has("a/b/new.txt", "one\ntwo\n")
	if !made.Created || made.LinesAdded != 2 || made.LinesRemoved != 0 || made.SizeBytes != 8 || made.SHA256 != digest("one\ntwo\n") {
		t.Errorf("the result says %+v", made)
	}
}

func TestWriteWantsToHaveReadWhatItReplaces(t *testing.T) {
	w := open(t)
	w.put("a.txt", "old\n")
	write := args{"path": "a.txt", "content": "new\n"}
	w.refuse(invalid, "write_file", write)
	w.has("a.txt", "old\n")
	w.read(args{"path": "a.txt"})
	w.put("a.txt", "changed by someone\n")
	w.refuse(conflict, "write_file", write)
	w.has("a.txt", "changed by someone\n")
	w.read(args{"path": "a.txt"})
	w.change("write_file", write)
	w.has("a.txt", "new\n")
	w.refuse(conflict, "write_file", args{"path": "a.txt", "content": "x", "expected_sha256": digest("other")})
	w.change("write_file", args{"path": "a.txt", "content": "x", "expected_sha256": digest("new\n")})
	w.has("a.txt", "x")
}

func TestAChangeKeepsTheMode(t *testing.T) {
	w := open(t)
	w.put("run.sh", "#!/bin/sh\necho old\n")
	path := filepath.Join(w.root, "run.sh")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	w.change("edit_file", args{"path": "run.sh", "old_string": "old", "new_string": "new"})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the mode is %v (%v), want 0755", info.Mode(), err)
	}
}

func TestEditsAreByteExact(t *testing.T) {
	for name, test := range map[string]struct{ before, old, new, after string }{
		"dollar signs are text":    {"log(\"done\");\n", `log("done");`, `log("$& $1 ok");`, "log(\"$& $1 ok\");\n"},
		"CRLF is matched and kept": {"a\r\nb\r\nc\r\n", "a\nb", "a\nx", "a\r\nx\r\nc\r\n"},
		"mixed endings stay":       {"a\nb\r\nc\n", "a", "z", "z\nb\r\nc\n"},
		"a BOM stays":              {"\xef\xbb\xbffirst\n", "first", "1st", "\xef\xbb\xbf1st\n"},
		"no newline is added":      {"a\nb", "b", "c", "a\nc"},
		"UTF-16 stays UTF-16":      {"\xff\xfea\x00\n\x00", "a", "b", "\xff\xfeb\x00\n\x00"},
		"patterns are text":        {"a.b(c)*[d]^{2}|\\w$\n", `a.b(c)*[d]^{2}|\w$`, "k", "k\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.put("f", test.before)
			made := w.change("edit_file", args{"path": "f", "old_string": test.old, "new_string": test.new})
			w.has("f", test.after)
			if made.Replacements != 1 || made.SHA256 != digest(test.after) {
				t.Errorf("the result says %+v", made)
			}
			w.change("undo_edit", args{"path": "f"})
			w.has("f", test.before)
		})
	}
}

func TestAnEditThatIsNotClearChangesNothing(t *testing.T) {
	w := open(t)
	before := "x = 1\nx = 1\n\tindented\nx = 1\n"
	w.put("f", before)
	several := w.refuse(invalid, "edit_file", args{"path": "f", "old_string": "x = 1", "new_string": "y"})
	for _, line := range []string{"1", "2", "4"} {
		if !strings.Contains(several, line) {
			t.Errorf("line %s is not named: %q", line, several)
		}
	}
	closest := w.refuse(notFound, "edit_file", args{"path": "f", "old_string": "    indented", "new_string": "y"})
	if !strings.Contains(closest, "3") {
		t.Errorf("the closest passage, line 3, is not named: %q", closest)
	}
	w.refuse(invalid, "edit_file", args{"path": "f", "old_string": "", "new_string": "y"})
	w.refuse(invalid, "edit_file", args{"path": "f", "old_string": "x", "new_string": "x"})
	w.refuse(invalid, "edit_file", args{"path": "f", "old_string": "x = 1", "new_string": "y", "replace_all": true, "expected_replacements": 2.0})
	third := w.refuse(notFound, "multi_edit", args{"path": "f", "edits": []any{
		args{"old_string": "indented", "new_string": "one"},
		args{"old_string": "one", "new_string": "two"},
		args{"old_string": "indented", "new_string": "three"},
	}})
	if !strings.Contains(third, "3") && !strings.Contains(third, "third") {
		t.Errorf("the edit that fails is not named: %q", third)
	}
	w.has("f", before)
}

func TestMultiEditAppliesInOrder(t *testing.T) {
	w := open(t)
	w.put("f", "foo bar\nfoo\n")
	made := w.change("multi_edit", args{"path": "f", "edits": []any{
		args{"old_string": "foo bar", "new_string": "bar bar"},
		args{"old_string": "bar", "new_string": "baz", "replace_all": true},
	}})
	w.has("f", "baz baz\nfoo\n")
	if made.Operation != "multi_edit" || made.LinesAdded != 1 || made.LinesRemoved != 1 {
		t.Errorf("the result says %+v", made)
	}
}

func TestUndoGoesBackStepByStep(t *testing.T) {
	w := open(t)
	w.change("write_file", args{"path": "dir/f", "content": "1"})
	w.change("edit_file", args{"path": "dir/f", "old_string": "1", "new_string": "2"})
	w.change("write_file", args{"path": "dir/f", "content": "3"})
	w.change("undo_edit", args{"path": "dir/f"})
	w.has("dir/f", "2")
	w.change("undo_edit", args{"path": "dir/f"})
	w.has("dir/f", "1")
	if made := w.change("undo_edit", args{"path": "dir/f"}); !made.Removed {
		t.Errorf("the result says %+v", made)
	}
	if _, err := os.Lstat(filepath.Join(w.root, "dir", "f")); err == nil {
		t.Error("the file that the first change created is still there")
	}
	w.refuse(notFound, "undo_edit", args{"path": "dir/f"})
}

func TestUndoRefusesWhatSomeoneElseChanged(t *testing.T) {
	w := open(t)
	w.change("write_file", args{"path": "f", "content": "mine"})
	w.put("f", "theirs")
	w.refuse(conflict, "undo_edit", args{"path": "f"})
	w.has("f", "theirs")
}

func TestConfiguredLimitsHold(t *testing.T) {
	w := open(t)
	w.put(".git/config", "[core]\n")
	if got := w.read(args{"path": ".git/config"}); !strings.Contains(got.Content, "core") {
		t.Errorf("a protected file cannot be read: %+v", got)
	}
	w.refuse(denied, "edit_file", args{"path": ".git/config", "old_string": "core", "new_string": "x"})
	w.refuse(denied, "write_file", args{"path": "sub/.git/hooks/post-commit", "content": "x"})

	hiding := openAt(t, w.root, args{"hide": []any{"*.key"}, "read_only": true})
	w.put("secret.key", "k")
	w.put("open.txt", "o")
	if failure := hiding.invoke("read_file", args{"path": "secret.key"}).GetError(); failure == nil {
		t.Error("a hidden file can be read")
	}
	listed := hiding.do("list_directory", args{"path": "."}).GetResult().GetPayload().String()
	if strings.Contains(listed, "secret.key") || !strings.Contains(listed, "open.txt") {
		t.Errorf("listed: %s", listed)
	}
	hiding.refuse(denied, "write_file", args{"path": "new.txt", "content": "x"})
}
