package filesystem_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
)

// page is what read_file returns.
type page struct {
	Operation  string `json:"operation"`
	Content    string `json:"content"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	TotalLines *int   `json:"total_lines"`
	Encoding   string `json:"encoding"`
	EOL        string `json:"eol"`
	HasBOM     bool   `json:"has_bom"`
	SizeBytes  int    `json:"size_bytes"`
	SHA256     string `json:"sha256"`
	Truncated  bool   `json:"truncated"`
	NextOffset *int   `json:"next_offset"`
}

func (w *workspace) read(arguments args) page {
	w.t.Helper()
	return kerneltest.Read[page](w.t, w.do("read_file", arguments).GetResult().GetPayload())
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func TestReadTellsEverythingAboutAFile(t *testing.T) {
	w := open(t)
	content := "first\nsecond\nthird\n"
	w.put("notes.txt", content)
	got := w.read(args{"path": "notes.txt"})
	if got.Operation != "read_file" || got.StartLine != 1 || got.EndLine != 3 || got.TotalLines == nil || *got.TotalLines != 3 {
		t.Errorf("lines: %+v", got)
	}
	if got.Encoding != "utf-8" || got.EOL != "lf" || got.HasBOM || got.SizeBytes != len(content) || got.SHA256 != digest(content) {
		t.Errorf("file: %+v", got)
	}
	if got.Truncated || got.NextOffset != nil {
		t.Errorf("a whole file is said to be cut: %+v", got)
	}
	for _, word := range []string{"first", "second", "third"} {
		if !strings.Contains(got.Content, word) {
			t.Errorf("%q is not in %q", word, got.Content)
		}
	}
}

func TestReadingPageByPageGivesEveryLineOnce(t *testing.T) {
	w := open(t)
	var content strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&content, "line-%d.\n", i)
	}
	w.put("long.txt", content.String())
	seen := make(map[string]int)
	offset, pages := 1, 0
	for {
		got := w.read(args{"path": "long.txt", "offset": float64(offset), "limit": 97.0})
		for line := range strings.Lines(got.Content) {
			if at := strings.Index(line, "line-"); at >= 0 {
				seen[strings.TrimSpace(line[at:])]++
			}
		}
		if got.NextOffset == nil {
			break
		}
		if *got.NextOffset <= offset {
			t.Fatalf("next_offset %d does not lead on from %d", *got.NextOffset, offset)
		}
		offset, pages = *got.NextOffset, pages+1
	}
	for i := range 1000 {
		if name := fmt.Sprintf("line-%d.", i); seen[name] != 1 {
			t.Errorf("%s was shown %d times", name, seen[name])
		}
	}
	if pages == 0 {
		t.Error("the file came in one page")
	}
}

func TestReadDecodes(t *testing.T) {
	w := open(t)
	for name, test := range map[string]struct{ bytes, encoding string }{
		"utf-8 with BOM": {"\xef\xbb\xbfgrün\n", "utf-8"},
		"utf-16le":       {"\xff\xfeg\x00r\x00\xfc\x00n\x00\n\x00", "utf-16le"},
		"utf-16be":       {"\xfe\xff\x00g\x00r\x00\xfc\x00n\x00\n", "utf-16be"},
	} {
		w.put(name, test.bytes)
		if got := w.read(args{"path": name}); !strings.Contains(got.Content, "grün") || got.Encoding != test.encoding || !got.HasBOM {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	w := open(t)
	w.put("binary", "\x7fELF\x00\x00\x00\x00")
	w.put("folder/file", "x")
	if err := syscall.Mkfifo(filepath.Join(w.root, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.refuse(failed, "read_file", args{"path": "binary"})
	w.refuse(notFound, "read_file", args{"path": "nope"})
	w.refuse(invalid, "read_file", args{"path": "folder/file", "offset": 0.0})
	w.refuse(invalid, "read_file", args{"path": "folder/file", "limit": "ten"})
	w.refuse(invalid, "read_file", args{})
	for _, path := range []string{"folder", "fifo"} {
		if failure := w.invoke("read_file", args{"path": path}).GetError(); failure == nil {
			t.Errorf("reading %s succeeded", path)
		}
	}
}

// What lies outside is refused in the same words whether it exists or not.
func TestNothingOutsideTheRootIsTold(t *testing.T) {
	w := open(t)
	existing := kerneltest.Temporary(t)
	exists := w.refuse(denied, "read_file", args{"path": existing})
	missing := w.refuse(denied, "read_file", args{"path": existing + "x"})
	if strings.ReplaceAll(missing, existing+"x", existing) != exists {
		t.Errorf("the words differ:\n%s\n%s", exists, missing)
	}
	w.refuse(denied, "read_file", args{"path": "../" + filepath.Base(existing)})
	w.refuse(denied, "write_file", args{"path": existing + "/new", "content": "x"})
}
