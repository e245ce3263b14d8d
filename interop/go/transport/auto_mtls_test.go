package transport_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func launchWithTLS(t *testing.T, root string) (*kernel.Plugin, *kerneltest.Journal) {
	options := kerneltest.Filesystem(t, root)
	options.AutoMTLS = true
	return kerneltest.Launch(t, options)
}

// [18, 19] Everything works under mutual TLS, the callback channel included.
func TestAutoMTLS(t *testing.T) {
	root := wideTree(t)
	plugin, journal := launchWithTLS(t, root)
	if err := plugin.Ping(); err != nil {
		t.Fatal(err)
	}
	cancelUntilTold(t, plugin, root, func() bool { return len(kerneltest.Events[kernel.Logged](journal)) > 0 })
	if exited := plugin.Close(context.Background()); exited.Code != 0 {
		t.Errorf("the plugin ended as %+v", exited)
	}
	noComplaint(t, journal)
}

// [18] Whoever has not the host's certificate gets nothing, and hurts nobody who has.
func TestAutoMTLSRefusesEveryOtherClient(t *testing.T) {
	plugin, _ := launchWithTLS(t, kerneltest.Temporary(t))
	// The server's certificate is not the question here.
	anonymous := &tls.Config{InsecureSkipVerify: true}
	stranger := &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{selfSigned(t)}}
	for name, how := range map[string]credentials.TransportCredentials{
		"in clear":                   insecure.NewCredentials(),
		"TLS without a certificate":  credentials.NewTLS(anonymous),
		"TLS with another's":         credentials.NewTLS(stranger),
		"TLS 1.2 without any either": credentials.NewTLS(&tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}),
	} {
		conn, err := grpc.NewClient("unix:"+plugin.Hands.Address, grpc.WithTransportCredentials(how))
		if err != nil {
			t.Fatal(err)
		}
		_, err = toolv1.NewToolServiceClient(conn).Describe(soon(t), &toolv1.DescribeRequest{})
		if code := status.Code(err); code != codes.Unavailable {
			t.Errorf("%s: Describe gave %v, want Unavailable", name, err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := plugin.Ping(); err != nil {
		t.Errorf("the host is refused too: %v", err)
	}
}

// selfSigned makes a certificate like the host's own, with another key.
func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "localhost", Organization: []string{"HashiCorp"}},
		DNSNames:     []string{"localhost"},
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		NotBefore:    time.Now().Add(-time.Minute),
		NotAfter:     time.Now().Add(time.Hour),
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
