package core

import (
	"slices"

	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// Which blocks are summaries. A text proves nothing by itself: an assistant, a tool and a user can all write the words
// of a label. So:
//
//   - Where the State lists summaries, a block is one if Apply wrote it: its digest is in the list.
//   - Where it does not (no State, or one of an older version), a block is one if it is the whole message, in exactly
//     the form and place that Apply gives it: a user's text with a label, the labels of the earlier conversation only
//     at the head, or the answer to the fixed question at the head. A summary inside a tool result is then not known.
//
// summaryMarker is the only place that decides this. It sets msg.Block.Summary in a copy of the conversation;
// everything else asks msg.Block.IsSummary of that copy.

// summaryMarker reads messages in order. Its decision about one depends on the State and on the messages before it,
// never on later ones.
type summaryMarker struct {
	keys  []string // of the State; empty: by form and place
	body  bool     // the head is over: a message came that is neither an instruction nor a summary
	asked bool     // the last message is the fixed question
	wrote bool     // the last message is a summary
}

// markSummaries returns c with its summaries marked. Messages without a mark to set or to clear are shared.
func (m memory) markSummaries(c *msg.Conversation) *msg.Conversation {
	k := summaryMarker{keys: m.summaryKeys}
	messages := k.mark(c.Messages)
	if len(messages) == 0 || &messages[0] == &c.Messages[0] {
		return c
	}
	return c.WithMessages(messages)
}

// mark marks the messages that come next. It returns the same slice where nothing changes, else a copy.
func (k *summaryMarker) mark(messages []msg.Message) []msg.Message {
	out := messages
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
		k.pass(message, found && !hasTools(message))
		if blocks == nil {
			continue
		}
		if &out[0] == &messages[0] {
			out = slices.Clone(messages)
		}
		out[m].Blocks = blocks
	}
	return out
}

// isSummary decides about one block of the next message.
func (k *summaryMarker) isSummary(m *msg.Message, b int) bool {
	block := &m.Blocks[b]
	label, _ := parseLabel(block.Text)
	answer := k.asked && m.Role == msg.Assistant && len(m.Blocks) == 1 && block.Kind == msg.KindText
	if len(k.keys) > 0 {
		isText := block.Kind == msg.KindText // of any role: injected text is replaced in place, too
		if !answer && !(label.form == labelHead && m.Role == msg.User && isText) &&
			!(label.form == labelTurns && (isText || block.Kind == msg.KindToolResult && !block.Server)) {
			return false // Apply writes no summary like this, so its digest need not be computed
		}
		_, known := slices.BinarySearch(k.keys, summaryKey(block))
		return known
	}
	switch {
	case len(m.Blocks) != 1 || block.Kind != msg.KindText:
		return false
	case m.Role == msg.User:
		return label.form == labelTurns || label.form == labelHead && !k.body
	}
	return answer && !k.body
}

// pass goes on behind a message. summary: it is one of ours.
func (k *summaryMarker) pass(m *msg.Message, summary bool) {
	switch {
	case summary, isInstruction(m):
	case k.wrote && m.Role == msg.Assistant && isText(m, acknowledgement):
	case isQuestion(m) && !k.asked: // its answer comes next
	case holdsKind(m, msg.KindSummary) && !hasTools(m):
	default:
		k.body = true
	}
	if k.asked && !summary {
		k.body = true // the user's own question
	}
	k.asked, k.wrote = isQuestion(m), summary
}

// summaryKey names a summary by its kind and its text, as they are in the rendered conversation: invalid UTF-8 becomes
// U+FFFD there.
func summaryKey(b *msg.Block) string {
	return sha256.Hex(sha256.Sum(msg.AppendQuote([]byte(b.Kind), b.Text)), 12)
}

// summaryMessages marks the messages of a marked conversation that consist of a summary: ours, with the question
// before it and the acknowledgement behind it, and the provider's. A message with a tool call or a result is never one
// of ours.
func summaryMessages(c *msg.Conversation) []bool {
	marked := make([]bool, len(c.Messages))
	for m := range c.Messages {
		message := &c.Messages[m]
		tools := hasTools(message)
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind == msg.KindSummary || block.IsSummary() && !tools {
				marked[m] = true
			}
		}
		switch {
		case m == 0 || message.Role != msg.Assistant:
		case marked[m] && isQuestion(&c.Messages[m-1]):
			marked[m-1] = true
		case marked[m-1] && isText(message, acknowledgement):
			marked[m] = true
		}
	}
	return marked
}

func isInstruction(m *msg.Message) bool { return m.Role == msg.System || m.Role == msg.Developer }

func isQuestion(m *msg.Message) bool { return m.Role == msg.User && isText(m, question) }

func isText(m *msg.Message, text string) bool {
	return len(m.Blocks) == 1 && m.Blocks[0].Kind == msg.KindText && m.Blocks[0].Text == text
}

func hasTools(m *msg.Message) bool {
	return holdsKind(m, msg.KindToolUse) || holdsKind(m, msg.KindToolResult)
}

func holdsKind(m *msg.Message, kind msg.Kind) bool {
	return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.Kind == kind })
}
