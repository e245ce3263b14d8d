package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// printer writes one JSON object per line, whole lines only.
type printer struct {
	lock sync.Mutex
	out  io.Writer
}

func newPrinter(out io.Writer) *printer { return &printer{out: out} }

func (p *printer) event(event kernel.Event) { p.line(event.EventName(), event) }

// line writes the fields of body, a struct, after the event's name.
func (p *printer) line(name string, body any) {
	fields, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("event %s has no JSON form: %v", name, err)) // its own types guarantee one
	}
	line := fmt.Appendf(nil, `{"event":%q`, name)
	if len(fields) > len("{}") {
		line = append(line, ',')
	}
	line = append(append(line, fields[1:]...), '\n')
	p.lock.Lock()
	defer p.lock.Unlock()
	// A reader that went away ends the program by SIGPIPE.
	_, _ = p.out.Write(line)
}
