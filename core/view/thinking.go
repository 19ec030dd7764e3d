package view

import (
	"tamp/core/msg"
	"tamp/core/validity"
)

// BoundThinking returns the thinking that must be dropped, in document order, and the first block whose change causes
// this. first is the first changed block; removed reports thinking that is removed in any case. Removing a thinking
// block while an earlier one is kept counts as a change too: only a leading or a trailing run may be removed without
// effect on the others.
func BoundThinking(c *msg.Conversation, first msg.Ref, removed func(msg.Ref) bool) (msg.Ref, []msg.Ref) {
	var bound []msg.Ref
	kept := false
	for it := c.Walk(); it.Next(); {
		ref := it.Ref
		switch {
		case !it.IsThinking():
		case removed(ref):
			if kept && IsAfter(first, ref) {
				first = ref
			}
		case IsAfter(first, ref):
			kept = true
		default:
			bound = append(bound, ref)
		}
	}
	return first, bound
}

// MayDropOpenThinking reports whether the provider takes an open round without its thinking. With a budget of thinking,
// the assistant's last message has to begin with it.
func MayDropOpenThinking(c *msg.Conversation) bool {
	return validity.BindsThinking(c) && c.Thinking.Member("type").Text() != "enabled"
}
