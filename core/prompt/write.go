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

// Write returns the two prompts for a task. Equal tasks give equal prompts.
func Write(t Task) (systemPrompt, user string) {
	fence := "conversation-" + msg.Hex(msg.Sum256([]byte(t.Data)), 8)
	what := "The part of the conversation to summarize:"
	question := "Summarize the conversation above."
	if t.Merge {
		what = "Summaries of consecutive parts of one conversation, oldest first:"
		question = "Merge the summaries above into one. Where a later part overrides an earlier one, keep the later."
	}
	if t.Question != "" {
		question = t.Question
	}
	return system(t.Kind, t.MaxTokens, t.Focus), what + "\n\n<" + fence + ">\n" + t.Data + "\n</" + fence + ">\n\n" + question
}
