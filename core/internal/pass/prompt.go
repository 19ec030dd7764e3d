package pass

import (
	"strconv"
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// ShortenPrompt replaces a long text of the user by its best lines and a reference.
const ShortenPrompt EditKind = "shorten_prompt"

// ShortenAnswer replaces a long text of the assistant by its best lines and a reference.
const ShortenAnswer EditKind = "shorten_answer"

// ShortenTask returns an edit for each text of a prompt that is longer than maxTokens. It keeps the beginning, the end,
// and the best lines between: best returns those of a text in so many bytes.
func ShortenTask(in *Input, m, maxTokens int, ref func(string) string,
	best func(text string, maxBytes int) string) []Decision {
	var decisions []Decision
	for b := range in.Conversation.Messages[m].Blocks {
		r := msg.Ref{Message: m, Block: b}
		block, before := in.block(r)
		if block.Kind != msg.KindText || block.IsSummary() || before <= maxTokens ||
			marker.IsShortened(block.Text) {
			continue
		}
		text := block.Text
		room := int(int64(len(text)) * int64(maxTokens) / int64(before))
		head := text[:msg.BackToLine(text, room/4)]
		rest := text[len(head):]
		tail := rest[msg.BackToLine(rest, len(rest)-room/8):]
		rest = rest[:len(rest)-len(tail)]
		lines := best(rest, room-len(head)-len(tail)-noteBytes)
		note := marker.Shortened(utf8.RuneCountInString(rest), ref(text))
		short := head + "\n" + note + "\n" + lines + tail
		after := in.after(block.WithText(short))
		if after >= before || !Shrinks(text, short) {
			continue
		}
		why := strconv.Itoa(before) + " tokens of a prompt that leaves no room, over " + strconv.Itoa(maxTokens)
		decisions = append(decisions, Decision{Ref: r, Fate: Truncated, Reason: why, Edit: &Edit{Message: m, Block: b,
			Kind: ShortenPrompt, Text: short, Tokens: before, After: after, Reason: why}})
	}
	return decisions
}

const noteBytes = 100 // of the note about the omitted text

// FirstTask returns the index of the message that started the work: the first real prompt or, if the agent answered a
// command or a plan of the user before it, whose text a client wrote, that message. It is -1 if there is none.
func FirstTask(c *msg.Conversation) int {
	task, answered := -1, false
	for m := range c.Messages {
		message := &c.Messages[m]
		switch {
		case provenance.IsPrompt(message):
			return m
		case message.Role == msg.Assistant || holdsSummary(message): // a summary replaced an answer
			if task >= 0 {
				return task
			}
			answered = true
		case !answered && provenance.HasTask(message):
			task = m
		}
	}
	return task
}

func holdsSummary(m *msg.Message) bool {
	return m.Any((*msg.Block).IsSummary)
}

// NewestPrompt returns the index of the last real prompt, -1 if there is none.
func NewestPrompt(c *msg.Conversation) int {
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if provenance.IsPrompt(&c.Messages[m]) {
			return m
		}
	}
	return -1
}
