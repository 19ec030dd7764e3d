package view

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// This file decides which blocks are summaries. The text alone is no proof: an assistant, a tool and a user can all
// write a label. The rules are:
//
//   - If the State has a list of summaries, a block is a summary if its digest is in the list: Apply wrote it. The list
//     may be empty.
//   - If it has none (no State, or one that only has metrics), a block is a summary if it is the only block of its
//     message and has exactly the form and position that Apply gives it: a user's text with a label (labels of the
//     earlier conversation only at the head), or the answer to the fixed question at the head. Summaries inside tool
//     results are then not recognized. The next State has the list.
//
// Only SummaryMarker decides this. It sets msg.Block.Summary in a copy of the conversation; all other code calls
// msg.Block.IsSummary on that copy.

// SummaryMarker reads messages in order. Its decision about a message depends on the State and on earlier messages,
// never on later ones.
type SummaryMarker struct {
	byForm        bool     // the State has no list: decide by form and position
	keys          []string // of the State, sorted
	blocks        *pass.Blocks
	headEnded     bool // a message was neither an instruction nor a summary
	afterQuestion bool // the last message is the fixed question
	afterSummary  bool // the last message is a summary
	doubtful      bool // a block has the form of a summary and is not in keys
}

// NewMarker returns a marker for the summaries that a State lists. The cache may be nil.
func NewMarker(m *Record, k *Cache) SummaryMarker {
	return SummaryMarker{byForm: m.ByForm, keys: m.SummaryKeys, blocks: k.Blocks()}
}

// MarkSummaries returns c with its summaries marked. Messages whose marks do not change are shared.
func MarkSummaries(c *msg.Conversation, m *Record, k *Cache) *msg.Conversation {
	marks := NewMarker(m, k)
	messages, changed := marks.Mark(c.Messages)
	if !changed {
		return c
	}
	return c.WithMessages(messages)
}

// Mark marks the summaries of the next messages. It returns a changed copy, or the same slice if no mark changes.
func (k *SummaryMarker) Mark(messages []msg.Message) (out []msg.Message, changed bool) {
	out = messages
	for m := range messages {
		message := &messages[m]
		var blocks []msg.Block
		found := false
		for b := range message.Blocks {
			is := k.isSummary(message, b)
			found = found || is
			if is == message.Blocks[b].Summary {
				continue
			}
			if blocks == nil {
				blocks = slices.Clone(message.Blocks)
			}
			blocks[b].Summary = is
		}
		k.advance(message, found && !HasTools(message))
		if blocks == nil {
			continue
		}
		if !changed {
			out, changed = slices.Clone(messages), true
		}
		out[m].Blocks = blocks
	}
	return out, changed
}

// isSummary reports whether block b of the next message is a summary.
func (k *SummaryMarker) isSummary(m *msg.Message, b int) bool {
	block := &m.Blocks[b]
	isText := block.Kind == msg.KindText // of any role: injected text is replaced in place, too
	if !isText && (block.Kind != msg.KindToolResult || block.Server || k.byForm) {
		return false
	}
	answer := isText && k.afterQuestion && m.Role == msg.Assistant && len(m.Blocks) == 1
	if !k.byForm {
		label, _ := marker.Parse(block.Text)
		if !answer && label.Form != marker.Turns && !(label.Form == marker.Head && m.Role == msg.User && isText) {
			return false // Apply writes no summary like this, so its digest need not be computed
		}
		_, found := slices.BinarySearch(k.keys, k.summaryKey(block))
		k.doubtful = k.doubtful || !found
		return found
	}
	if len(m.Blocks) != 1 || m.Role != msg.User {
		return answer && !k.headEnded
	}
	label, _ := marker.Parse(block.Text)
	return label.Form == marker.Turns || label.Form == marker.Head && !k.headEnded
}

// summaryKey returns the key of a block that may be a summary.
func (k *SummaryMarker) summaryKey(b *msg.Block) string {
	facts := k.blocks.Of(b)
	if facts.SummaryKey == "" {
		facts.SummaryKey = summaryKey(b)
	}
	return facts.SummaryKey
}

// advance updates the state after a message. summary: the message is a summary that Apply wrote.
func (k *SummaryMarker) advance(m *msg.Message, summary bool) {
	switch {
	case summary, IsInstruction(m):
	case k.afterSummary && m.Role == msg.Assistant && isText(m, marker.Acknowledgement):
	case isQuestion(m) && !k.afterQuestion: // its answer comes next
	case m.Any(func(b *msg.Block) bool { return b.Kind == msg.KindSummary }) && !HasTools(m):
	default:
		k.headEnded = true
	}
	if k.afterQuestion && !summary {
		k.headEnded = true // the user's own question
	}
	k.afterQuestion, k.afterSummary = isQuestion(m), summary
}

// SummaryMessages marks the messages that hold a summary: summaries of Apply, with the question before and the
// acknowledgement after them, and summaries of the provider. c has its summaries marked. A message with a tool call or
// a result is never a summary of Apply.
func SummaryMessages(c *msg.Conversation) []bool {
	marked := make([]bool, len(c.Messages))
	for m := range c.Messages {
		message := &c.Messages[m]
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind == msg.KindSummary || block.IsSummary() && !HasTools(message) {
				marked[m] = true
			}
		}
		switch {
		case m == 0 || message.Role != msg.Assistant:
		case marked[m] && isQuestion(&c.Messages[m-1]):
			marked[m-1] = true
		case marked[m-1] && isText(message, marker.Acknowledgement):
			marked[m] = true
		}
	}
	return marked
}

// IsInstruction reports a message of the system or the developer.
func IsInstruction(m *msg.Message) bool { return m.Role == msg.System || m.Role == msg.Developer }

func isQuestion(m *msg.Message) bool { return m.Role == msg.User && isText(m, marker.SummaryQuestion) }

func isText(m *msg.Message, text string) bool {
	return len(m.Blocks) == 1 && m.Blocks[0].Kind == msg.KindText && m.Blocks[0].Text == text
}

// HasTools reports a message with a call or a result.
func HasTools(m *msg.Message) bool {
	return m.Any(func(b *msg.Block) bool { return b.Kind == msg.KindToolUse || b.Kind == msg.KindToolResult })
}

// HoldsFor reports whether the marks so far are those under another State too.
func (k *SummaryMarker) HoldsFor(m *Record) bool {
	if k.byForm || m.ByForm {
		return k.byForm == m.ByForm
	}
	if slices.Equal(k.keys, m.SummaryKeys) {
		return true
	}
	if k.doubtful {
		return false
	}
	for _, key := range k.keys {
		if _, found := slices.BinarySearch(m.SummaryKeys, key); !found {
			return false
		}
	}
	return true
}
