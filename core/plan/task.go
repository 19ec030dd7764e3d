package plan

import (
	"strings"
	"unicode"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// taskOverlap compares the newest prompt with all prompts and answers before it. total is the number of distinct words
// of at least four letters in the prompt, shared the number of those that occur before. (0, 0) if there is nothing to
// compare.
func taskOverlap(c *msg.Conversation) (shared, total int) {
	last := len(c.Messages) - 1
	if last < 1 || !provenance.IsPrompt(&c.Messages[last]) {
		return 0, 0
	}
	left := map[string]bool{} // the words of the prompt; false: found before it
	each := func(span msg.Span, f func(w string)) {
		for it := c.WalkIn(span); it.Next(); {
			if it.Block.Kind == msg.KindText && !provenance.IsInjected(&c.Messages[it.Ref.Message], it.Ref.Block) {
				eachWord(it.Block.Text, f)
			}
		}
	}
	each(msg.Span{Start: last, End: last + 1}, func(w string) { left[w] = true })
	if len(left) < 5 { // "go on" and "yes please" do not start a new task
		return 0, 0
	}
	each(msg.Span{End: last}, func(w string) {
		if left[w] {
			left[w] = false
			shared++
		}
	})
	return shared, len(left)
}

// eachWord yields the words of at least four bytes, in lower case. In Han script, which has no spaces, it yields each
// pair of adjacent letters.
func eachWord(text string, yield func(string)) {
	start, last := -1, rune(0)
	for i, r := range text + " " {
		switch {
		case unicode.Is(unicode.Han, r):
			if unicode.Is(unicode.Han, last) {
				yield(string(last) + string(r))
			}
			start = -1
		case unicode.IsLetter(r) || r == '_':
			if start < 0 {
				start = i
			}
		default:
			if start >= 0 && i-start >= 4 {
				yield(strings.ToLower(text[start:i]))
			}
			start = -1
		}
		last = r
	}
}
