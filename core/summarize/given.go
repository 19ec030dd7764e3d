package summarize

import (
	"strings"

	"tamp/core/msg"
)

// Facts that a request gives to a model besides the transcript, because a summary must have them word for word.

// maxGiven is the number of failed commands that a request lists, the newest.
const maxGiven = 8

// maxGivenLine is the length at which a line about a failed command is cut, in code points.
const maxGivenLine = 200

// FailedCalls returns a line for each call in spans whose last run with the same input failed, oldest first: the
// tool, its input and the first line of the error.
func FailedCalls(c *msg.Conversation, pairs msg.Pairing, spans []msg.Span) []string {
	type call struct{ key, line string }
	var failed []call
	drop := func(key string) {
		for i := range failed {
			if failed[i].key == key {
				failed = append(failed[:i], failed[i+1:]...)
				return
			}
		}
	}
	for _, span := range spans {
		for it := c.WalkIn(span); it.Next(); {
			origin, ok := pairs.Call(it.Ref)
			if !ok {
				continue
			}
			used := c.At(origin)
			key := used.Name + "\x00" + used.Text
			drop(key)
			if !it.Block.IsError {
				continue
			}
			input := ""
			Inputs(used.Text, func(text string) { input += " " + text })
			first, _, _ := strings.Cut(strings.TrimSpace(it.Block.Text), "\n")
			failed = append(failed, call{key, shortLine(oneLine(used.Name+input), maxGivenLine) + " → " +
				shortLine(oneLine(first), maxGivenLine)})
		}
	}
	failed = failed[max(len(failed)-maxGiven, 0):]
	var out []string
	for _, f := range failed {
		out = append(out, f.line)
	}
	return out
}
