package kerneltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// PluginUnderTest is the built filesystem plugin, or what PLUGIN_UNDER_TEST names. It must be there: a test of a
// plugin that does not exist has failed.
func PluginUnderTest(t *testing.T) string {
	t.Helper()
	path := os.Getenv("PLUGIN_UNDER_TEST")
	if path == "" {
		path = filepath.Join(Repository(t), "plugins", "filesystem", "dist", "plugin-tool-filesystem")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the plugin under test is not built: %v\nrun 'npm run build' in %s, or set PLUGIN_UNDER_TEST", err, Repository(t))
	}
	return path
}

// Repository is the root of the repository: two folders above the Go module.
func Repository(t *testing.T) string { t.Helper(); return filepath.Join(module(t), "..", "..") }

// module is the folder of go.mod. Tests run in the folder of their package.
func module(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("the tests must run inside the Go module")
		}
		folder = parent
	}
}

var builds struct {
	sync.Mutex
	folder string
	done   map[string]string
}

// Build compiles a command of this module, once per test binary, and gives its path.
func Build(t *testing.T, command string) string {
	t.Helper()
	builds.Lock()
	defer builds.Unlock()
	if path, ok := builds.done[command]; ok {
		return path
	}
	if builds.folder == "" {
		t.Fatal("the package's TestMain does not call kerneltest.Main")
	}
	path := filepath.Join(builds.folder, filepath.Base(command))
	build := exec.Command("go", "build", "-o", path, "./"+command)
	build.Dir = module(t)
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", command, err, output)
	}
	builds.done[command] = path
	return path
}
