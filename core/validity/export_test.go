package validity

import (
	"reflect"

	"tamp/core/msg"
)

// PartIsValid reports whether CheckChange finds the changed part valid; seen is false if it must check the whole
// conversation.
func PartIsValid(before, after *msg.Conversation, origin []int) (valid, seen bool) {
	part := changedPart(before, after, origin)
	if part == nil {
		return false, false
	}
	ck := &checker{c: part, part: true}
	ck.examine()
	return Valid(ck.problems), true
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
