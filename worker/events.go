package main

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"tamp/core/wire"
)

// The event stream of a compaction, as the HTML standard has it: `event: plan`, `data: {…}` on one line, an empty line. It ends
// with `done`, which carries what the answer without a stream is, or with `error`.

type planEvent struct {
	Round int             `json:"round"`
	Plan  json.RawMessage `json:"plan"` // without the prompts
}

type savedEvent struct {
	Round  int      `json:"round"`
	Bytes  int      `json:"bytes"`
	Stored bool     `json:"stored"` // false: they come with done, as archive
	Refs   []string `json:"refs"`
}

type summaryEvent struct {
	Round  int    `json:"round"`
	ID     string `json:"id"`
	Done   int    `json:"done"`
	Of     int    `json:"of"`
	Tokens int    `json:"tokens"` // of what it stands for
	Cached bool   `json:"cached"`
	Text   string `json:"text"` // the summary; "" where there is an error
	Error  string `json:"error,omitempty"`
}

// heartbeat keeps proxies from closing a silent connection; the shortest common limit is 60 s.
const heartbeat = 15 * time.Second

func acceptsEvents(h http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		if kind, _, err := mime.ParseMediaType(part); err == nil && kind == "text/event-stream" {
			return true
		}
	}
	return false
}

// event tells whoever listens.
func (c *compaction) event(name string, data any) error {
	if c.tell == nil {
		return c.ctx.Err()
	}
	return c.tell(name, data)
}

type events struct {
	a  *answer
	mu sync.Mutex // the heartbeat comes from beside
}

func newEvents(a *answer) *events {
	a.status = http.StatusOK
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("X-Accel-Buffering", "no") // proxies must not gather it
	return &events{a: a}
}

// send writes one event. It fails once the client has gone away.
func (e *events) send(name string, data any) error { return e.write(name, encode(data)) }

func (e *events) write(name string, data []byte) error {
	out := make([]byte, 0, len(name)+len(data)+20)
	out = append(append(append(out, "event: "...), name...), "\ndata: "...)
	start := len(out)
	out = append(out, data...)
	for i := start; i < len(out); i++ {
		if out[i] == '\n' || out[i] == '\r' {
			out[i] = ' ' // a document may be laid out over lines; as JSON it means the same on one
		}
	}
	return e.raw(append(out, "\n\n"...))
}

func (e *events) raw(out []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := e.a.w.Write(out)
	e.a.bytes += n
	if err != nil {
		return context.Canceled
	}
	if f, ok := e.a.w.(http.Flusher); ok {
		f.Flush()
	}
	return nil
}

// beat writes a comment from time to time, and calls gone when nobody is there to read it. The caller stops it.
func (e *events) beat(gone func()) (stop func()) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if e.raw([]byte(": still at it\n\n")) != nil {
					gone()
				}
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		ended.Wait()
	}
}

// end writes the last event. The status went out with the first one, so an error is an event too.
func (e *events) end(out []byte, err error) error {
	switch {
	case err == context.Canceled || err == nil && e.write("done", out) != nil:
		e.a.status = statusGone
	case err != nil:
		_ = e.write("error", wire.EncodeError(known(err)))
	}
	return nil
}
