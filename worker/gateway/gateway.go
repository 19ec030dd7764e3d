// Package gateway is a reverse proxy between agents and their providers that compacts the history in each request. It
// keeps no session: the client sends its whole history with every call, and the compacted history depends on that
// alone (see core/forward). docs/gateway.md is the user's manual.
//
// Natively a Gateway is an http.Handler. On Cloudflare, worker.mjs sends the request that Prepare returns and pipes the
// response, which never enters this program.
//
// Rules:
//   - The host of a forwarded request comes from the setting UPSTREAMS, never from the request.
//   - A request that cannot be compacted is forwarded byte for byte, for whatever reason, a bug of this program
//     too. Only halves of surrogate pairs become U+FFFD: every provider refuses them.
//   - Logs and the list of sessions have figures, never content and never keys.
//
// It is not a part of the API (see package core).
package gateway

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"
)

// MaxBody is the size in bytes above which a body is streamed through unread.
const MaxBody = 32 << 20

// maxPolicy is the size in bytes of the largest policy that a request may have: each block is compared with all names
// of tools in it, which Config.Work does not count.
const maxPolicy = 8 << 10

// Gateway compacts and forwards. Its fields do not change after the first request.
type Gateway struct {
	Config
	Transport   http.RoundTripper // natively; nil: NewTransport
	Checkpoints Checkpoints       // nil: none
	Live        int               // bytes of requests that are kept for the next ones of their sessions; 0: none
	Sessions    *Sessions         // nil: no list
	Summaries   *Summaries        // nil: extractive summaries, which need no model
	Log         func(e *Entry)
	Now         func() time.Time

	memories sync.Pool // of *tokens.Memory
	lives    lru[lastRequest]
	notes    notes
	slots    chan struct{}
	fresh    http.RoundTripper // Transport, with a new connection for each request
	places   chan struct{}     // of the requests that compute; nil: one at a time
	once     sync.Once
	hold     time.Duration // 0: maxHold
}

// Checkpoints stores checkpoints by name. Implementations may drop any at any time, and are safe for concurrent use.
type Checkpoints interface {
	Find(key string) []byte // nil: not found
	Keep(key string, data []byte)
}

// Handles reports whether a path belongs to an upstream.
func (g *Gateway) Handles(path string) bool {
	u, _ := find(g.Upstreams, path)
	return u != nil
}

// DefaultLive is the size in bytes of the requests that a native gateway keeps in memory for the next ones of their
// sessions.
const DefaultLive = 128 << 20

func (g *Gateway) budget(ctx context.Context) *budget {
	return &budget{ctx: ctx, places: g.places, left: cmp.Or(g.Work, DefaultWork)}
}

// salt returns that of the names of sessions in the log: they are those of the list, if there is one.
func (g *Gateway) salt() []byte {
	if g.Sessions != nil {
		return g.Sessions.salt[:]
	}
	return g.Secret
}
