package provenance

import (
	"strings"
	"unicode"

	"tamp/core/msg"
)

// This file applies the rules for texts to the blocks of messages.

// IsPrompt reports whether a message is a real user prompt: a user message with a block that is not a tool result,
// inserted text, a summary or (which is invalid) thinking.
func IsPrompt(m *msg.Message) bool {
	return m.HasPrompt(func(b int) bool { return IsInjected(m, b) })
}

// HasTask reports whether a user message has text that a client wrote for a command or a plan of the user: the agent
// works on it as on a prompt, but it is not quoted as the user's words.
func HasTask(m *msg.Message) bool {
	return m.Role == msg.User && m.Any(func(b *msg.Block) bool {
		return b.Kind == msg.KindText && !b.IsSummary() && StartsTask(b.Text)
	})
}

// IsInjected reports whether a program wrote all of the text block b of a message. It says nothing about Meta.
func IsInjected(m *msg.Message, b int) bool {
	block := &m.Blocks[b]
	if m.Role != msg.User || block.Kind != msg.KindText {
		return block.IsInjected()
	}
	return WholeNext(block.Text, contextOf(m, b))
}

// Spans returns the parts of the text of block b with their authors; see Split. Only text of the role user can be the
// user's, and the reason for which a call was rejected: all else is Program, also in a Meta message.
func Spans(m *msg.Message, b int) []Span {
	text := m.Blocks[b].Text
	if start := reasonStart(&m.Blocks[b]); start > 0 {
		return []Span{{Author: Program, End: start}, {Start: start, End: len(text)}}
	}
	if m.Role != msg.User || m.Meta || m.Blocks[b].Kind != msg.KindText || m.Blocks[b].IsSummary() {
		if text == "" {
			return nil
		}
		return []Span{{Author: Program, End: len(text)}}
	}
	spans, _ := SplitNext(text, contextOf(m, b))
	return spans
}

// MayQuote reports whether block b can hold words of the user: a text of the role user, or a call that was rejected
// with a reason.
func MayQuote(m *msg.Message, b int) bool {
	return m.Role == msg.User && m.Blocks[b].Kind == msg.KindText || reasonStart(&m.Blocks[b]) > 0
}

// AsksUser reports a tool whose result is the user's answer to a question of the agent.
func AsksUser(tool string) bool {
	if strings.Contains(tool, "__") { // of an MCP server
		return false
	}
	name := strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', ' ':
			return -1
		}
		return unicode.ToLower(r)
	}, tool)
	return listed(questionTools, name)
}

// Answers returns the result of a tool that asks the user without the words of the client around it.
func Answers(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, answersStart); ok {
		return strings.TrimSuffix(rest, answersEnd)
	}
	return text
}

// reasonStart returns the offset of the user's reason in the result of a call that the user rejected, else 0.
func reasonStart(b *msg.Block) int {
	if b.Kind != msg.KindToolResult || !b.IsError || b.Server {
		return 0
	}
	return RejectionReason(b.Text)
}

// contextOf returns what the text block before block b says about it.
func contextOf(m *msg.Message, b int) Context {
	if b == 0 || m.Blocks[b-1].Kind != msg.KindText {
		return 0
	}
	if Next(m.Blocks[b-1].Text, 0) == 0 {
		return 0
	}
	return Next(m.Blocks[b-1].Text, contextOf(m, b-1))
}
