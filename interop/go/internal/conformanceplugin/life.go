package conformanceplugin

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"google.golang.org/grpc/stats"
)

const (
	lookAround = 200 * time.Millisecond
	// A host that has lost its connection for this long is gone.
	withoutHost = time.Second
	// A host that has launched it connects within go-plugin's own minute.
	firstConnection = time.Minute
	// More than Serve gives the last calls, less than the host's two seconds.
	lastWords = 1500 * time.Millisecond
)

// life knows when to end though nobody said so: go-plugin itself would live on. As a stats handler it counts
// connections.
type life struct {
	begun, ended chan struct{}
	// over is closed when nobody counts any more.
	over    chan struct{}
	signals chan os.Signal
	parent  int
}

func newLife() *life {
	l := &life{
		begun: make(chan struct{}), ended: make(chan struct{}), over: make(chan struct{}),
		signals: make(chan os.Signal, 1), parent: os.Getppid(),
	}
	signal.Notify(l.signals, syscall.SIGTERM)
	// go-plugin ignores it too, but only after it has printed the handshake.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT)
	// Caught, so that a write to the stderr of a dead host is an error and not the end; not ignored, because a
	// child would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return l
}

// watch stops the server on SIGTERM, when the parent changes, and when no host is connected any more.
func (l *life) watch(stop func()) {
	defer func() {
		// With multiplexing go-plugin waits five seconds for a first connection, whatever has been stopped.
		time.AfterFunc(lastWords, func() { os.Exit(0) })
		stop()
	}()
	defer close(l.over)
	ticker := time.NewTicker(lookAround)
	defer ticker.Stop()
	lonely := time.NewTimer(firstConnection)
	defer lonely.Stop()
	for connections := 0; ; {
		select {
		case <-l.signals:
			return
		case <-lonely.C:
			return
		case <-ticker.C:
			if os.Getppid() != l.parent {
				return
			}
		case <-l.begun:
			connections++
			lonely.Stop()
		case <-l.ended:
			if connections--; connections == 0 {
				lonely.Reset(withoutHost)
			}
		}
	}
}

// HandleConn is called for each connection as it begins and ends.
func (l *life) HandleConn(_ context.Context, event stats.ConnStats) {
	channel := l.ended
	if _, isBegin := event.(*stats.ConnBegin); isBegin {
		channel = l.begun
	}
	select {
	case channel <- struct{}{}:
	case <-l.over:
	}
}

// The other half of a stats handler, not needed here.

func (*life) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*life) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (*life) HandleRPC(context.Context, stats.RPCStats)                         {}
