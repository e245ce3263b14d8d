package kernel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// previewProbeLimit is far more than an empty call can need.
const previewProbeLimit = 5 * time.Second

// Launch starts a plugin and brings it up in the kernel's order: handshake, dispense, Describe, checksum,
// GetSchema, decode of the configuration, Configure, one empty Preview. The plugin ends by SIGKILL when ctx does.
// The caller ends it with Close. A plugin whose launch failed is already gone.
func Launch(ctx context.Context, options Options) (*Plugin, error) {
	p, err := find(ctx, options)
	if err != nil {
		return nil, err
	}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"Describe", p.describe},
		{"checksum", p.checksum},
		{"GetSchema", p.getSchema},
		{"Configure", p.configure},
		{"Preview probe", p.probePreview},
	} {
		if err := step.run(ctx); err != nil {
			p.Close(ctx)
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return p, nil
}

func (p *Plugin) describe(ctx context.Context) error {
	response, err := p.Tool.Describe(ctx, &toolv1.DescribeRequest{})
	if err != nil {
		return err
	}
	p.options.observe(Described{JSON[*commonv1.ProducerRef]{Message: response.GetProducer()}})
	return nil
}

func (p *Plugin) checksum(context.Context) error {
	file, err := os.Open(p.options.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return err
	}
	p.options.observe(Checksummed{hex.EncodeToString(digest.Sum(nil))})
	return nil
}

func (p *Plugin) getSchema(ctx context.Context) error {
	schema, err := p.Tool.GetSchema(ctx, &toolv1.GetSchemaRequest{})
	if err != nil {
		return err
	}
	p.Schema = schema
	p.options.observe(SchemaRead{JSON[*toolv1.GetSchemaResponse]{Message: schema}})
	return nil
}

func (p *Plugin) configure(ctx context.Context) error {
	config, err := decodeConfig(p.Schema.GetConfigSchema().GetAttributes(), p.options.Config)
	if err != nil {
		return err
	}
	p.config.Store(config)
	began := time.Now()
	p.configuring.Store(true)
	err = p.Configure(ctx, config)
	p.configuring.Store(false)
	if err != nil {
		return err
	}
	p.options.observe(Configured{time.Since(began).Milliseconds()})
	return nil
}

// Configure hands a configuration over as it is, as the kernel may do again at any time.
func (p *Plugin) Configure(ctx context.Context, config *structpb.Struct) error {
	_, err := p.Tool.Configure(ctx, &toolv1.ConfigureRequest{Config: config})
	return err
}

// probePreview learns whether Preview is implemented: every answer but Unimplemented says that it is.
func (p *Plugin) probePreview(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, previewProbeLimit)
	defer cancel()
	began := time.Now()
	_, err := p.Tool.Preview(ctx, &toolv1.PreviewRequest{Call: &toolv1.ToolCall{}})
	code := status.Code(err)
	if code == codes.DeadlineExceeded || code == codes.Unavailable {
		return err
	}
	p.HasPreview = code != codes.Unimplemented
	p.options.observe(PreviewProbed{p.HasPreview, code.String(), time.Since(began).Milliseconds()})
	return nil
}
