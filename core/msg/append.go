package msg

import "bytes"

// Two consecutive requests of one conversation. The later one should be the earlier one with something at its end: the prompt
// cache reads only what is before the first difference, and on some models every thinking block is bound to the exact system
// prompt, tools and messages before it, so that any other change makes the provider refuse the request. The rules:
//
//   - Appending is harmless, to the last message too, and so is moving cache_control.
//   - So is removing thinking: all of it, a leading run, a trailing run. Never one from the middle, since those behind it
//     were written after it, and never putting one back.
//   - What stands before a change is not touched by it; so one summary in the place of the whole history breaks nothing.

// Rules that take two requests to see a breach. Rules lists the others.
const (
	AppendOnly      Rule = "append_only"       // the later request is the earlier one with something at its end: a warning
	A9ThinkingBound Rule = "A9_thinking_bound" // no thinking stands behind a change, on a model that binds it
)

const errBound = "Invalid `signature` in `thinking` block. The block is bound to a different conversation."

// CheckAppend reports the first place where the request next is not an append to the request prev before it, as a warning,
// and on models that bind thinking each thinking block that the difference breaks, as an error. Paths point into next, or
// into prev where next has nothing there. The model is that of next, where it names none that of prev.
func CheckAppend(prev, next *Conversation) []Problem {
	a := pairOf(prev, next)
	var problems []Problem
	if a.message != "" {
		problems = append(problems, Problem{Rule: AppendOnly, Severity: SeverityWarning, Path: a.path, Message: a.message, Ref: a.ref})
	}
	model := next.Model
	if model == "" {
		model = prev.Model
	}
	if BindsThinking(model) {
		problems = append(problems, a.broken()...)
	}
	return problems
}

// unit is one block with the role that says it, wherever its message begins: providers join neighbours of one role.
type unit struct {
	role   Role
	first  bool // its message begins here, thinking not counted, where that makes a difference
	at     Ref
	block  *Block
	before int // how many blocks stand before it, thinking not counted
}

// units lists the blocks of a conversation, thinking apart from everything else.
func units(c *Conversation) (others, thinking []unit) {
	for m := range c.Messages {
		begins := c.Format == OpenAIChat
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			u := unit{c.Messages[m].Role, begins, Ref{m, b}, block, len(others)}
			if block.Kind == KindThinking {
				thinking = append(thinking, u)
			} else {
				others, begins = append(others, u), false
			}
		}
	}
	return others, thinking
}

// appending compares two requests.
type appending struct {
	prev, next *Conversation
	length     int    // blocks of prev, thinking not counted
	was, is    []unit // the thinking of both
	path       string // where everything else first differs
	message    string // how; "" where next is an append
	ref        Ref    // in next; outside, or past its end
}

func pairOf(prev, next *Conversation) *appending {
	a := &appending{prev: prev, next: next, ref: outside}
	var was, is []unit
	was, a.was = units(prev)
	is, a.is = units(next)
	a.length = len(was)
	switch {
	case prev.Format != next.Format:
		a.message = "the format changed, so the two cannot be compared"
	case a.listChange(prev.Tools, next.Tools, "/tools", "the tools"):
	case a.listChange(prev.System, next.System, "/system", "the system prompt"):
	default:
		a.blockChange(was, is)
	}
	return a
}

// listChange compares what stands beside the messages.
func (a *appending) listChange(was, is []Block, path, what string) bool {
	for i := range max(len(was), len(is)) {
		switch {
		case i == len(is):
			a.path, a.message = path, what+" became fewer"
		case i == len(was):
			a.path, a.message = is[i].Path, what+" became more"
		case !sameBlock(&was[i], &is[i]):
			a.path, a.message = is[i].Path, what+" changed"
		default:
			continue
		}
		return true
	}
	return false
}

// blockChange compares the messages, thinking left out.
func (a *appending) blockChange(was, is []unit) {
	for i, w := range was {
		switch {
		case i == len(is):
			a.path, a.message, a.ref = blockPath(a.prev, w.at), "what was here is gone", Ref{len(a.next.Messages), -1}
		case w.role != is[i].role || w.first != is[i].first || !sameBlock(w.block, is[i].block):
			a.path, a.message, a.ref = blockPath(a.next, is[i].at), "this is not what it was in the request before", is[i].at
		default:
			continue
		}
		return
	}
}

// broken lists the thinking that the provider would refuse: all behind the first difference; else, where thinking was taken out
// of the middle or put back, what stands behind that. What is left must be one run of the earlier thinking with the new.
func (a *appending) broken() []Problem {
	var problems []Problem
	last, why := -1, "" // the last of was that is left
	for _, u := range a.is {
		if a.message != "" && !earlier(u.at, a.ref) {
			problems = append(problems, a.bound(u, a.message))
			continue
		}
		at := len(a.was) // new, behind all of prev
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
			problems = append(problems, a.bound(u, why))
		}
	}
	return problems
}

func (a *appending) bound(u unit, why string) Problem {
	return Problem{Rule: A9ThinkingBound, Severity: SeverityError, Path: blockPath(a.next, u.at), ProviderError: errBound, Ref: u.at,
		Message: "this thinking is bound to everything before it: " + why}
}

// earlier is the order of the request; nothing is earlier than what stands outside of the messages.
func earlier(a, b Ref) bool {
	return a.Message < b.Message || a.Message == b.Message && a.Block < b.Block
}

func blockPath(c *Conversation, at Ref) string {
	if path := c.At(at).Path; path != "" {
		return path
	}
	return c.Messages[at.Message].Path
}

// sameBlock compares two blocks as the provider reads them: their JSON but for cache_control and white space.
func sameBlock(a, b *Block) bool {
	if a == b {
		return true // of a message that both requests share
	}
	if a.Kind != b.Kind || a.ID != b.ID || a.Name != b.Name || a.IsError != b.IsError || len(a.Parts) != len(b.Parts) {
		return false
	}
	if a.Kind == KindToolUse {
		if !sameJSON(Raw(a.Text), Raw(b.Text)) {
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
		return true // a string, or no longer as in Raw: what it says has been compared
	}
	return sameMembers(a.Raw, b.Raw) && sameMembers(b.Raw, a.Raw)
}

// sameMembers reports that b has every member of a that the fields of a Block do not hold, in any order.
func sameMembers(a, b Raw) bool {
	for name, value := range a.Members() {
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

// sameJSON compares two values but for the white space between tokens. The order of members counts, as it does for a cache.
func sameJSON(a, b Raw) bool {
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
		return bytes.Equal(dense(a), dense(b))
	}
	return false
}

// dense is the value without white space between its tokens.
func dense(r Raw) []byte {
	out := make([]byte, 0, len(r))
	for i := 0; i < len(r); {
		switch c := r[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := skipString(r, i)
			out = append(out, r[i:end]...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}
