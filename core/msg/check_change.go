package msg

import "slices"

// Check of a conversation that was made out of a valid one, at the cost of what changed.
//
//  1. A message that both conversations share is not looked at, unless a change is near: the messages are divided into units
//     such that no rule on neighbors, rounds and pairs reaches from one into the next, and only the units that changed are
//     checked, put together as a conversation of their own. The first and the last unit are always among them, since some rules
//     are on the first message and on the end.
//  2. Some rules are on the conversation as a whole: unique ids, cache breakpoints, the compaction block, the pairs of server
//     tools. They hold where what came has no more of these than what went from the same place. Else everything is checked.
//  3. A part in which something is wrong is never reported itself: everything is checked then, so that paths and texts are those
//     of Check.

// CheckChange reports the errors that Check reports of after, without its warnings, where before is a conversation without
// errors. Of the messages that both share (WithMessages, WithBlocks) it looks only at those near a change. nil: no errors.
func CheckChange(before, after *Conversation) []Problem {
	if part := changedPart(before, after); part != nil {
		f := &finder{c: part, part: true}
		f.examine()
		if Valid(f.problems) {
			return nil
		}
	}
	return slices.DeleteFunc(Check(after), func(p Problem) bool { return p.Severity != SeverityError })
}

// changedPart returns the changed units of after as a conversation, nil where the rules need to see all of it.
func changedPart(before, after *Conversation) *Conversation {
	n := len(after.Messages)
	if n == 0 || before.Format != after.Format || before.Cache != after.Cache ||
		!sameList(before.System, after.System) || !sameList(before.Tools, after.Tools) {
		return nil
	}
	origin := origins(before.Messages, after.Messages)
	if origin == nil || !sameWhole(before, after, origin) {
		return nil
	}
	var part []Message
	for start := 0; start < n; {
		end, touched := start+1, start == 0 // another unit begins with a message that both share
		for end < n && !unitStarts(after, origin, end) {
			touched = touched || origin[end] != origin[end-1]+1
			end++
		}
		if touched || end == n {
			part = append(part, after.Messages[start:end]...)
		}
		start = end
	}
	return after.WithMessages(part)
}

// unitStarts reports that the messages before and at i are as they were, and that no rule on neighbors reaches across: in a valid
// conversation every call before is answered there, but those of the provider's own tools, which rule 2 is about.
func unitStarts(c *Conversation, origin []int, i int) bool {
	if origin[i] < 0 || origin[i-1] < 0 || origin[i] != origin[i-1]+1 {
		return false
	}
	if c.Format == OpenAIChat {
		return !isTool(c.Messages[i].Role)
	}
	return c.Messages[i-1].Role == User && c.Messages[i].Role == Assistant
}

// origins says of each message of after which one of before it is, -1 where it is none. nil: it would cost too much to find out.
func origins(before, after []Message) []int {
	origin := make([]int, len(after))
	end, last := len(after), len(before) // both ends of a common tail
	for end > 0 && last > 0 && sharedMessage(&before[last-1], &after[end-1]) {
		end, last = end-1, last-1
		origin[end] = last
	}
	next := 0
	for i := range after[:end] {
		origin[i] = -1
		at := next
		if !after[i].Changed { // it came in, so messages before it may have gone
			for at < last && !sharedMessage(&before[at], &after[i]) {
				at++
			}
			if at == last {
				return nil // from another conversation, or out of order
			}
		}
		if at < last && sharedMessage(&before[at], &after[i]) {
			origin[i], next = at, at+1
		}
	}
	return origin
}

// sharedMessage reports that two messages are one, by the place of their blocks in memory.
func sharedMessage(a, b *Message) bool {
	return a.Role == b.Role && a.Meta == b.Meta && a.Changed == b.Changed && len(a.Raw) == len(b.Raw) && sameList(a.Blocks, b.Blocks) &&
		len(a.Blocks) > 0
}

func sameList(a, b []Block) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// sameWhole reports that the rules on the conversation as a whole hold, by comparing what came with what went in each place.
func sameWhole(before, after *Conversation, origin []int) bool {
	next := 0 // in before
	for i := 0; i <= len(origin); {
		start := i
		for i < len(origin) && origin[i] < 0 {
			i++
		}
		end := len(before.Messages)
		if i < len(origin) {
			end = origin[i]
		}
		if came, went := after.Messages[start:i], before.Messages[next:end]; len(came)+len(went) > 0 && !sameGap(after.Format, came, went) {
			return false
		}
		next = end + 1
		i++
	}
	return true
}

// sameGap is sameWhole of one place.
func sameGap(format string, came, went []Message) bool {
	if format == OpenAIChat {
		return true // it has no rule on the whole
	}
	if len(came) == 0 {
		return !hasServer(went) // what goes leaves fewer of everything
	}
	if hasServer(came) || hasServer(went) {
		return false
	}
	isPrompt := func(m Message) bool { return m.IsPrompt() }
	if slices.ContainsFunc(came, isPrompt) && !slices.ContainsFunc(went, isPrompt) {
		return false // it ends a turn, in which a server tool may have been at work
	}
	is, was := marksOf(came), marksOf(went)
	if is.compactions > was.compactions || !subsequence(is.caches, was.caches) {
		return false
	}
	for id := range is.calls { // one that comes twice here does so within one unit
		if !was.calls[id] {
			return false
		}
	}
	return true
}

func hasServer(messages []Message) bool {
	for m := range messages {
		for b := range messages[m].Blocks {
			if messages[m].Blocks[b].Server {
				return true
			}
		}
	}
	return false
}

// marks is what the rules on the whole go by.
type marks struct {
	calls       map[string]bool // their ids
	caches      []string        // the TTL of each breakpoint
	compactions int
}

func marksOf(messages []Message) marks {
	var x marks
	for m := range messages {
		for b := range messages[m].Blocks {
			block := &messages[m].Blocks[b]
			if block.Kind == KindToolUse {
				x.calls = set(x.calls, block.ID, true)
			}
			if block.Type == "compaction" {
				x.compactions++
			}
			for i := range block.Parts {
				if cache := block.Parts[i].Cache; cache != nil {
					x.caches = append(x.caches, cache.TTL)
				}
			}
			if block.Cache != nil {
				x.caches = append(x.caches, block.Cache.TTL)
			}
		}
	}
	return x
}

// subsequence reports that some of the elements of b, in their order, are a.
func subsequence(a, b []string) bool {
	for _, x := range b {
		if len(a) > 0 && a[0] == x {
			a = a[1:]
		}
	}
	return len(a) == 0
}
