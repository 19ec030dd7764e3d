package bounded

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/view"
	"tamp/core/words"
)

// said are the user's words before the recent window. Summaries hand them on, in room of their own.
type said struct {
	sizes
	words  *words.Words
	all    []int  // of messages: tokens of the user's words in it
	tokens []int  // of messages: of those that a summary keeps
	cut    []bool // of messages: a part of its words leaves
}

// readWords reads the user's words before all edits, as if all had room.
func (b *said) readWords(before *view.View, k *view.Cache) {
	b.words = choice.WordsOf(before, k)
	b.tokens, b.cut = make([]int, len(b.size)), make([]bool, len(b.size))
	b.words.Fit(func(*words.Said) bool { return true }, 1<<40).Each(func(s *words.Said, tokens int, _ bool) {
		b.tokens[s.At.Message] += tokens
	})
	b.all = slices.Clone(b.tokens)
}

// wordsRoom returns the tokens of the user's words in all summaries together. Next to an open round that leaves no
// room, and in a small target, they have a share of the target as a summary has.
func (b *said) wordsRoom() int {
	free := b.target - b.immovable(msg.OpenRound(b.in.Conversation))
	room := max(words.Room(b.limits.Window, free), min(b.target/minWordsShare, 2*choice.MinBudget))
	if b.hard > 0 { // a summary next to them fits, too
		free += b.hard - b.target - choice.ArchivedLabelTokens - words.FrameTokens
		room = min(room, max(free, 0))
	}
	return room
}

// restRoom returns the room for all but the user's words.
func (b *said) restRoom() int {
	said := 0
	for m := range b.tokens {
		if !b.fixedAt[m] {
			said += b.tokens[m]
		}
	}
	return b.room() - min(said, b.wordsRoom())
}

// fitWords chooses the words of the messages before the window that do not stay as messages.
func (b *said) fitWords(stays func(m int) bool) *words.Selection {
	clear(b.tokens)
	clear(b.cut)
	fit := b.words.Fit(func(s *words.Said) bool {
		m := s.At.Message
		return !stays(m) || s.Asked != "" && !stays(s.From) && !b.summary[m]
	}, b.wordsRoom())
	fit.Each(func(s *words.Said, tokens int, cut bool) {
		m := s.At.Message
		if stays(m) { // an answer that stays: its question does not
			m = s.From
		}
		b.tokens[m] += tokens
		b.cut[m] = b.cut[m] || cut
	})
	return fit
}

// floor returns the tokens of the section with the user's words of a span; 0 if it has none.
func (b *said) floor(s msg.Span) (tokens int) {
	for m := s.Start; m < s.End; m++ {
		tokens += b.tokens[m]
	}
	if tokens > 0 {
		tokens += words.FrameTokens
	}
	return tokens
}

// shrinks reports whether a summary with the user's words of a span can be shorter than its tokens.
func (b *said) shrinks(s msg.Span, tokens int) bool {
	said := b.floor(s)
	return said == 0 || said+b.tail(s)+choice.ArchivedLabelTokens+choice.MinLine <= tokens
}

// tail returns the tokens of the line that lists the archives of the summaries in a span.
func (b *said) tail(s msg.Span) int {
	return b.in.Meter.Text(view.ArchivesLine(view.ArchivesIn(b.in.Conversation, s)))
}

// rest returns the tokens of a message besides the user's words that a summary keeps.
func (b *said) rest(m int) int { return max(b.size[m]-b.tokens[m], 0) }

// maxSummaries returns the max tokens of all summaries, without the user's words, next to so many other tokens.
func (b *said) maxSummaries(verbatim int) int {
	return max(min(b.target*b.p.Summary.SummaryPermille/1000, verbatim*maxSummaryShare/(1000-maxSummaryShare)), 0)
}

// summaryRoom is maxSummaries within what the target leaves, which counts as minSummaryPermille of the room at least,
// and as the size of the earlier summaries as long as the hard limit is far: a large open round is soon over, the
// lines that they lose for it are lost for good. Earlier summaries never have more than the hard limit leaves.
func (b *said) summaryRoom(verbatim int) int {
	least, earlier := b.restRoom()*minSummaryPermille/1000, b.earlier
	if b.hard > 0 && earlier > 0 {
		least, earlier = min(least, b.hard-verbatim), min(earlier, b.hard-b.hard/10-verbatim)
	}
	least = max(least, earlier)
	return min(b.maxSummaries(verbatim), max(b.target-verbatim, least))
}
