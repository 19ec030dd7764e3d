package core

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/hash"
	"tamp/core/internal/order"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// State carries facts from one call to the next. Store it with the conversation and treat it as opaque; "" starts a new
// one. It has no text of the conversation. Its size is a few kilobytes, plus about 21 bytes for each result that the
// preset balanced cleared, 15 for each summary, and 11 for each of up to 1,000 names that the agent or the user often
// wrote.
type State string

// memory is a decoded State.
type memory struct {
	health      promptcache.Health // of the prompt cache, with the count of compactions
	marks       []string           // keys of the breakpoints that Anchors has set, see promptcache.Ranking.Own
	clearedKeys []string           // keys of results that a sticky policy cleared, sorted; the set only grows
	byForm      bool               // the State does not list summaries, not even none: see summaryMarker
	summaryKeys []string           // keys of summaries that Apply wrote, sorted; the set only grows
	// keys of names in summaries that were often written, sorted: see summarize.WrittenNames
	oftenKeys []string
	forced    Digest // of the messages that the last compaction left, if it was forced
	rentFrom  int    // calls before the last rewrite of the prompt: they pay no rent, see pass.ChangeTracker.Rent
	known     *known // not in the State
}

// resultKey returns the key of a tool result: its place in the conversation, and a digest of its content. The id is not
// enough: some providers have none, and some servers reuse them.
func resultKey(ref msg.Ref, b *msg.Block) string {
	d := digester{Hash128: hash.New128()}
	d.block(b)
	return placeKey(ref) + string(d.sum()[:12])
}

// placeKey is the part of resultKey before the digest.
func placeKey(ref msg.Ref) string {
	return strconv.Itoa(ref.Message) + "." + strconv.Itoa(ref.Block) + ":"
}

// withKeys returns a copy of sorted keys with more of them. These may be unsorted and may repeat.
func withKeys(keys, more []string) []string {
	if len(more) == 0 {
		return keys
	}
	keys = slices.Concat(keys, more)
	order.Stable(keys, strings.Compare)
	return slices.Compact(keys)
}

// adopt adds the summaries of a conversation that were marked by their form. From then on, only those are summaries.
func (m *memory) adopt(marked *msg.Conversation) {
	if !m.byForm {
		return
	}
	m.byForm = false
	var keys []string
	for it := marked.Walk(); it.Next(); {
		if it.Block.Summary {
			keys = append(keys, summaryKey(it.Block))
		}
	}
	m.summaryKeys = withKeys(m.summaryKeys, keys)
}

// cleared reports whether a result was cleared before. It is cleared again if the host sends the full history again.
func (m memory) cleared(ref msg.Ref, b *msg.Block) bool {
	place := placeKey(ref) // few places are in the list, so the content of few results is read
	i, _ := slices.BinarySearch(m.clearedKeys, place)
	if i == len(m.clearedKeys) || !strings.HasPrefix(m.clearedKeys[i], place) {
		return false
	}
	_, found := slices.BinarySearch(m.clearedKeys[i:], resultKey(ref, b))
	return found
}

// decodeState reads a State. A State that Tamp did not write is an error, because a guess could undo a decision.
// Unknown members are ignored. An unreadable health is replaced by an empty one: only metrics depend on it.
func decodeState(st State) (memory, error) {
	var m memory
	if st == "" {
		m.byForm = true
		return m, nil
	}
	bad := msg.NewError(msg.BadRequest, "/state",
		"cannot use state: it was not written by this version of tamp; leave it out to start a new one")
	raw := rawjson.Value(st)
	if msg.Validate(raw) != nil || raw.Kind() != '{' || string(raw.Member("v")) != "1" {
		return m, bad
	}
	m.health, _ = promptcache.DecodeHealth(raw.Member("health").Text())
	for _, key := range raw.Member("marks").List() {
		m.marks = append(m.marks, key.Text())
	}
	m.marks = m.marks[:min(len(m.marks), promptcache.Limit)]
	for _, key := range raw.Member("cleared").List() {
		m.clearedKeys = append(m.clearedKeys, key.Text())
	}
	summaries := raw.Member("summaries")
	m.byForm = summaries == nil
	for _, key := range summaries.List() {
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
	// Older versions wrote keys without a place. They are left out: their results are cleared again when it is due.
	m.clearedKeys = slices.DeleteFunc(m.clearedKeys, func(key string) bool { return !strings.Contains(key, ":") })
	return m, nil
}

func (m memory) encode() State {
	out := []byte(`{"v":1`)
	if health := m.health.Encode(); health != "" {
		out = rawjson.AppendQuote(append(out, `,"health":`...), health)
	}
	out = appendKeys(out, `,"marks":[`, m.marks)
	out = appendKeys(out, `,"cleared":[`, m.clearedKeys)
	if !m.byForm && len(m.summaryKeys) == 0 {
		out = append(out, `,"summaries":[]`...)
	}
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
