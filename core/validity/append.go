package validity

import (
	"bytes"
	"slices"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
)

// Two consecutive requests of one conversation. The later one should be the earlier one with blocks appended: the
// prompt cache reads only up to the first difference, and on some models every thinking block is bound to the exact
// system prompt, tools and messages before it, so that any other change makes the provider refuse the request. The
// rules:
//
//   - Appending is harmless, to the last message too, and so is moving cache_control.
//   - Removing thinking blocks is harmless if all, a leading run or a trailing run are removed. Removing one from the
//     middle is not, since the later ones are bound to it; nor is inserting one again.
//   - A change does not affect the thinking before it. So replacing the whole history by one summary is harmless.

// The rules on two consecutive requests. Rules lists the others.
const (
	AppendOnly      Rule = "append_only"       // the later request only appends to the earlier one: a warning
	A9ThinkingBound Rule = "A9_thinking_bound" // no thinking follows a change, on a model that binds thinking
)

const errBound = "Invalid `signature` in `thinking` block. The block is bound to a different conversation."

// CheckAppend reports the first place where the request next is not an append to the request prev before it, as a
// warning, and on models that bind thinking each thinking block that the difference breaks, as an error; of OpenAI's
// Responses, each item that is still there without the reasoning that it came with. Paths point
// into next, or into prev if next has no block there. The model is that of next, or of prev if next has none.
func CheckAppend(prev, next *msg.Conversation) []Problem {
	if prev.IsThread() || next.IsThread() {
		return nil
	}
	a := compare(prev, next)
	var problems []Problem
	if a.message != "" {
		problems = append(problems, Problem{Rule: AppendOnly, Severity: SeverityWarning, Path: a.path, Message: a.message,
			Ref: a.ref})
	}
	if BindsThinking(next) || next.Model == "" && BindsThinking(prev) {
		problems = append(problems, a.brokenThinking()...)
	}
	return append(problems, lostReasoning(prev, next)...)
}

// BindsThinking reports whether the provider refuses thinking after a changed prefix of c.
func BindsThinking(c *msg.Conversation) bool {
	return !WithholdsReasoning(c) && models.BindsThinking(c.Model)
}

// WithholdsReasoning reports whether the provider takes reasoning after a changed prefix, but may not show it to the
// model: OpenAI's Responses (input_transformations of the response, with the reason prefix_mismatch).
func WithholdsReasoning(c *msg.Conversation) bool { return msg.API(c.Format) == msg.OpenAIResponses }

// unit is one block with its role. Message boundaries do not count, since providers merge consecutive messages of one
// role.
type unit struct {
	role   msg.Role
	first  bool // the first block of its message except thinking; only set if the format makes a difference
	at     msg.Ref
	block  *msg.Block
	before int // number of blocks before it, not counting thinking
}

// units returns the blocks of a conversation: thinking and others, without the blocks that are left out before a
// fallback block.
func units(c *msg.Conversation) (others, thinking []unit) {
	for m := range c.Messages {
		begins, message := c.Format == msg.OpenAIChat, &c.Messages[m]
		fallback := message.Fallback()
		for b := range message.Blocks {
			if b < fallback && message.LeavesOut(b) {
				continue
			}
			block := &message.Blocks[b]
			u := unit{message.Role, begins, msg.Ref{Message: m, Block: b}, block, len(others)}
			if block.Kind == msg.KindThinking {
				thinking = append(thinking, u)
			} else {
				others, begins = append(others, u), false
			}
		}
	}
	return others, thinking
}

// comparison is the first difference of two requests.
type comparison struct {
	prev, next *msg.Conversation
	length     int     // number of blocks of prev, not counting thinking
	was, is    []unit  // the thinking of prev and of next
	path       string  // of the first difference, not counting thinking
	message    string  // the kind of difference; "" if next only appends
	ref        msg.Ref // the position in next; or outside, or past its end
}

