package core

import (
	"slices"
	"strconv"

	"tamp/core/msg"
)

// State must survive between calls. Store it beside the conversation; do not look inside. Zero starts a new one.
type State string

// memory is what a State says.
type memory struct {
	compactions int      // how many Applies changed something
	clearedKeys []string // keys of results that a sticky policy cleared, sorted; the set only grows
}

// resultKey names a tool result by its id and its size: ids are used again by some providers, hashes of megabytes in every
// turn would cost more than they are worth.
func resultKey(b *msg.Block) string {
	return msg.Hex(msg.Sum256([]byte(b.ID+" "+strconv.Itoa(len(b.Text)))), 12)
}

func (m *memory) remember(b *msg.Block) {
	key := resultKey(b)
	if i, found := slices.BinarySearch(m.clearedKeys, key); !found {
		m.clearedKeys = slices.Insert(slices.Clone(m.clearedKeys), i, key)
	}
}

// cleared reports a result that was cleared before; a host that sends the whole history again gets it cleared again.
func (m memory) cleared(b *msg.Block) bool {
	if len(m.clearedKeys) == 0 {
		return false
	}
	_, found := slices.BinarySearch(m.clearedKeys, resultKey(b))
	return found
}

// decodeState reads a State. One that Tamp did not write is an error, since guessing could undo a decision.
func decodeState(st State) (memory, error) {
	var m memory
	if st == "" {
		return m, nil
	}
	bad := msg.NewError(msg.BadRequest, "/state", "cannot use state: it was not written by this version of tamp; leave it out to start anew")
	raw := msg.Raw(st)
	if msg.Validate(raw) != nil || raw.Kind() != '{' || string(raw.Member("v")) != "1" {
		return m, bad
	}
	n, err := strconv.Atoi(string(raw.Member("compactions")))
	if err != nil || n < 0 {
		return m, bad
	}
	m.compactions = n
	for _, key := range raw.Member("cleared").Elements() {
		m.clearedKeys = append(m.clearedKeys, key.Text())
	}
	if !slices.IsSorted(m.clearedKeys) {
		return m, bad
	}
	return m, nil
}

func (m memory) encode() State {
	out := []byte(`{"v":1,"compactions":` + strconv.Itoa(m.compactions))
	for i, key := range m.clearedKeys {
		if i == 0 {
			out = append(out, `,"cleared":[`...)
		} else {
			out = append(out, ',')
		}
		out = msg.AppendQuote(out, key)
	}
	if len(m.clearedKeys) > 0 {
		out = append(out, ']')
	}
	return State(append(out, '}'))
}
