package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"tamp/core/wire"
)

// answer is one request being answered: where to write, and what the log will say of it.
type answer struct {
	w       http.ResponseWriter
	op      string
	status  int // 0: nothing was written
	bytes   int // of the body
	figures wire.Figures

	summaries, cached, failed int // of a compaction
}

// json writes a finished document. It goes in one piece: the border between Go and a Worker is slow for many small ones.
func (a *answer) json(status int, body []byte) { a.send(status, "application/json", body) }

func (a *answer) send(status int, kind string, body []byte) {
	h := a.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	a.status, a.bytes = status, len(body)
	a.w.WriteHeader(status)
	writeWhole(a.w, body)
}

// value writes a value of our own as JSON.
func (a *answer) value(status int, v any) { a.json(status, encode(v)) }

func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic("tamp: internal error: " + err.Error()) // strings and numbers only
	}
	return body
}

// fail writes an error. Errors that are not the engine's own say nothing to strangers.
func (a *answer) fail(err error) {
	if errors.Is(err, context.Canceled) {
		a.status = statusGone // nobody is there to read it
		return
	}
	e := known(err)
	status := statusOf[string(e.Code)]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	if status == http.StatusUnauthorized {
		a.w.Header().Set("WWW-Authenticate", `Bearer realm="tamp"`)
	}
	a.json(status, wire.EncodeError(e))
}

// statusGone is what servers log where the client went away before the answer.
const statusGone = 499

func known(err error) *wire.Error {
	if e := (*wire.Error)(nil); errors.As(err, &e) {
		return e
	}
	return refusal(internal, "", "cannot finish the request: an internal error of tamp, please report it")
}

// line is what is logged of a request: numbers and our own words, never content, never a key.
type line struct {
	Op           string `json:"op"`
	Status       int    `json:"status"`
	Bytes        int    `json:"bytes"`
	Milliseconds int64  `json:"ms"`
	Before       int    `json:"tokens_before,omitempty"`
	After        int    `json:"tokens_after,omitempty"`
	CacheHitRate *int   `json:"cache_hit_rate,omitempty"` // permille
	CompactCount *int   `json:"compact_count,omitempty"`
	Summaries    int    `json:"summaries,omitempty"`
	Cached       int    `json:"summaries_cached,omitempty"`
	Failed       int    `json:"summaries_failed,omitempty"`
}

func (a *answer) line(took time.Duration) []byte {
	l := line{Op: a.op, Status: a.status, Bytes: a.bytes, Milliseconds: took.Milliseconds(), Before: a.figures.Before, After: a.figures.After,
		Summaries: a.summaries, Cached: a.cached, Failed: a.failed}
	if a.figures.CacheHitRate >= 0 {
		l.CacheHitRate = &a.figures.CacheHitRate
	}
	if a.figures.CompactCount >= 0 {
		l.CompactCount = &a.figures.CompactCount
	}
	return encode(l)
}
