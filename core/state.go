package core

import (
	"slices"
	"strconv"

	"tamp/core/internal/sha256"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// State must survive between calls. Store it beside the conversation; do not look inside. Zero starts a new one. It
// holds no text of the conversation, and no more than a few kilobytes besides 15 bytes for each result that balanced
// cleared and for each summary.
type State string

// memory is what a State says.
type memory struct {
	health      promptcache.Health // of the prompt cache, with the count of compactions
	clearedKeys []string           // keys of results that a sticky policy cleared, sorted; the set only grows
	summaryKeys []string           // keys of summaries that Apply wrote, sorted; the set only grows; none: see summaryMarker
}

// resultKey names a tool result by its id and its size: ids are used again by some providers, hashes of megabytes in every
// turn would cost more than they are worth.
func resultKey(b *msg.Block) string {
	return sha256.Hex(sha256.Sum([]byte(b.ID+" "+strconv.Itoa(len(b.Text)))), 12)
}

// remember adds the keys of results that were cleared, in any order and with repetitions.
func (m *memory) remember(keys []string) {
	m.clearedKeys = slices.Concat(m.clearedKeys, keys)
	slices.Sort(m.clearedKeys)
	m.clearedKeys = slices.Compact(m.clearedKeys)
}

func (m *memory) rememberSummary(b *msg.Block) { m.summaryKeys = withKey(m.summaryKeys, summaryKey(b)) }

// withKey returns a copy of sorted keys with one more, or the same keys if they have it.
func withKey(keys []string, key string) []string {
	i, found := slices.BinarySearch(keys, key)
	if found {
		return keys
	}
	return slices.Insert(slices.Clone(keys), i, key)
}

// cleared reports a result that was cleared before; a host that sends the whole history again gets it cleared again.
func (m memory) cleared(b *msg.Block) bool {
	if len(m.clearedKeys) == 0 {
		return false
	}
	_, found := slices.BinarySearch(m.clearedKeys, resultKey(b))
	return found
}

// decodeState reads a State. One that Tamp did not write is an error, since guessing could undo a decision. Members that
// this version does not know are passed over, and a health that it cannot read starts anew: only metrics hang on it.
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
	m.health, _ = promptcache.DecodeHealth(raw.Member("health").Text())
	for _, key := range raw.Member("cleared").Elements() {
		m.clearedKeys = append(m.clearedKeys, key.Text())
	}
	for _, key := range raw.Member("summaries").Elements() {
		m.summaryKeys = append(m.summaryKeys, key.Text())
	}
	if !slices.IsSorted(m.clearedKeys) || !slices.IsSorted(m.summaryKeys) {
		return m, bad
	}
	return m, nil
}

func (m memory) encode() State {
	out := []byte(`{"v":1`)
	if health := m.health.Encode(); health != "" {
		out = msg.AppendQuote(append(out, `,"health":`...), health)
	}
	out = appendKeys(out, `,"cleared":[`, m.clearedKeys)
	out = appendKeys(out, `,"summaries":[`, m.summaryKeys)
	return State(append(out, '}'))
}

// appendKeys appends a member with a list of keys; nothing for none.
func appendKeys(out []byte, opening string, keys []string) []byte {
	if len(keys) == 0 {
		return out
	}
	for i, key := range keys {
		if i > 0 {
			opening = ","
		}
		out = msg.AppendQuote(append(out, opening...), key)
	}
	return append(out, ']')
}
