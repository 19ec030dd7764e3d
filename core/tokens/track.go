package tokens

import (
	"strings"

	"tamp/core/msg"
)

// Track follows the API's own usage through the messages of a conversation and says which of it can be believed. Usage speaks of
// everything that was before the message that carries it, so it is no longer true once something there was compacted. The next call
// shows: its prompt is smaller. Add messages as they come; the zero value has seen none.
type Track struct {
	Usage *msg.Usage // the newest, where it can be believed; else nil
	At    int        // the message that carries it

	seen   int
	prompt int  // of the newest usage, believed or not
	edited bool // something was compacted, and no call was smaller since
}

// Add looks at the messages that come next.
func (t *Track) Add(messages []msg.Message) {
	for i := range messages {
		if compacted(&messages[i]) {
			t.edited, t.Usage = true, nil
		} else if u := messages[i].Usage; u != nil && messages[i].Role == msg.Assistant && u.Prompt() > 0 {
			if u.Prompt() < t.prompt-t.prompt/20 { // what less could have other reasons
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

// Covers reports whether the usage can be of a conversation of so many tokens: a call that had less than half of them was not sent
// what is here.
func (t *Track) Covers(tokens int) bool { return t.Usage != nil && 2*t.Usage.Prompt() >= tokens }

// placeholders begin what the published designs of clearing leave behind.
var placeholders = [...]string{"[Previous: used ", "[Old tool result content cleared]", "[cleared to save context]", "[Earlier turns truncated "}

// summaryLabels begin the summaries of package core. A text that only looks like one makes the count be used in place
// of the usage, which is the safe side.
var summaryLabels = [...]string{
	"[Conversation compressed. Transcript: ", "[Compressed]\n", "[Summary of the earlier ", "[compacted summary of turns ",
}

// compacted reports a message that a compaction changed or wrote, ours or the provider's.
func compacted(m *msg.Message) bool {
	if m.Changed && (m.Raw != nil || m.Lines != nil) { // one that was made here is new, and says what it is
		return true
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Changed != 0 || b.IsSummary() {
			return true
		}
		for _, label := range &summaryLabels {
			if (b.Kind == msg.KindText || b.Kind == msg.KindToolResult) && strings.HasPrefix(b.Text, label) {
				return true
			}
		}
		text := b.Text
		if b.Kind == msg.KindToolResult && len(b.Parts) == 1 {
			text = b.Parts[0].Text
		}
		if b.Kind != msg.KindToolResult && b.Kind != msg.KindText || len(text) > 400 {
			continue
		}
		for _, head := range &placeholders {
			if strings.HasPrefix(text, head) {
				return true
			}
		}
	}
	return false
}
