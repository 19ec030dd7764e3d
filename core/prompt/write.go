package prompt

import "tamp/core/msg"

// Task is what a prompt is made from.
type Task struct {
	Kind      Kind
	MaxTokens int
	Focus     string // what to preserve above all; may be empty
	Data      string // the transcript, or the summaries to merge
	Question  string // asked after the data; "" for the kind's own
	Merge     bool   // Data holds summaries of consecutive parts
}

// Prompts are a ready request for a model.
type Prompts struct {
	System, User string
	Digest       [32]byte // of both: equal prompts, equal digest
}

// Write makes the prompts of a task. Equal tasks give equal prompts. The data, often megabytes, is digested once.
func Write(t Task) Prompts {
	sum := msg.Sum256([]byte(t.Data))
	fence := "conversation-" + msg.Hex(sum, 8)
	what := "The part of the conversation to summarize:"
	question := "Summarize the conversation above."
	if t.Merge {
		what = "Summaries of consecutive parts of one conversation, oldest first:"
		question = "Merge the summaries above into one. Where a later part overrides an earlier one, keep the later."
	}
	if t.Question != "" {
		question = t.Question
	}
	p := Prompts{System: system(t.Kind, t.MaxTokens, t.Focus)}
	p.User = what + "\n\n<" + fence + ">\n" + t.Data + "\n</" + fence + ">\n\n" + question
	p.Digest = msg.Sum256([]byte(p.System + "\x00" + what + "\x00" + question + "\x00" + msg.Hex(sum, 64)))
	return p
}
