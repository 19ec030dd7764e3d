package gateway

import (
	"hash"

	"tamp/core/forward"
)

// lastRequest is what is kept of the last request of a session.
type lastRequest struct {
	live  *forward.Live
	names *names
}

// names are the names of the checkpoints at the points of a history. The next request of its session has the same and
// some more. Not safe for concurrent use.
type names struct {
	head   string    // all that they depend on besides the messages
	digest hash.Hash // of head and the messages before the last point
	points []int
	keys   []string
}
