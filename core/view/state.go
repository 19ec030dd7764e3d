package view

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
// one. It has no text of the conversation. Its size is a few kilobytes, plus about 21 bytes for each result that the
// preset balanced cleared, 15 for each summary, and 11 for each of up to 1,000 names that the agent or the user often
// wrote.
type State string

// Record is a decoded State.
type Record struct {
	Health      promptcache.Health // of the prompt cache, with the count of compactions
	Marks       []string           // keys of the breakpoints that Anchors has set, see promptcache.Ranking.Own
	clearedKeys []string           // keys of results that a sticky policy cleared, sorted; the set only grows
	ByForm      bool               // the State does not list summaries, not even none: see SummaryMarker
	SummaryKeys []string           // keys of summaries that Apply wrote, sorted; the set only grows
	// keys of names in summaries that were often written, sorted: see summarize.WrittenNames
	OftenKeys []string
	Forced    Digest // of the messages that the last compaction left, if it was forced
	RentFrom  int    // calls before the last rewrite of the prompt: they pay no rent, see pass.ChangeTracker.Rent
}

// ResultKey returns the key of a tool result: its place in the conversation, and a digest of its content. The id is not
// enough: some providers have none, and some servers reuse them.
func ResultKey(ref msg.Ref, b *msg.Block) string {
	d := NewDigester()
	d.block(b)
	return placeKey(ref) + string(d.Sum()[:12])
}

// placeKey is the part of ResultKey before the digest.
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

// Alike reports whether both States clear the same results and count their rent from the same call, and whether they
// have the same summaries.
func (m *Record) Alike(other *Record) (clears, marks bool) {
	return m.RentFrom == other.RentFrom && slices.Equal(m.clearedKeys, other.clearedKeys),
		m.ByForm == other.ByForm && slices.Equal(m.SummaryKeys, other.SummaryKeys)
}

// AddCleared adds keys of results that were cleared. They may be unsorted and may repeat.
func (m *Record) AddCleared(keys []string) { m.clearedKeys = withKeys(m.clearedKeys, keys) }

// AddSummaries adds summaries that Apply wrote.
func (m *Record) AddSummaries(blocks []*msg.Block) {
	var keys []string
	for _, block := range blocks {
		keys = append(keys, summaryKey(block))
	}
	m.SummaryKeys = withKeys(m.SummaryKeys, keys)
}

// Adopt adds the summaries of a conversation that were marked by their form. From then on, only those are summaries.
func (m *Record) Adopt(marked *msg.Conversation) {
	if !m.ByForm {
		return
	}
	m.ByForm = false
	var summaries []*msg.Block
	for it := marked.Walk(); it.Next(); {
		if it.Block.Summary {
			summaries = append(summaries, it.Block)
		}
	}
	m.AddSummaries(summaries)
}

// WasCleared reports whether a result was cleared before. It is cleared again if the host sends the full history again.
func (m *Record) WasCleared(ref msg.Ref, b *msg.Block) bool {
	place := placeKey(ref) // few places are in the list, so the content of few results is read
	i, _ := slices.BinarySearch(m.clearedKeys, place)
	if i == len(m.clearedKeys) || !strings.HasPrefix(m.clearedKeys[i], place) {
		return false
	}
	_, found := slices.BinarySearch(m.clearedKeys[i:], ResultKey(ref, b))
	return found
}

// DecodeState reads a State. A State that Tamp did not write is an error, because a guess could undo a decision.
// Unknown members are ignored. An unreadable health is replaced by an empty one: only metrics depend on it.
func DecodeState(st State) (Record, error) {
	var m Record
	if st == "" {
		m.ByForm = true
		return m, nil
	}
	bad := msg.NewError(msg.BadRequest, "/state",
		"cannot use state: it was not written by this version of tamp; leave it out to start a new one")
	raw := rawjson.Value(st)
	if msg.Validate(raw) != nil || raw.Kind() != '{' || string(raw.Member("v")) != "1" {
		return m, bad
	}
	m.Health, _ = promptcache.DecodeHealth(raw.Member("health").Text())
	for _, key := range raw.Member("marks").List() {
		m.Marks = append(m.Marks, key.Text())
	}
	m.Marks = m.Marks[:min(len(m.Marks), promptcache.Limit)]
	for _, key := range raw.Member("cleared").List() {
		m.clearedKeys = append(m.clearedKeys, key.Text())
	}
	summaries := raw.Member("summaries")
	m.ByForm = summaries == nil
	for _, key := range summaries.List() {
		m.SummaryKeys = append(m.SummaryKeys, key.Text())
	}
	for _, key := range raw.Member("often").List() {
		m.OftenKeys = append(m.OftenKeys, key.Text())
	}
	if n, err := strconv.Atoi(string(raw.Member("rentFrom"))); err == nil && n > 0 {
		m.RentFrom = n
	}
	m.Forced = Digest(raw.Member("forced").Text())
	if !slices.IsSorted(m.clearedKeys) || !slices.IsSorted(m.SummaryKeys) || !slices.IsSorted(m.OftenKeys) {
		return m, bad
	}
	return m, nil
}

// Encode writes a State.
func (m *Record) Encode() State {
	out := []byte(`{"v":1`)
	if health := m.Health.Encode(); health != "" {
		out = rawjson.AppendQuote(append(out, `,"health":`...), health)
	}
	out = appendKeys(out, `,"marks":[`, m.Marks)
	out = appendKeys(out, `,"cleared":[`, m.clearedKeys)
	if !m.ByForm && len(m.SummaryKeys) == 0 {
		out = append(out, `,"summaries":[]`...)
	}
	out = appendKeys(out, `,"summaries":[`, m.SummaryKeys)
	out = appendKeys(out, `,"often":[`, m.OftenKeys)
	if m.RentFrom > 0 {
		out = strconv.AppendInt(append(out, `,"rentFrom":`...), int64(m.RentFrom), 10)
	}
	if m.Forced != "" {
		out = rawjson.AppendQuote(append(out, `,"forced":`...), string(m.Forced))
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

// summaryKey returns the key of a summary: a digest of its kind and its text as rendered, where invalid UTF-8 becomes
// U+FFFD.
func summaryKey(b *msg.Block) string {
	return sha256.Hex(sha256.Sum(rawjson.AppendQuote([]byte(b.Kind), b.Text)), 12)
}
