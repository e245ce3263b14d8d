package kerneltest

import (
	"sync"
	"testing"
	"time"

	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// patience bounds every wait of the tests. It is only spent where a test fails.
const patience = 10 * time.Second

// Journal keeps events in the order in which they came.
type Journal struct {
	lock   sync.Mutex
	events []kernel.Event
	// grown is closed, and replaced, at every event.
	grown chan struct{}
}

// NewJournal gives an empty journal.
func NewJournal() *Journal { return &Journal{grown: make(chan struct{})} }

// Observe is for kernel.Options.Observe.
func (j *Journal) Observe(event kernel.Event) {
	j.lock.Lock()
	defer j.lock.Unlock()
	j.events = append(j.events, event)
	close(j.grown)
	j.grown = make(chan struct{})
}

// Names are the names of all events so far.
func (j *Journal) Names() []string {
	events, _ := j.snapshot()
	names := make([]string, len(events))
	for i, event := range events {
		names[i] = event.EventName()
	}
	return names
}

func (j *Journal) snapshot() ([]kernel.Event, <-chan struct{}) {
	j.lock.Lock()
	defer j.lock.Unlock()
	return j.events[:len(j.events):len(j.events)], j.grown
}

// Events are the events of one type so far.
func Events[E kernel.Event](j *Journal) []E {
	all, _ := j.snapshot()
	var found []E
	for _, event := range all {
		if event, ok := event.(E); ok {
			found = append(found, event)
		}
	}
	return found
}

// Await gives the first event of one type that fits, waiting for it where it has not come yet.
func Await[E kernel.Event](t *testing.T, j *Journal, fits func(E) bool) E {
	t.Helper()
	late := time.After(patience)
	for {
		all, grown := j.snapshot()
		for _, event := range all {
			if event, ok := event.(E); ok && fits(event) {
				return event
			}
		}
		select {
		case <-grown:
		case <-late:
			t.Fatalf("no fitting %T came; what came: %v", *new(E), j.Names())
		}
	}
}

// Eventually polls until a state of the system outside is reached, such as a process being gone.
func Eventually(t *testing.T, what string, reached func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !reached() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
