package summarize

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/sha256"
)

// Task is the input of Write.
type Task struct {
	Kind      Kind
	MaxTokens int
	Focus     string   // what to preserve above all; may be empty
	Data      string   // the transcript, or the summaries to merge
	Question  string   // the request after the data; "" means the default
	Failed    []string // failed calls, one a line; may be empty
	Loaded    []string // names of tools that the summary must have; may be empty
	Merge     bool     // Data holds summaries of consecutive parts
}

// Prompts are the two prompts of a request to a model.
type Prompts struct {
	System, User string
	Digest       [32]byte // of both prompts
}

// Write returns the prompts of a task. Equal tasks give equal prompts. The data, often megabytes, is hashed once.
func Write(t Task) Prompts {
	sum := sha256.Sum([]byte(t.Data))
	tag := dataTag + sha256.Hex(sum, 8)
	intro := "The part of the conversation to summarize:"
	question := "Summarize the conversation above."
	if t.Merge {
		intro = "Summaries of consecutive parts of one conversation, oldest first:"
		question = "Merge the summaries above into one. Where a later part overrides an earlier one, keep the later."
	}
	if t.Question != "" {
		question = t.Question
	}
	p := Prompts{System: system(t.Kind, t.MaxTokens, t.Focus)}
	facts := t.Given()
	p.User = intro + "\n\n<" + tag + ">\n" + t.Data + facts + "\n</" + tag + ">\n\n" + question
	p.Digest = sha256.Sum([]byte(p.System + "\x00" + intro + "\x00" + question + facts + "\x00" + sha256.Hex(sum, 64)))
	return p
}

// Given returns the facts of a task, as data: failed calls and tools; "" if it has none.
func (t *Task) Given() string {
	var text strings.Builder
	if len(t.Failed) > 0 {
		text.WriteString("\n\nGiven facts. Calls that failed and did not succeed later:")
		for _, s := range t.Failed {
			text.WriteString("\n- " + s)
		}
	}
	if len(t.Loaded) > 0 {
		text.WriteString("\n\nGiven facts. A line that the summary must repeat:" + marker.Loaded(t.Loaded))
	}
	return text.String()
}
