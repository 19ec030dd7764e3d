package core

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/order"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// State carries facts from one call to the next. Store it with the conversation and treat it as opaque; "" starts a new
// one. It has no text of the conversation. Its size is a few kilobytes, plus 15 bytes for each result that the preset
// balanced cleared and for each summary, and 11 bytes for each of up to 1,000 names that the agent or the user often
// wrote.
type State string

// memory is a decoded State.
type memory struct {
	health      promptcache.Health // of the prompt cache, with the count of compactions
	clearedKeys []string           // keys of results that a sticky policy cleared, sorted; the set only grows
	// keys of summaries that Apply wrote, sorted; the set only grows; if empty, see summaryMarker
	summaryKeys []string
	// keys of names in summaries that were often written, sorted: see summarize.WrittenNames
	oftenKeys []string
	forced    Digest // of the messages that the last compaction left, if it was forced
	rentFrom  int    // calls before the last rewrite of the prompt: they pay no rent, see pass.ChangeTracker.Rent
	known     *known // not in the State
}

// resultKey returns the key of a tool result, from its id and its size: some providers reuse ids, and hashing megabytes
// in every turn would cost too much.
func resultKey(b *msg.Block) string {
	return sha256.Hex(sha256.Sum([]byte(b.ID+" "+strconv.Itoa(len(b.Text)))), 12)
}

// remember adds the keys of cleared results. They may be unsorted and may repeat.
func (m *memory) remember(keys []string) {
	m.clearedKeys = slices.Concat(m.clearedKeys, keys)
	order.Stable(m.clearedKeys, strings.Compare)
	m.clearedKeys = slices.Compact(m.clearedKeys)
}

func (m *memory) rememberSummary(b *msg.Block) {
	m.summaryKeys = withKey(m.summaryKeys, summaryKey(b))
}

// withKey returns a copy of sorted keys with key inserted, or keys itself if it has key.
func withKey(keys []string, key string) []string {
	i, found := slices.BinarySearch(keys, key)
	if found {
		return keys
	}
	return slices.Concat(keys[:i], []string{key}, keys[i:])
}

// cleared reports whether a result was cleared before. It is cleared again if the host sends the full history again.
func (m memory) cleared(b *msg.Block) bool {
	if len(m.clearedKeys) == 0 {
		return false
	}
	_, found := slices.BinarySearch(m.clearedKeys, m.known.resultKey(b))
	return found
}

// decodeState reads a State. A State that Tamp did not write is an error, because a guess could undo a decision.
// Unknown members are ignored. An unreadable health is replaced by an empty one: only metrics depend on it.
func decodeState(st State) (memory, error) {
	var m memory
	if st == "" {
		return m, nil
	}
	bad := msg.NewError(msg.BadRequest, "/state",
		"cannot use state: it was not written by this version of tamp; leave it out to start a new one")
	raw := rawjson.Value(st)
	if msg.Validate(raw) != nil || raw.Kind() != '{' || string(raw.Member("v")) != "1" {
		return m, bad
	}
	m.health, _ = promptcache.DecodeHealth(raw.Member("health").Text())
	for _, key := range raw.Member("cleared").List() {
		m.clearedKeys = append(m.clearedKeys, key.Text())
	}
	for _, key := range raw.Member("summaries").List() {
		m.summaryKeys = append(m.summaryKeys, key.Text())
	}
	for _, key := range raw.Member("often").List() {
		m.oftenKeys = append(m.oftenKeys, key.Text())
	}
	if n, err := strconv.Atoi(string(raw.Member("rentFrom"))); err == nil && n > 0 {
		m.rentFrom = n
	}
	m.forced = Digest(raw.Member("forced").Text())
	if !slices.IsSorted(m.clearedKeys) || !slices.IsSorted(m.summaryKeys) || !slices.IsSorted(m.oftenKeys) {
		return m, bad
	}
	return m, nil
}

func (m memory) encode() State {
	out := []byte(`{"v":1`)
	if health := m.health.Encode(); health != "" {
		out = rawjson.AppendQuote(append(out, `,"health":`...), health)
	}
	out = appendKeys(out, `,"cleared":[`, m.clearedKeys)
	out = appendKeys(out, `,"summaries":[`, m.summaryKeys)
	out = appendKeys(out, `,"often":[`, m.oftenKeys)
	if m.rentFrom > 0 {
		out = strconv.AppendInt(append(out, `,"rentFrom":`...), int64(m.rentFrom), 10)
	}
	if m.forced != "" {
		out = rawjson.AppendQuote(append(out, `,"forced":`...), string(m.forced))
	}
	return State(append(out, '}'))
}

// appendKeys appends a member with a list of keys, or nothing if there are none.
func appendKeys(out []byte, opening string, keys []string) []byte {
	if len(keys) == 0 {
		return out
	}
	for i, key := range keys {
		if i > 0 {
			opening = ","
		}
		out = rawjson.AppendQuote(append(out, opening...), key)
	}
	return append(out, ']')
}
