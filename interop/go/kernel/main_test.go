package kernel_test

import (
	"testing"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

// reference are the options for the plugin that go-plugin itself serves.
func reference(t *testing.T) kernel.Options {
	return kernel.Options{Path: kerneltest.Build(t, "internal/goodplugin")}
}
