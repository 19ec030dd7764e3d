package validity

import (
	"slices"

	"tamp/core/msg"
)

// Check of a conversation that was derived from a valid one, in time proportional to the change.
//
//  1. The messages are divided into units such that no rule on neighbors, rounds and pairs applies across two units.
//     Only the changed units are checked, as a conversation of their own, with the first and the last unit, since some
//     rules are on the first message and on the end.
//  2. Some rules are on the conversation as a whole: unique ids, cache breakpoints, the compaction block, the pairs of
//     server tools. They still hold if in each place the added messages have no more of these than the removed ones.
//     Else everything is checked.
//  3. A part in which something is wrong is never reported itself: everything is checked then, so that paths and texts
//     are those of Check.

// CheckChange returns the errors of before with other messages, without warnings; nil means no errors. before must have
// no errors. For each of the messages, origin has the index in before of the same message, or -1 if the message is new
// or changed; the indexes ascend. Of the messages that both have, it reads only those near a change.
func CheckChange(before *msg.Conversation, messages []msg.Message, origin []int) []Problem {
	after := before.WithMessages(messages)
	if part := changedPart(before, after, origin); part != nil {
		if Valid(examine(part, true).problems) {
			return nil
		}
	}
	return slices.DeleteFunc(Check(after), func(p Problem) bool { return p.Severity != SeverityError })
}

// changedPart returns the changed units of after as a conversation, nil if the rules need the whole conversation.
func changedPart(before, after *msg.Conversation, origin []int) *msg.Conversation {
	n := len(after.Messages)
	if n == 0 || !globalRulesHold(before, after, origin) {
		return nil
	}
	var part []msg.Message
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

// unitStarts reports whether a unit starts at message i: the messages at i-1 and i are unchanged, and no rule on
// neighbors applies across them. In a valid conversation every call before i is answered before i, except calls of
// server tools, which rule 2 covers.
func unitStarts(c *msg.Conversation, origin []int, i int) bool {
	if origin[i] < 0 || origin[i-1] < 0 || origin[i] != origin[i-1]+1 {
		return false
	}
	switch msg.API(c.Format) {
	case msg.OpenAIChat:
		return !isTool(c.Messages[i].Role)
	case msg.OpenAIResponses:
		return false // an output may be anywhere after its call
	}
	return c.Messages[i-1].Role == msg.User && c.Messages[i].Role == msg.Assistant
}

// globalRulesHold reports whether the rules on the whole conversation still hold. It compares the messages added and
// removed between each two kept ones, and before the first and after the last. origin has for each message of after its
// index in before, -1 if it was added.
func globalRulesHold(before, after *msg.Conversation, origin []int) bool {
	first, next := 0, 0 // the messages of after and of before that follow the last kept one
	for i := range len(origin) + 1 {
		end := len(before.Messages)
		if i < len(origin) {
			if end = origin[i]; end < 0 {
				continue // added
			}
		}
		added, removed := after.Messages[first:i], before.Messages[next:end]
		if len(added)+len(removed) > 0 && !globalRulesHoldAt(after.Format, added, removed) {
			return false
		}
		first, next = i+1, end+1
	}
	return true
}

// globalRulesHoldAt is globalRulesHold for the messages added and removed in one place.
func globalRulesHoldAt(format string, added, removed []msg.Message) bool {
	if msg.API(format) != msg.Anthropic {
		return true // no rule on the whole conversation, or always one unit
	}
	if len(added) == 0 {
		return !hasServer(removed) // without a message, there are only fewer ids, breakpoints and compaction blocks
	}
	if hasServer(added) || hasServer(removed) {
		return false
	}
	isPrompt := func(m msg.Message) bool { return m.EndsTurn() }
	if slices.ContainsFunc(added, isPrompt) && !slices.ContainsFunc(removed, isPrompt) {
		return false // a new prompt ends a turn, in which a call of a server tool may wait
	}
	now, before := globalFactsOf(added), globalFactsOf(removed)
	if now.compactions > before.compactions || !subsequence(now.caches, before.caches) {
		return false
	}
	for id := range now.calls { // an id that is twice in added is twice in one unit, which is checked
		if !before.calls[id] {
			return false
		}
	}
	return true
}

func hasServer(messages []msg.Message) bool {
	for m := range messages {
		for b := range messages[m].Blocks {
			if messages[m].Blocks[b].Server {
				return true
			}
		}
	}
	return false
}

// globalFacts is the input of the rules on the whole conversation.
type globalFacts struct {
	calls       map[string]bool // their ids
	caches      []string        // the TTL of each breakpoint
	compactions int
}

func globalFactsOf(messages []msg.Message) globalFacts {
	var x globalFacts
	for m := range messages {
		for b := range messages[m].Blocks {
			block := &messages[m].Blocks[b]
			if block.Kind == msg.KindToolUse {
				x.calls = withKey(x.calls, block.ID, true)
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

// subsequence reports whether a is a subsequence of b.
func subsequence(a, b []string) bool {
	for _, x := range b {
		if len(a) > 0 && a[0] == x {
			a = a[1:]
		}
	}
	return len(a) == 0
}
