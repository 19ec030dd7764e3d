package summarize

import (
	"slices"
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
	type call struct {
		key         string
		used, error *msg.Block
	}
	var failed []call
	last := map[string]int{} // of the key of a call: its index in failed
	for _, span := range spans {
		for it := c.WalkIn(span); it.Next(); {
			origin, ok := pairs.Call(it.Ref)
			if !ok {
				continue
			}
			used := c.At(origin)
			key := used.Name + "\x00" + used.Text
			delete(last, key)
			if it.Block.IsError {
				last[key] = len(failed)
				failed = append(failed, call{key, used, it.Block})
			}
		}
	}
	var out []string
	for i := len(failed) - 1; i >= 0 && len(out) < maxGiven; i-- {
		f := &failed[i]
		if at, ok := last[f.key]; !ok || at != i {
			continue
		}
		input := ""
		Inputs(f.used.Text, func(text string) { input += " " + text })
		first, _, _ := strings.Cut(strings.TrimSpace(f.error.Text), "\n")
		out = append(out, shortLine(oneLine(f.used.Name+input), maxGivenLine)+" → "+
			shortLine(oneLine(first), maxGivenLine))
	}
	slices.Reverse(out)
	return out
}
