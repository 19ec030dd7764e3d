package plan

import (
	"tamp/core/summarize"
)

// maxMemory returns the max tokens of all summaries next to so many other tokens.
// It has room for the user's statements in any case.
func (b *bounds) maxMemory(verbatim int) int {
	return max(min(b.target*b.p.Summary.SummaryPermille/1000,
		verbatim*maxSummaryShare/(1000-maxSummaryShare)), b.minMemory())
}

// minMemory returns the tokens of a summary of only the statements that still hold.
func (b *bounds) minMemory() int {
	if b.held == 0 {
		return 0
	}
	return min(b.held, b.pinnedRoom()) + summarize.FrameTokens + ArchivedLabelTokens
}

// summaryRoom is maxMemory within what the target leaves, which counts as minMemoryPermille of the room at least, and as the
// size of the earlier summaries as long as the hard limit is far: a large open round is soon over, the lines that they
// lose for it are lost for good. It is enough for the user's statements.
func (b *bounds) summaryRoom(verbatim int) int {
	if b.forced { // little else may stay, and then a share of it is too small for a summary
		least := b.target * minMemoryPermille / 1000
		return max(min(b.maxMemory(verbatim), b.target-verbatim), least, b.minMemory())
	}
	earlier := b.earlier
	if b.hard > 0 {
		earlier = min(earlier, b.hard-b.hard/10-verbatim)
	}
	least := max(b.room()*minMemoryPermille/1000, earlier)
	return max(min(b.maxMemory(verbatim), max(b.target-verbatim, least)), b.minMemory())
}

func (b *bounds) promptRoom() int {
	if b.noRoom {
		return 0
	}
	return max(b.target-b.fixed, 0) * promptPermille / 1000
}