func compare(prev, next *msg.Conversation) *comparison {
	a := &comparison{prev: prev, next: next, ref: outside}
	var was, is []unit
	was, a.was = units(prev)
	is, a.is = units(next)
	a.length = len(was)
	switch {
	case prev.Format != next.Format:
		a.message = "the format changed, so the two cannot be compared"
	case a.listChange(inPrompt(prev.Tools), inPrompt(next.Tools), "/tools", "the tools", sameTool):
	case a.listChange(prev.System, next.System, "/system", "the system prompt", sameBlock):
	default:
		a.blockChange(was, is)
	}
	return a
}

// inPrompt returns the tools without deferred ones, which may come and go.
func inPrompt(tools []msg.Block) []msg.Block {
	if !slices.ContainsFunc(tools, func(t msg.Block) bool { return t.IsDeferred() }) {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t msg.Block) bool { return t.IsDeferred() })
}

// listChange compares the tools or the system prompt.
func (a *comparison) listChange(was, is []msg.Block, path, what string, same func(a, b *msg.Block) bool) bool {
	for i := range max(len(was), len(is)) {
		switch {
		case i == len(is):
			a.path, a.message = path, what+" became fewer"
		case i == len(was):
			a.path, a.message = is[i].Path, what+" became more"
		case !same(&was[i], &is[i]):
			a.path, a.message = is[i].Path, what+" changed"
		default:
			continue
		}
		return true
	}
	return false
}

// blockChange sets the first difference between the blocks of the messages, of which was and is have all but thinking.
func (a *comparison) blockChange(was, is []unit) {
	for i, w := range was {
		switch {
		case i == len(is):
			a.path, a.message, a.ref = blockPath(a.prev, w.at), "the block that was here is missing",
				msg.Ref{Message: len(a.next.Messages), Block: -1}
		case w.role != is[i].role || w.first != is[i].first || !sameBlock(w.block, is[i].block):
			a.path, a.message, a.ref = blockPath(a.next, is[i].at), "this differs from the previous request", is[i].at
		default:
			continue
		}
		return
	}
}

// brokenThinking returns a problem for each thinking block that the provider would refuse: all after the first
// difference; and all after the point where thinking was removed from the middle or inserted. The kept thinking must be
// one run of the earlier blocks, followed by the new ones.
func (a *comparison) brokenThinking() []Problem {
	var problems []Problem
	last, why := -1, "" // index of the last block of a.was that was found
	for _, u := range a.is {
		if a.message != "" && !earlier(u.at, a.ref) {
			problems = append(problems, a.boundProblem(u, a.message))
			continue
		}
		at := len(a.was) // new, after all of prev
		for i := last + 1; i < len(a.was); i++ {
			if a.was[i].before == u.before && sameBlock(a.was[i].block, u.block) {
				at = i
				break
			}
		}
		switch {
		case why != "":
		case at == len(a.was) && u.before < a.length:
			why = "it was put in, or changed"
		case last >= 0 && at > last+1:
			why = "thinking was taken out of the middle before it"
		}
		last = at
		if why != "" {
			problems = append(problems, a.boundProblem(u, why))
		}
	}
	return problems
}

func (a *comparison) boundProblem(u unit, why string) Problem {
	return Problem{Rule: A9ThinkingBound, Severity: SeverityError, Path: blockPath(a.next, u.at), ProviderError: errBound,
		Ref:     u.at,
		Message: "this thinking is bound to everything before it: " + why}
}

// earlier reports whether a comes before b in the request. System and tools (outside) come first.
func earlier(a, b msg.Ref) bool {
	return a.Message < b.Message || a.Message == b.Message && a.Block < b.Block
}

func blockPath(c *msg.Conversation, at msg.Ref) string {
	if path := c.At(at).Path; path != "" {
		return path
	}
	return c.Messages[at.Message].Path
}

