package conformanceplugin

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	plugin "github.com/hashicorp/go-plugin"
	"google.golang.org/protobuf/types/known/timestamppb"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	kernelv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/kernel/v1"
	logv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/log/v1"
)

const (
	kernelServiceID = 1
	logPatience     = time.Second
)

// callback is the kernel as the plugin sees it. There may be none.
type callback struct {
	broker *plugin.GRPCBroker
	logger hclog.Logger
	once   sync.Once
	opened chan struct{}
	client kernelv1.KernelCallbackServiceClient
}

func newCallback(broker *plugin.GRPCBroker, logger hclog.Logger) *callback {
	return &callback{broker: broker, logger: logger, opened: make(chan struct{})}
}

// open dials once, in the background. Configure is the time: the kernel has announced itself by then, and
// go-plugin forgets an announcement that nobody takes within five seconds.
func (c *callback) open() {
	c.once.Do(func() {
		go func() {
			defer close(c.opened)
			if connection, err := c.broker.Dial(kernelServiceID); err == nil {
				c.client = kernelv1.NewKernelCallbackServiceClient(connection)
			}
		}()
	})
}

// log hands an entry to the kernel. A kernel that does not take it is a remark on stderr and nothing more.
func (c *callback) log(from *commonv1.CallContext, message string) {
	// Not the call's own context: that one is cancelled when there is something to report.
	ctx, cancel := context.WithTimeout(context.Background(), logPatience)
	defer cancel()
	if err := c.logTo(ctx, from.GetSessionId(), message); err != nil {
		c.logger.Warn("the kernel took no log entry", "message", message, "session", from.GetSessionId(), "error", err.Error())
	}
}

func (c *callback) logTo(ctx context.Context, session, message string) error {
	select {
	case <-c.opened:
	case <-ctx.Done():
		return ctx.Err()
	}
	if c.client == nil {
		return errors.New("it has announced no callback service")
	}
	_, err := c.client.Log(ctx, &kernelv1.LogRequest{SessionId: &session, Entries: []*logv1.LogEntry{{
		Level: logv1.LogLevel_LOG_LEVEL_INFO, Logger: "notes", Message: message, Time: timestamppb.Now(),
	}}})
	return err
}
