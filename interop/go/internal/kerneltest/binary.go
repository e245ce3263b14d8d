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

// SDKFixture is the echo plugin of the SDK's own tests, bundled as plugins are. It does what the filesystem never
// has a reason to: it streams, calls back, starts children and crashes.
func SDKFixture(t *testing.T) string {
	t.Helper()
	root := Repository(t)
	return build(t, "echo-plugin", filepath.Join(root, "node_modules", ".bin", "esbuild"), root,
		func(target string) []string {
			return []string{
				"packages/plugin/e2e/fixtures/echo-plugin.ts", "--bundle", "--platform=node", "--format=cjs",
				"--target=node20", "--conditions=source", "--banner:js=#!/usr/bin/env node",
				"--log-level=warning", "--outfile=" + target,
			}
		})
}

// Build compiles a command of this module and gives its path.
func Build(t *testing.T, command string) string {
	t.Helper()
	return build(t, filepath.Base(command), "go", module(t), func(target string) []string {
		return []string{"build", "-o", target, "./" + command}
	})
}

var builds struct {
	sync.Mutex
	folder string
	done   map[string]string
}

// build makes an executable by a compiler, once per test binary.
func build(t *testing.T, name, compiler, folder string, arguments func(target string) []string) string {
	t.Helper()
	builds.Lock()
	defer builds.Unlock()
	if path, ok := builds.done[name]; ok {
		return path
	}
	if builds.folder == "" {
		t.Fatal("the package's TestMain does not call kerneltest.Main")
	}
	path := filepath.Join(builds.folder, name)
	cmd := exec.Command(compiler, arguments(path)...)
	cmd.Dir = folder
	output, err := cmd.CombinedOutput()
	if err == nil {
		err = os.Chmod(path, 0o755)
	}
	if err != nil {
		t.Fatalf("building %s: %v\n%s\n(what npm installs is missing until 'npm ci' has run)", name, err, output)
	}
	builds.done[name] = path
	return path
}
