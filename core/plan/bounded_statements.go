package plan

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/view"
)

// statements are the tokens of the user's statements that still hold, for which summaries need room.
type statements struct {
	sizes
	texts  *summarize.Memory // nil without a session
	said   []int             // of messages: tokens of the statements in a summary
	listed []int             // of messages: those of long lists among them
	stale  []bool            // of messages: a summary quotes a statement that does not hold any more
	held   int               // tokens of all statements that still hold
	lists  int               // those of long lists among them
}

// readStatements measures the user's statements that still hold.
func (b *statements) readStatements() {
	b.said, b.listed, b.stale = make([]int, len(b.size)), make([]int, len(b.size)), make([]bool, len(b.size))
	for _, s := range b.texts.ReadPinned(b.in.Conversation) {
		switch {
		case s.Holds:
			n := summarize.LineTokens(s.Text, b.in.Meter.Text)
			b.said[s.At.Message] += n
			b.held += n
			if s.Listed {
				b.listed[s.At.Message] += n
				b.lists += n
			}
		case b.summary[s.At.Message]:
			b.stale[s.At.Message] = true
		}
	}
}

// statementRoom returns the most tokens that the user's statements may take in summaries.
func (b *statements) statementRoom() int {
	return max(b.room()*pinnedPermille/1000, min(pinnedTokens, b.target/2))
}

// floor returns the tokens of a summary of only the statements in a span, with their heading; 0 if it has none.
func (b *statements) floor(s msg.Span) int {
	typed, listed := 0, 0
	for m := s.Start; m < s.End; m++ {
		typed += b.said[m] - b.listed[m]
		listed += b.listed[m]
	}
	if typed+listed == 0 {
		return 0
	}
	room, held := b.statementRoom(), b.held-b.lists
	return within(typed, held, room) + within(listed, b.lists, max(room-held, 0)) + summarize.FrameTokens
}

// within returns the part of tokens in a room for all, which are at least as many.
func within(tokens, all, room int) int {
	if all <= room {
		return tokens
	}
	return int(int64(tokens) * int64(room) / int64(all))
}

// holds reports whether a summary with the statements of a span is shorter than the span's tokens.
func (b *statements) holds(s msg.Span, tokens int) bool {
	floor := b.floor(s)
	return floor == 0 || floor+b.tail(s)+ArchivedLabelTokens+slack <= tokens
}

// tail returns the tokens of the line that lists the archives of the summaries in a span.
func (b *statements) tail(s msg.Span) int {
	return b.in.Meter.Text(view.ArchivesLine(view.ArchivesIn(b.in.Conversation, s)))
}

// maxSummaries returns the max tokens of all summaries next to so many other tokens.
// It has room for the user's statements in any case.
func (b *statements) maxSummaries(verbatim int) int {
	return max(min(b.target*b.p.Summary.SummaryPermille/1000,
		verbatim*maxSummaryShare/(1000-maxSummaryShare)), b.minSummaries())
}

// minSummaries returns the tokens of a summary of only the statements that still hold.
func (b *statements) minSummaries() int {
	if b.held == 0 {
		return 0
	}
	return min(b.held, b.statementRoom()) + summarize.FrameTokens + ArchivedLabelTokens
}

// summaryRoom is maxSummaries within what the target leaves, which counts as minSummaryPermille of the room at least,
// and as the size of the earlier summaries as long as the hard limit is far: a large open round is soon over, the
// lines that they lose for it are lost for good. It is enough for the user's statements.
func (b *statements) summaryRoom(verbatim int) int {
	if b.forced { // little else may stay, and then a share of it is too small for a summary
		least := b.target * minSummaryPermille / 1000
		return max(min(b.maxSummaries(verbatim), b.target-verbatim), least, b.minSummaries())
	}
	earlier := b.earlier
	if b.hard > 0 {
		earlier = min(earlier, b.hard-b.hard/10-verbatim)
	}
	least := max(b.room()*minSummaryPermille/1000, earlier)
	return max(min(b.maxSummaries(verbatim), max(b.target-verbatim, least)), b.minSummaries())
}

// warnAboutConstraints adds a warning if the user's statements do not fit.
func (b *statements) warnAboutConstraints(s *selection) {
	replaced := 0
	for i := range s.regions {
		for _, span := range s.regions[i].Spans {
			for m := span.Start; m < span.End; m++ {
				replaced += b.said[m]
			}
		}
	}
	if room := b.statementRoom(); replaced > room {
		s.warnings = append(s.warnings, msg.Warning{Code: "constraints_cut", Message: "the user's constraints take " +
			strconv.Itoa(replaced) + " tokens, and " + strconv.Itoa(room) +
			" fit: the longest are cut to their binding clause, then those of long lists and the oldest are only in the " +
			"archive"})
	}
}
