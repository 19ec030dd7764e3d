package msg

// PartIsValid is what CheckChange decides by before it checks everything; seen is false where it needs everything at once.
func PartIsValid(before, after *Conversation) (valid, seen bool) {
	part := changedPart(before, after)
	if part == nil {
		return false, false
	}
	f := &finder{c: part, part: true}
	f.examine()
	return Valid(f.problems), true
}
