package msg

// PartIsValid reports whether CheckChange finds the changed part valid; seen is false if it must check the whole conversation.
func PartIsValid(before, after *Conversation) (valid, seen bool) {
	part := changedPart(before, after)
	if part == nil {
		return false, false
	}
	ck := &checker{c: part, part: true}
	ck.examine()
	return Valid(ck.problems), true
}
