package gateway

import (
	"hash"
	"slices"

	"tamp/core/forward"
)

// lastRequest is the part of the last request of a session that is kept.
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

// end returns the last point, 0 if there is none.
func (n *names) end() int {
	if len(n.points) == 0 {
		return 0
	}
	return n.points[len(n.points)-1]
}

// goOn reports whether n are the first names of a history with these points, of which the first messages are the same.
func (n *names) goOn(head string, points []int, same int) bool {
	return n != nil && n.head == head && n.end() <= same && len(n.points) <= len(points) &&
		slices.Equal(n.points, points[:len(n.points)])
}
