package worker

import (
	"context"
	"net/http"
	"sync"
	"time"

	"tamp/core/tokens/bpe"
	"tamp/worker/gateway"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// server is the http.Handler of all platforms.
type server struct {
	config    config
	configErr error // why the config is wrong; nil: it is valid
	host      host
	engines   sync.Pool // of *wire.Engine
	pause     func()    // lets other requests run on a platform with one thread; nil on the others
}

// host has the functions of the platform.
type host struct {
	Store     store.Store
	Summaries cache // nil: no summary is reused
	// of an exact counter; it returns nil if the platform has none of that name
	Vocabulary func(name string) *bpe.Vocabulary
	Summarizer summarizer.Host   // Extract is set for each compaction
	Sessions   *gateway.Sessions // of the gateway; nil: there is no list
	Log        func(line []byte)
	Now        func() time.Time
	Count      func(e *logEntry) // for Metrics; nil: nothing is counted
	Metrics    func() []byte     // the text of GET /metrics; nil: there are none
}

// recoverToError turns a panic into an error; it must be deferred. A panic is a bug of this program. Its text may quote
// a conversation, so it is not sent and not logged.
func recoverToError(err *error) {
	if p := recover(); p == http.ErrAbortHandler {
		panic(p)
	} else if p != nil {
		*err = newError(internal, "", "cannot finish the request: an internal error of tamp, please report it")
	}
}

// cache stores summaries by key for a limited time. It may evict any entry at any time, and reports no errors: a
// summary that is not found is requested again.
type cache interface {
	Find(ctx context.Context, key string) (text string, ok bool)
	Keep(ctx context.Context, key, text string, ttl time.Duration)
}
