package pass

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// ShortenPrompt replaces a long text of an old prompt by its beginning, its constraints and a reference.
const ShortenPrompt EditKind = "shorten_prompt"

// PromptHead is the number of code points at which ShortenPrompt cuts a text.
const PromptHead = 600

// firstPromptFactor is the factor of both limits for the first prompt: it is the task, and shortened only if it is
// huge.
const firstPromptFactor = 8

// ShortenPrompts returns an edit for each text of the prompts in [start, end) that is longer than maxTokens, eight
// times that for the first prompt of the conversation. constraints returns the sentences of a user's text that bind the
// agent; those after the cut are kept.
func ShortenPrompts(in *Input, start, end, maxTokens int, ref func(string) string,
	constraints func(string) []string) []Decision {
	c := in.Conversation
	var decisions []Decision
	first := FirstTask(c)
	for m := start; m < end; m++ {
		limit, head := maxTokens, PromptHead
		switch {
		case m == first:
			limit, head = limit*firstPromptFactor, head*firstPromptFactor
		case !c.Messages[m].IsPrompt():
			continue
		}
		for b := range c.Messages[m].Blocks {
			r := msg.Ref{Message: m, Block: b}
			block, before := in.block(r)
			if block.Kind != msg.KindText || block.IsSummary() || before <= limit || marker.IsShortened(block.Text) {
				continue
			}
			cut := runeOffset(block.Text, head)
			omitted := block.Text[cut:]
			text := block.Text[:cut] + "\n" + marker.Shortened(utf8.RuneCountInString(omitted), ref(block.Text))
			for _, sentence := range constraints(omitted) {
				text += "\n" + sentence
			}
			if !Shrinks(block.Text, text) {
				continue
			}
			after := in.after(block.WithText(text))
			if after >= before {
				continue
			}
			why := strconv.Itoa(before) + " tokens of an old prompt, over " + strconv.Itoa(limit)
			decisions = append(decisions, Decision{Ref: r, Fate: Truncated, Reason: why, Edit: &Edit{Message: m, Block: b,
				Kind: ShortenPrompt, Text: text, Tokens: before, After: after, Reason: why}})
		}
	}
	return decisions
}

// FirstTask returns the index of the message that started the work: the first real prompt or, if the agent answered a
// command or a plan of the user before it, whose text a client wrote, that message. It is -1 if there is none.
func FirstTask(c *msg.Conversation) int {
	task, answered := -1, false
	for m := range c.Messages {
		message := &c.Messages[m]
		switch {
		case message.IsPrompt():
			return m
		case message.Role == msg.Assistant || holdsSummary(message): // a summary replaced an answer
			if task >= 0 {
				return task
			}
			answered = true
		case !answered && message.StartsTask():
			task = m
		}
	}
	return task
}

func holdsSummary(m *msg.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.IsSummary() })
}

// NewestPrompt returns the index of the last real prompt, -1 if there is none.
func NewestPrompt(c *msg.Conversation) int {
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if c.Messages[m].IsPrompt() {
			return m
		}
	}
	return -1
}

// runeOffset returns the offset of the n-th code point of s, or len(s).
func runeOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
