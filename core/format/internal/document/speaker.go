package document

import (
	"bytes"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// MarkSpeakers marks the messages of the role user that another agent wrote, for example in a group chat of AutoGen:
// their name is not that of the speaker of the first one. A name that all have is the user's. messages follow those
// before, which are not changed. OpenAI's chat messages have names, and clients keep them when they write those of
// Anthropic.
func MarkSpeakers(before, messages []msg.Message) {
	first := firstSaid(before)
	if first == nil {
		first = firstSaid(messages)
	}
	if first == nil {
		return
	}
	speaker := nameOf(first)
	for m := range messages {
		if messages[m].Role == msg.User {
			name := nameOf(&messages[m])
			messages[m].Meta = name != "" && name != speaker
		}
	}
}

// firstSaid returns the first message of the role user that Tamp did not write; nil without one.
func firstSaid(messages []msg.Message) *msg.Message {
	for m := range messages {
		if messages[m].Role == msg.User && !messages[m].Any(func(b *msg.Block) bool {
			return b.Text == marker.RepairOpening || marker.BeginsLikeSummary(b.Text)
		}) {
			return &messages[m]
		}
	}
	return nil
}

var nameMember = []byte(`"name"`)

func nameOf(m *msg.Message) string {
	if m.Raw.Kind() != '{' || !bytes.Contains(m.Raw, nameMember) { // before its members are read, which may be megabytes
		return ""
	}
	name := m.Raw.Member("name")
	if name.Kind() != '"' {
		return ""
	}
	return name.Text()
}
