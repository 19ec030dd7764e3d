package tokens

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// Track reads the API's usage from the messages of a conversation and decides whether it can be trusted. Usage covers
// everything before the message that has it, so it is outdated after a compaction there, until a call with a smaller
// prompt follows. Add messages in order; the zero value is ready to use.
type Track struct {
	Usage *msg.Usage // the newest usage if it can be trusted, else nil
	At    int        // index of the message that has it

	seen   int
	prompt int    // of the newest usage, trusted or not
	edited bool   // a message was compacted, and no call with a smaller prompt followed
	since  string // timestamp of Claude Code's own summary that begins the log: usage of earlier calls is outdated
}

// Add reads the next messages.
func (t *Track) Add(messages []msg.Message) {
	for i := range messages {
		m := &messages[i]
		if at := t.opening(m); at != "" {
			t.since = at
		} else if compacted(m) {
			t.edited, t.Usage = true, nil
		} else if u := m.Usage; u != nil && m.Role == msg.Assistant && u.Prompt() > 0 && t.isSince(m) {
			if u.Prompt() < t.prompt-t.prompt/20 { // a smaller decrease can have other reasons
				t.edited = false
			}
			t.prompt = u.Prompt()
			if t.Usage = nil; !t.edited {
				t.Usage, t.At = u, t.seen
			}
		}
		t.seen++
	}
}

// opening returns the timestamp of Claude Code's own summary before all calls, as in a log after a compaction; "" if m
// is none. The calls after it were made with it. A summary of Tamp says nothing about the calls after it.
func (t *Track) opening(m *msg.Message) string {
	if t.prompt > 0 || m.Changed || len(m.Blocks) == 0 {
		return ""
	}
	b := &m.Blocks[0]
	isText := b.Kind == msg.KindText || b.Kind == msg.KindSummary
	if m.Role != msg.User || !isText || b.Summary || b.Changed != 0 || marker.BeginsLikeSummary(b.Text) {
		return ""
	}
	at, summary := lineOf(m) // last, since it reads the whole line
	if !summary {
		return ""
	}
	return at
}

// lineOf reads the first line of a message of a log: its timestamp, "" if it has none, and whether it is a summary of
// Claude Code. The order of timestamps is that of times.
func lineOf(m *msg.Message) (timestamp string, summary bool) {
	line := m.Raw
	if len(m.Lines) > 0 {
		line = m.Lines[0]
	}
	return line.Member("timestamp").Text(), line.Member("isCompactSummary") != nil
}

// isSince reports whether a message was written after the opening summary, if there is one.
func (t *Track) isSince(m *msg.Message) bool {
	if t.since == "" {
		return true
	}
	at, _ := lineOf(m)
	return at >= t.since
}

// Covers reports whether the usage can be of a conversation with this number of tokens: a call with less than half of
// them was sent another conversation.
func (t *Track) Covers(tokens int) bool { return t.Usage != nil && 2*t.Usage.Prompt() >= tokens }

// compacted reports whether a compaction changed or wrote the message, ours or the provider's.
func compacted(m *msg.Message) bool {
	if m.Changed && (m.Raw != nil || m.Lines != nil) { // a message without source was made here; its text is checked below
		return true
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Changed != 0 || b.IsSummary() {
			return true
		}
		if (b.Kind == msg.KindText || b.Kind == msg.KindToolResult) && marker.BeginsLikeSummary(b.Text) {
			return true
		}
		text := b.Text
		if b.Kind == msg.KindToolResult && len(b.Parts) == 1 {
			text = b.Parts[0].Text
		}
		if b.Kind != msg.KindToolResult && b.Kind != msg.KindText || len(text) > 400 {
			continue
		}
		if marker.BeginsLikePlaceholder(text) {
			return true
		}
	}
	return false
}
