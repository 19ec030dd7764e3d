package validator

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// The two rules on thinking that take the request before (A9). Breakpoints of the cache may move, and are left out of
// every comparison.
//
//   - A9_thinking_open: while a tool round is open, its assistant message goes back as it was, or goes with all before
//     it. The models that bind thinking decide themselves how much they think, so there the message may also go back
//     without all of its thinking; not in a request with a budget of thinking.
//   - A9_thinking_bound: on the models that have it, a thinking block is bound to the exact system, tools and messages
//     before it, thinking itself aside; of the thinking, a leading and a trailing run may go.

// Compare lists the rules that the second request breaks where the first one was accepted, and where both are the same
// conversation: the second is what the first became, nothing was said in between.
func Compare(was, is *Request) []Violation {
	if was.Format != Anthropic && was.Format != ClaudeCode {
		return nil // no signatures
	}
	violations := openRound(was, is)
	if Binds(was.Model) {
		violations = append(violations, bound(was, is)...)
	}
	return violations
}

var version = regexp.MustCompile(`claude-(fable|mythos|opus|sonnet|haiku)-(\d)(?:[-.](\d))?(?:\D|$)`)

// Binds reports a model that binds thinking to its prefix: Fable and Mythos from 5.1 on, the others from 5.5 on.
func Binds(model string) bool {
	parts := version.FindStringSubmatch(model)
	if parts == nil {
		return false
	}
	major, _ := strconv.Atoi(parts[2])
	minor, _ := strconv.Atoi(parts[3])
	first := 5
	if parts[1] == "fable" || parts[1] == "mythos" {
		first = 1
	}
	return major > 5 || major == 5 && minor >= first
}

// openRound compares the assistant message of a round that is open.
func openRound(was, is *Request) []Violation {
	open := lastAssistant(was)
	if open == nil {
		return nil
	}
	ids := map[string]bool{}
	for _, block := range open {
		if block["type"] == "tool_use" {
			ids[text(block, "id")] = true
		}
	}
	if len(ids) == 0 {
		return nil
	}
	for i := range is.Messages {
		blocks, _ := is.Messages[i].content()
		for _, block := range blocks {
			if block["type"] != "tool_use" || !ids[text(block, "id")] {
				continue
			}
			now := Canonical(bare(lastAssistant(is)))
			if now != Canonical(bare(open)) && (!Binds(was.Model) || is.Budget || now != Canonical(bare(thoughtless(open)))) {
				why := "the assistant message of the open round was changed"
				return []Violation{{Rule: "A9_thinking_open", ID: text(block, "id"), Why: why}}
			}
			return nil
		}
	}
	return nil
}

func thoughtless(blocks []map[string]any) (out []map[string]any) {
	for _, block := range blocks {
		if kind := block["type"]; kind != "thinking" && kind != "redacted_thinking" {
			out = append(out, block)
		}
	}
	return out
}

func lastAssistant(r *Request) []map[string]any {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "assistant" {
			blocks, _ := r.Messages[i].content()
			return blocks
		}
	}
	return nil
}

// stream is a request as thinking is bound to it: everything but thinking in order, and where the thinking is in it.
type stream struct {
	parts    []string
	thinking []thought
}

type thought struct {
	text  string
	after int // how many parts come before it
}

func streamOf(r *Request) stream {
	var s stream
	s.parts = append(s.parts, Canonical(bare(r.Tools)), Canonical(bare(r.System)))
	for i := range r.Messages {
		blocks, _ := r.Messages[i].content()
		begun := false
		for _, block := range blocks {
			part := Canonical(bare(block))
			if kind := block["type"]; kind == "thinking" || kind == "redacted_thinking" {
				s.thinking = append(s.thinking, thought{part, len(s.parts)})
				continue
			}
			if !begun { // a message of nothing but thinking goes with it
				s.parts = append(s.parts, r.Messages[i].Role)
				begun = true
			}
			s.parts = append(s.parts, part)
		}
	}
	return s
}

func bound(was, is *Request) []Violation {
	before, after := streamOf(was), streamOf(is)
	same := 0
	for same < min(len(before.parts), len(after.parts)) && before.parts[same] == after.parts[same] {
		same++
	}
	n := len(after.thinking)
	for _, t := range after.thinking {
		if t.after > same {
			why := fmt.Sprintf("a thinking block is behind part %d, but part %d was changed", t.after, same)
			return []Violation{{Rule: "A9_thinking_bound", Why: why}}
		}
	}
	for skip := 0; skip+n <= len(before.thinking); skip++ { // a leading run went, a trailing one, or both
		if slices.Equal(before.thinking[skip:skip+n], after.thinking) {
			return nil
		}
	}
	why := fmt.Sprintf("the %d thinking blocks that are left are no run of the %d before", n, len(before.thinking))
	return []Violation{{Rule: "A9_thinking_bound", Why: why}}
}

// bare is a decoded value without its breakpoints.
func bare(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			if name != "cache_control" {
				out[name] = bare(member)
			}
		}
		return out
	case []map[string]any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = bare(v[i])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = bare(v[i])
		}
		return out
	}
	return value
}