// sameTool compares two tools like sameBlock. The text of a tool is its whole JSON, with its cache_control.
func sameTool(a, b *msg.Block) bool {
	if a.Raw.Kind() != '{' || b.Raw.Kind() != '{' {
		return sameBlock(a, b)
	}
	return a.Name == b.Name && sameJSON(a.Raw.Without("cache_control"), b.Raw.Without("cache_control"))
}

// sameBlock compares the JSON of two blocks, ignoring cache_control and white space.
func sameBlock(a, b *msg.Block) bool {
	if a == b {
		return true // in a message that both requests share
	}
	if a.Kind != b.Kind || a.ID != b.ID || a.Name != b.Name || a.IsError != b.IsError || len(a.Parts) != len(b.Parts) {
		return false
	}
	if a.Kind == msg.KindToolUse {
		if !sameJSON(rawjson.Value(a.Text), rawjson.Value(b.Text)) {
			return false
		}
	} else if a.Text != b.Text {
		return false
	}
	for i := range a.Parts {
		if !sameBlock(&a.Parts[i], &b.Parts[i]) {
			return false
		}
	}
	if a.Changed|b.Changed != 0 || a.Raw.Kind() != '{' || b.Raw.Kind() != '{' {
		return true // a string, or changed: the fields compared above are its whole content
	}
	return sameMembers(a.Raw, b.Raw) && sameMembers(b.Raw, a.Raw)
}

// sameMembers reports whether b has every member of a that is not a field of Block, in any order.
func sameMembers(a, b rawjson.Value) bool {
	for it := a.Walk(); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case "cache_control", "content", "text", "input", "function":
		default:
			if !sameJSON(value, b.Member(name)) {
				return false
			}
		}
	}
	return true
}

// sameJSON compares two values, ignoring white space between tokens. The order of members counts, as in a prompt cache.
func sameJSON(a, b rawjson.Value) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case '"':
		return a.Text() == b.Text()
	case '[', '{':
		return bytes.Equal(a.Compact(), b.Compact())
	}
	return false
}

// lostReasoning reports the items of next whose reasoning item was before them in prev and is gone. One request alone
// does not tell that an item had reasoning.
func lostReasoning(prev, next *msg.Conversation) []Problem {
	if msg.API(prev.Format) != msg.OpenAIResponses || msg.API(next.Format) != msg.OpenAIResponses {
		return nil
	}
	required, kept := map[string]string{}, map[string]bool{} // reasoning by the id of the item after it
	for m := range prev.Messages {
		reasoning := ""
		for _, item := range itemsOf(&prev.Messages[m]) {
			id := item.Member("id").Text()
			if item.Member("type").Text() == "reasoning" {
				reasoning = id
			} else if id != "" && reasoning != "" {
				required[id], reasoning = reasoning, ""
			}
		}
	}
	for m := range next.Messages {
		for _, item := range itemsOf(&next.Messages[m]) {
			kept[item.Member("id").Text()] = true
		}
	}
	var problems []Problem
	for m := range next.Messages {
		for k, item := range itemsOf(&next.Messages[m]) {
			id, kind := item.Member("id").Text(), item.Member("type").Text()
			lost := required[id]
			if lost == "" || kept[lost] {
				continue
			}
			p := Problem{Rule: R2Reasoning, Severity: SeverityError, Path: itemPath(&next.Messages[m], k),
				Ref: messageRef(m), Reason: "its reasoning is in the earlier request only",
				Message:       "The item " + short(id) + " is there without its reasoning item " + short(lost) + ".",
				ProviderError: errReasoningLost}
			for _, name := range [...]string{id, kind, lost} {
				p.ProviderError = strings.Replace(p.ProviderError, "…", short(name), 1)
			}
			problems = append(problems, p)
		}
	}
	return problems
}

// itemPath returns the path of item k of a message.
func itemPath(m *msg.Message, k int) string {
	last, n := "", -1
	for b := range m.Blocks {
		path, _, _ := strings.Cut(m.Blocks[b].Path, "/content")
		if path != last {
			last, n = path, n+1
		}
		if n == k {
			return path
		}
	}
	return m.Path
}
