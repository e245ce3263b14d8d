package transport_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// frame is an HTTP/2 frame with a header of its own making.
func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	n := len(payload)
	header := []byte{
		byte(n >> 16), byte(n >> 8), byte(n), kind, flags,
		byte(stream >> 24), byte(stream >> 16), byte(stream >> 8), byte(stream),
	}
	return append(header, payload...)
}

// hostileInputs are bytes that no client would send. Each goes over a connection of its own.
func hostileInputs() map[string][]byte {
	settings := frame(4, 0, 0, nil)
	noise := make([]byte, 64<<10)
	chaCha := rand.NewChaCha8([32]byte{'f', 'i', 'x', 'e', 'd'})
	if _, err := chaCha.Read(noise); err != nil {
		panic(err) // never, by its documentation
	}
	speaks := func(frames ...[]byte) []byte {
		return append([]byte(preface), append(settings, bytes.Join(frames, nil)...)...)
	}
	return map[string][]byte{
		"nothing":                      nil,
		"noise":                        noise,
		"HTTP/1.1":                     []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
		"a TLS hello":                  {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3},
		"half a preface":               []byte(preface[:10]),
		"noise after the preface":      append([]byte(preface), noise...),
		"a frame too large":            speaks(frame(0, 0, 1, make([]byte, 1<<20))),
		"headers on stream 0":          speaks(frame(1, 4, 0, []byte{0x82})),
		"headers that do not decode":   speaks(frame(1, 5, 1, noise[:100])),
		"data without headers":         speaks(frame(0, 1, 1, []byte("x"))),
		"continuation without headers": speaks(frame(9, 4, 1, []byte{0x82})),
		"a thousand resets":            speaks(bytes.Repeat(frame(3, 0, 1, []byte{0, 0, 0, 8}), 1000)),
		"a thousand pings":             speaks(bytes.Repeat(frame(6, 0, 0, make([]byte, 8)), 1000)),
		"goaway":                       speaks(frame(7, 0, 0, make([]byte, 8))),
	}
}

// Whatever arrives on the socket, the plugin goes on serving its host.
func TestHostileBytesOnTheSocketHurtNobody(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	for name, input := range hostileInputs() {
		send(t, plugin, name, input)
		if err := plugin.Ping(); err != nil {
			t.Fatalf("after %s: %v", name, err)
		}
	}
}

// The same under mutual TLS, where the bytes meet the TLS layer.
func TestHostileBytesUnderTLSHurtNobody(t *testing.T) {
	plugin, _ := launchWithTLS(t, kerneltest.Temporary(t))
	for name, input := range hostileInputs() {
		send(t, plugin, name, input)
		if err := plugin.Ping(); err != nil {
			t.Fatalf("after %s: %v", name, err)
		}
	}
}

// send writes the bytes, ends its half, and reads until the plugin ends the other or has had a while to. A plugin
// may stop reading as soon as it has seen enough.
func send(t *testing.T, plugin *kernel.Plugin, name string, input []byte) {
	t.Helper()
	conn, err := net.Dial("unix", plugin.Hands.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	_, err = conn.Write(input)
	if err == nil {
		err = conn.(*net.UnixConn).CloseWrite()
	}
	if err == nil {
		_, err = io.Copy(io.Discard, conn)
	}
	if err != nil && !closedByPeer(err) && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%s: %v", name, err)
	}
}

func closedByPeer(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ENOTCONN)
}

// Connections that are opened and left alone do not keep the host's calls waiting, nor the plugin alive.
func TestManySilentConnections(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	for range 200 {
		conn, err := net.Dial("unix", plugin.Hands.Address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if err := plugin.Ping(); err != nil {
		t.Error(err)
	}
	endedInOrder(t, plugin.Close(t.Context()))
}
