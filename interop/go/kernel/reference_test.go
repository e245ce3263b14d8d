package kernel_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func echo(t *testing.T, arguments map[string]any) *toolv1.ToolCall {
	return &toolv1.ToolCall{Id: "c1", ToolName: "echo", Arguments: kerneltest.Struct(t, arguments)}
}

func TestLaunchKeepsTheKernelsOrder(t *testing.T) {
	plugin, journal := kerneltest.Launch(t, reference(t))
	order := []string{"handshake", "described", "checksum", "schema", "callback", "callback_log", "configured", "preview_probe"}
	names := slices.DeleteFunc(journal.Names(), func(name string) bool { return !slices.Contains(order, name) })
	if !slices.Equal(names, order) {
		t.Errorf("order was %v, want %v", names, order)
	}
	if plugin.HasPreview {
		t.Error("an Unimplemented Preview counts as implemented")
	}
}

func TestConfigureGetsDefaultsAndZeroValues(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, reference(t))
	terminal, err := plugin.Invoke(context.Background(), echo(t, map[string]any{"text": "hi"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := terminal.GetResult().GetPayload().GetFields()["text"].GetStringValue(); text != "> hi" {
		t.Errorf("text is %q: the prefix's default did not arrive", text)
	}
}

func TestAnUnusableConfigurationNamesItsAttribute(t *testing.T) {
	for words, config := range map[string]map[string]any{
		"prefix: must be a string":          {"prefix": 1.0},
		"labels: must be a list of strings": {"labels": []any{"a", 1.0}},
		"colour: the plugin has no such":    {"colour": "red"},
	} {
		options := reference(t)
		options.Config = kerneltest.Struct(t, config)
		_, err := kerneltest.Refused(t, options)
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%v gave %q, want %q in it", config, err, words)
		}
	}
}

func TestCancellingACallResetsItsStream(t *testing.T) {
	plugin, journal := kerneltest.Launch(t, reference(t))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	call := echo(t, map[string]any{"text": "x", "times": 1e9})
	_, err := plugin.Invoke(ctx, call, func(*toolv1.ToolEvent) { cancel() })
	if status.Code(err) != codes.Canceled {
		t.Errorf("the call gave %v, want Canceled", err)
	}
	kerneltest.Await(t, journal, func(logged kernel.Logged) bool {
		return logged.Entry.Message.GetMessage() == "cancelled c1"
	})
}

func TestALegacyKernelAnswersAnErrorToLogAndReadsItAllTheSame(t *testing.T) {
	options := reference(t)
	options.LegacyLog = true
	_, journal := kerneltest.Launch(t, options)
	kerneltest.Await(t, journal, func(logged kernel.Logged) bool { return logged.DuringConfigure })
	kerneltest.Await(t, journal, func(wrote kernel.WroteStderr) bool {
		return wrote.Level == "warn" && strings.Contains(wrote.Message, "took no log entry")
	})
}

func TestAnUnknownCategoryIsFoundByTrying(t *testing.T) {
	// go-plugin's host forgets the callback socket of a plugin it ends before it has announced it.
	t.Setenv("TMPDIR", kerneltest.Temporary(t))
	options := reference(t)
	options.ProbeCategories = true
	_, journal := kerneltest.Launch(t, options)
	var tried []string
	for _, probed := range kerneltest.Events[kernel.Probed](journal) {
		tried = append(tried, probed.Category+" "+probed.Code)
	}
	if want := []string{"model Unimplemented", "tool OK"}; !slices.Equal(tried, want) {
		t.Errorf("tried %v, want %v", tried, want)
	}
	if exited := kerneltest.Events[kernel.Exited](journal); len(exited) != 1 || exited[0].Code != 0 {
		t.Errorf("the process of the wrong category ended as %v", exited)
	}
}

func TestGoPluginsOwnVariantsWork(t *testing.T) {
	for name, change := range map[string]func(*kernel.Options){
		"mutual TLS":   func(o *kernel.Options) { o.AutoMTLS = true },
		"multiplexing": func(o *kernel.Options) { o.Multiplex = true },
		"two versions": func(o *kernel.Options) { o.Versions = []int{1, 2} },
	} {
		t.Run(name, func(t *testing.T) {
			// go-plugin's own plugin leaves its socket behind where it multiplexes.
			t.Setenv("TMPDIR", kerneltest.Temporary(t))
			options := reference(t)
			change(&options)
			plugin, journal := kerneltest.Launch(t, options)
			if plugin.Hands.Version != 1 {
				t.Errorf("version %d was chosen, want 1", plugin.Hands.Version)
			}
			kerneltest.Await(t, journal, func(kernel.Logged) bool { return true })
			if exited := plugin.Close(context.Background()); exited.Code != 0 {
				t.Errorf("the plugin ended as %+v", exited)
			}
		})
	}
}

func TestACrashedPluginIsTold(t *testing.T) {
	// A killed process leaves its socket behind.
	t.Setenv("TMPDIR", kerneltest.Temporary(t))
	plugin, _ := kerneltest.Launch(t, reference(t))
	process, err := os.FindProcess(plugin.Hands.PID)
	if err != nil {
		t.Fatal(err)
	}
	call := echo(t, map[string]any{"text": "x", "times": 1e9, "pause_ms": 1.0})
	var once bool
	_, err = plugin.Invoke(context.Background(), call, func(*toolv1.ToolEvent) {
		if !once {
			once = true
			if err := process.Kill(); err != nil {
				t.Error(err)
			}
		}
	})
	// Whether go-plugin has noticed the exit when the call fails is a race; the next call comes after it.
	if status.Code(err) != codes.Unavailable {
		t.Errorf("the running call gave %v, want Unavailable", err)
	}
	kerneltest.Eventually(t, "a call fails as a crash", func() bool {
		_, err := plugin.Invoke(context.Background(), call, nil)
		var crash *kernel.CrashError
		return errors.As(err, &crash)
	})
	if exited := plugin.Close(context.Background()); exited.Signal != "killed" {
		t.Errorf("the plugin ended as %+v", exited)
	}
}
