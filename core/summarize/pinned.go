package summarize

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// Pinned is a statement of the user in a message of a conversation, or in a line of an earlier summary that quotes it.
type Pinned struct {
	At     msg.Ref
	Kind   provenance.Kind
	Text   string // word for word
	Holds  bool   // no later statement repeats, replaces or revokes it
	Listed bool   // it is one of more than maxTyped in its text
}

// maxTyped is the number of statements that a user types in one text at most. A longer list was pasted: what the user
// types elsewhere ranks above it, at whatever time.
const maxTyped = 8

// Holding reports for each statement whether it still holds. Of equal statements, the last does.
func Holding(all []provenance.Constraint) []bool {
	holds := make([]bool, len(all))
	latest := provenance.Latest(all)
	n := len(latest) - 1
	for i, c := range slices.Backward(all) {
		if n >= 0 && latest[n].Text == c.Text {
			holds[i] = true
			n--
		}
	}
	return holds
}

// Stale returns the statements that do not hold any more, in no place.
func Stale(all []Pinned) map[string]bool {
	stale := map[string]bool{}
	for _, s := range all {
		stale[s.Text] = true
	}
	for _, s := range all {
		if s.Holds {
			delete(stale, s.Text)
		}
	}
	return stale
}

// listedFirst orders two statements, of which one of a long list comes first.
func listedFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
