package validity

import (
	"reflect"
	"slices"

	"tamp/core/msg"
)

// PartIsValid reports whether CheckChange finds the changed part valid; seen is false if it must check the whole
// conversation.
func PartIsValid(before, after *msg.Conversation, origin []int) (valid, seen bool) {
	part := changedPart(before, after, origin)
	if part == nil {
		return false, false
	}
	return Valid(examine(part, true).problems), true
}

// Origins returns for each message of after the index of the same message in before, in ascending order, or -1.
func Origins(before, after *msg.Conversation) []int {
	origin := make([]int, len(after.Messages))
	next := 0
	for i := range after.Messages {
		origin[i] = -1
		for at := next; at < len(before.Messages); at++ {
			if reflect.DeepEqual(before.Messages[at], after.Messages[i]) {
				origin[i], next = at, at+1
				break
			}
		}
	}
	return origin
}

// Unlisted returns the rules that a check reports of c, and that its row does not list.
func Unlisted(c *msg.Conversation) (rules []Rule) {
	ck := &checker{c: c}
	each := func(checks []check) {
		for _, row := range checks {
			ck.problems = nil
			row.find(ck)
			for _, p := range ck.problems {
				if !slices.Contains(row.rules, p.Rule) {
					rules = append(rules, p.Rule)
				}
			}
		}
	}
	for i := range providers {
		if slices.Contains(providers[i].formats, c.Format) {
			ck.of = &providers[i]
			each(ck.of.checks)
		}
	}
	each(everywhere[:])
	return rules
}

// Listed returns the rules of all checks, and of conversations without messages.
func Listed() (rules []Rule) {
	add := func(checks []check) {
		for _, row := range checks {
			rules = append(rules, row.rules...)
		}
	}
	for i := range providers {
		add(providers[i].checks)
	}
	add(everywhere[:])
	slices.Sort(rules)
	return slices.Compact(rules)
}
