package worker

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

// The event stream of a compaction, in the format of the HTML standard: `event: plan`, `data: {…}` on one line, an
// empty line. The last event is `done`, whose data is the response without a stream, or `error`.

type planEvent struct {
	Round int             `json:"round"`
	Plan  json.RawMessage `json:"plan"` // without the prompts
}

type savedEvent struct {
	Round  int      `json:"round"`
	Bytes  int      `json:"bytes"`
	Stored bool     `json:"stored"` // false: the event done contains them, as archive
	Refs   []string `json:"refs"`
}

type summaryEvent struct {
	Round  int    `json:"round"`
	ID     string `json:"id"`
	Done   int    `json:"done"`
	Of     int    `json:"of"`
	Tokens int    `json:"tokens"` // of the messages that it replaces
	Cached bool   `json:"cached"`
	Text   string `json:"text"` // the summary; "" if there is an error
	Error  string `json:"error,omitempty"`
}

// heartbeat is the interval of comments that keep proxies from closing an idle connection; the shortest common limit is
// 60 s.
const heartbeat = 15 * time.Second

func acceptsEvents(h http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		if kind, _, err := mime.ParseMediaType(part); err == nil && kind == "text/event-stream" {
			return true
		}
	}
	return false
}

type events struct {
	a  *answer
	mu sync.Mutex // the heartbeat writes from its own goroutine
}

func newEvents(a *answer) *events {
	a.status = http.StatusOK
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("X-Accel-Buffering", "no") // proxies must not buffer the stream
	return &events{a: a}
}

// send writes one event. It returns context.Canceled after the client has disconnected.
func (e *events) send(name string, data any) error { return e.write(name, encode(data)) }

func (e *events) write(name string, data []byte) error {
	out := make([]byte, 0, len(name)+len(data)+20)
	out = append(append(append(out, "event: "...), name...), "\ndata: "...)
	start := len(out)
	out = append(out, data...)
	for i := start; i < len(out); i++ {
		if out[i] == '\n' || out[i] == '\r' {
			out[i] = ' ' // data must be one line; a JSON document may be indented, and line breaks in it are white space
		}
	}
	return e.writeRaw(append(out, "\n\n"...))
}

func (e *events) writeRaw(out []byte) error {
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

// startHeartbeat writes a comment every heartbeat, and calls onDisconnect if a write fails. The caller must call stop.
func (e *events) startHeartbeat(onDisconnect func()) (stop func()) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if e.writeRaw([]byte(": still at it\n\n")) != nil {
					onDisconnect()
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

// end writes the last event. The status was sent with the first event, so an error is an event, too.
func (e *events) end(out []byte, err error) error {
	switch {
	case err == context.Canceled || err == nil && e.write("done", out) != nil:
		e.a.status = statusClientClosed
	case err != nil:
		_ = e.write("error", wire.EncodeError(toWireError(err)))
	}
	return nil
}
