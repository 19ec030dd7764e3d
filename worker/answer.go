package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"tamp/core/wire"
	"tamp/worker/gateway"
	"tamp/worker/store"
)

// answer is the response to one request, and the figures that the log entry has.
type answer struct {
	w       http.ResponseWriter
	id      string // of the request, also in the header x-tamp-request-id
	op      string
	status  int // 0: nothing was written
	bytes   int // of the body
	figures wire.Figures

	summaries, cached, failed int    // of a compaction
	cause                     string // of a store that failed
}

// json writes a finished document in one piece: many small writes are slow, because each calls from Go into JavaScript.
func (a *answer) json(status int, body []byte) { a.send(status, "application/json", body) }

func (a *answer) send(status int, kind string, body []byte) {
	h := a.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	a.status, a.bytes = status, len(body)
	a.w.WriteHeader(status)
	writeBody(a.w, body)
}

// value writes v as JSON.
func (a *answer) value(status int, v any) { a.json(status, encode(v)) }

func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic("tamp: internal error: " + err.Error()) // strings and numbers only
	}
	return body
}

// fail writes an error. The text of an error that is not a *wire.Error is not sent to the client.
func (a *answer) fail(err error) {
	if errors.Is(err, context.Canceled) {
		a.status = statusClientClosed // the client has disconnected, so nothing is written
		return
	}
	e := toWireError(err)
	status := statusOf[string(e.Code)]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	if status == http.StatusUnauthorized {
		a.w.Header().Set("WWW-Authenticate", `Bearer realm="tamp"`)
	}
	a.json(status, wire.EncodeError(e))
}

// statusClientClosed is the status that servers log if the client disconnected before the response.
const statusClientClosed = 499

// storeFailed returns the error for a store that failed. The caller learns its kind, the log its cause.
func (a *answer) storeFailed(err error, sentence string) error {
	a.cause = store.CauseOf(err)
	return newError(archiveFailed, "", sentence+err.Error())
}

func toWireError(err error) *wire.Error {
	if e := (*wire.Error)(nil); errors.As(err, &e) {
		return e
	}
	return newError(internal, "", "cannot finish the request: an internal error of tamp, please report it")
}

// logEntry is logged for each request: numbers and names of operations, never content, never a key.
type logEntry struct {
	Time         string `json:"time"` // of the request, RFC 3339 in UTC
	ID           string `json:"id"`   // of the request
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
	Cause        string `json:"cause,omitempty"` // of a store that failed, see store.CauseOf
}

func (a *answer) entry(began time.Time, took time.Duration) *logEntry {
	l := &logEntry{Time: began.UTC().Format(gateway.TimeFormat), ID: a.id, Op: a.op,
		Status: a.status, Bytes: a.bytes, Milliseconds: took.Milliseconds(),
		Before: a.figures.Before, After: a.figures.After, Summaries: a.summaries, Cached: a.cached, Failed: a.failed,
		Cause: a.cause}
	if a.figures.CacheHitRate >= 0 {
		l.CacheHitRate = &a.figures.CacheHitRate
	}
	if a.figures.CompactCount >= 0 {
		l.CompactCount = &a.figures.CompactCount
	}
	return l
}
