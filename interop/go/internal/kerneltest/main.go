package kerneltest

import (
	"fmt"
	"os"
	"testing"
)

// Main runs a package's tests in a temporary folder of its own, which is short enough for socket paths, and fails
// where a test, the host or a plugin has left something in it.
func Main(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	built, err := os.MkdirTemp("", "built")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(built)
	builds.folder, builds.done = built, make(map[string]string)

	temporary, err := os.MkdirTemp("", "it")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(temporary)
	if err := os.Setenv("TMPDIR", temporary); err != nil {
		return 1, err
	}
	code := m.Run()
	left, err := os.ReadDir(temporary)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("left behind in the temporary folder: %v", left)
	}
	return code, err
}
