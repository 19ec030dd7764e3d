package gateway

import (
	"context"

	"tamp/core/msg"
)

// DefaultWork is the default of Config.Work. It takes about 3 s of computing: one unit takes about 0.1 µs, 0.25 µs in
// the slowest of the 93 shapes of requests of BenchmarkWork. A real session of 471 calls and 1.7 MB needed 1.3 million
// with the preset balanced before values were counted, which add 64 for each.
const DefaultWork = 30_000_000

// budget bounds the work of one request before it is forwarded. Over it, and when the client has disconnected, the work
// ends, and the request is forwarded as it came. The checkpoint of the finished part is kept, so that the next request
// of the session goes on from there.
type budget struct {
	ctx    context.Context // of the client's request
	places chan struct{}   // of Gateway
	inside bool            // has one of them
	left   int             // in the unit of forward.Options.Spend
	ended  error
}

// spend is forward.Options.Spend.
func (b *budget) spend(work int) error {
	b.left -= work
	switch {
	case b.ctx.Err() != nil:
		b.ended = b.ctx.Err()
	case b.left < 0:
		b.ended = msg.NewError(msg.TooMuchWork, "", "cannot compact the request: its history takes too long to read")
	}
	return b.ended
}

// enter waits for a place among the requests that compute; a request that waits for a model gives its place back
// meanwhile. Without places there is no waiting: on Cloudflare one request computes at a time. The error is that of the
// context.
func (b *budget) enter() error {
	if b.places == nil {
		return b.spend(0)
	}
	select {
	case b.places <- struct{}{}:
		b.inside = true
		return b.spend(0)
	case <-b.ctx.Done():
		b.ended = b.ctx.Err()
		return b.ended
	}
}

// leave gives the place back.
func (b *budget) leave() {
	if b.inside {
		b.inside = false
		<-b.places
	}
}
