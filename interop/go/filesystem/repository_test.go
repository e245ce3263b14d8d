package filesystem_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
)

// copyOfRepository copies this repository's own files, without what is installed or built.
func copyOfRepository(t *testing.T) string {
	t.Helper()
	source, target := kerneltest.Repository(t), kerneltest.Temporary(t)
	err := filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch entry.Name() {
		case "node_modules", ".git", "dist", ".turbo", "bin", "coverage":
			if entry.IsDir() {
				return filepath.SkipDir
			}
		}
		relative, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(target, relative), 0o755)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(target, relative), content, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// Every text file of this repository is edited, checked and put back.
func TestWorkOnThisRepository(t *testing.T) {
	w := openAt(t, copyOfRepository(t), nil)
	edited := 0
	err := filepath.WalkDir(w.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".proto" && filepath.Ext(path) != ".md" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(w.root, path)
		if err != nil {
			return err
		}
		w.editAndUndo(name, string(content))
		edited++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if edited < 10 {
		t.Errorf("only %d files were found", edited)
	}
}

// editAndUndo replaces the first line of a file and puts it back.
func (w *workspace) editAndUndo(name, content string) {
	w.t.Helper()
	first, rest, _ := strings.Cut(content, "\n")
	edits := args{"path": name, "edits": []any{
		args{"old_string": content, "new_string": "// replaced: " + first + "\n" + rest},
	}}
	if got := w.read(args{"path": name}); got.SHA256 != digest(content) {
		w.t.Errorf("%s: the read's digest is %q", name, got.SHA256)
	}
	after := apply(w.t, diffOf(w.t, w.preview("multi_edit", edits)), content)
	w.change("multi_edit", edits)
	w.has(name, after)
	w.change("undo_edit", args{"path": name})
	w.has(name, content)
}
