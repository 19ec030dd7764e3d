package bounded

import (
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

const (
	minCut             = 500  // tokens: shorter results are not cut
	minCutOnly         = 60   // tokens that each result keeps at least if cuts alone reach the target
	keptResults        = 300  // permille of all results that then stay at least: summaries keep more facts of less
	maxResultShare     = 5    // a result of the window keeps at most this fraction of the target, if the target is missed
	maxOpenShare       = 3    // a result of the open round keeps at most this fraction of the target
	minSummaryPermille = 150  // permille of the room that summaries may take next to a window over the target
	minRoomShare       = 8    // the room is at least this fraction of the target
	promptPermille     = 250  // of the target without the fixed part
	minRegion          = 400  // tokens: a summary of a smaller region does not pay for its label and its frame
	minRest            = 200  // permille of the movable part that a target must leave, and
	minRestTokens      = 1000 // tokens of it, or half of it: a shorter summary cannot say much
	forcedPermille     = 400  // of the conversation: the most that a forced compaction should leave
	maxSummaryShare    = 440  // permille of the result that summaries may take
	maxClearedShare    = 380  // the same after a clearing
	minWordsShare      = 2    // the room for the user's words is at least this fraction of a small target
	condensedShare     = 4    // condensing drops this fraction of each of its summaries, or more if that is not enough
	freshPermille      = 350  // of the room for summaries: the least of the new ones; half would cost names of long ago
	mergeBelow         = 600  // tokens for summaries: below this, there is only one, since each has a label and headings
)

// sizes is what the choice reads: the sizes of the messages, and what becomes of them. All sizes are tokens of the
// plan's counter.
type sizes struct {
	in      *view.View
	p       *policy.Policy
	limits  *choice.Limits
	target  int
	hard    int    // 0 = no limit
	fixed   int    // system prompt, tools and instructions
	earlier int    // tokens of all earlier summaries, without the user's words
	summary []bool // of messages: holds a summary
	fixedAt []bool // of messages: never removed: instructions, the first and the newest prompt
	prompt  []bool // of messages: a real prompt, except the first and the newest
	size    []int  // of messages, after the edits of long prompts
}

// room returns the tokens of the target without system prompt, tools and instructions. The least share of the recent
// window and that of the summaries are shares of it: as shares of the target they would be more than there is, next to
// tools of 30,000 tokens.
func (b *sizes) room() int { return max(b.target-b.fixed, b.target/minRoomShare) }

// immovable returns the tokens that stay if all messages before a position that may be removed are: the messages from
// there on, system prompt, tools and the messages that always stay.
func (b *sizes) immovable(from int) int {
	sum := b.in.Counts.System + b.in.Counts.Tools
	for m, tokens := range b.size {
		if b.fixedAt[m] || m >= from {
			sum += tokens
		}
	}
	return sum
}

// forcedSize returns the most tokens that a forced compaction should leave.
func (b *sizes) forcedSize() int {
	return int(int64(b.in.Counts.Total+b.limits.Freed) * forcedPermille / 1000)
}

// stays returns the tokens that a compaction keeps as they are.
func (b *sizes) stays(s *choice.Selection) int {
	sum := b.in.Counts.Total
	for i := range s.Regions {
		sum -= s.Regions[i].Tokens
	}
	return sum
}

// after returns the size after the selected summaries, if each takes its budget.
func (b *sizes) after(s *choice.Selection) int {
	size := b.in.Counts.System + b.in.Counts.Tools
	for _, tokens := range b.size {
		size += tokens
	}
	for i := range s.Regions {
		size -= s.Regions[i].Gain()
	}
	return size
}

// minRegion returns the tokens below which a region is not summarized. A forced compaction and a small target take what
// there is.
func (b *sizes) minRegion() int {
	if b.limits.Manual {
		return choice.MinBudget
	}
	return min(minRegion, b.room()/10)
}

// prefix returns the sums before each message and before the end. said are the tokens of the user's words in each.
func (b *sizes) prefix(said []int) []sums {
	out := make([]sums, len(b.size)+1)
	for m, tokens := range b.size {
		s := out[m]
		switch {
		case b.fixedAt[m]:
			s.fixed += tokens
		case b.prompt[m]:
			s.prompts += tokens
			s.promptWords += min(said[m], tokens)
		default:
			n := min(said[m], tokens)
			s.words += n
			if b.summary[m] {
				s.summaries += tokens - n
			} else {
				s.free += tokens - n
			}
		}
		out[m+1] = s
	}
	return out
}

// lowestTarget returns the smallest useful target for a conversation of total tokens.
func lowestTarget(immovable, total int) int {
	rest := total - immovable
	return immovable + max(rest*minRest/1000, min(rest/2, minRestTokens))
}

// sums are the tokens of all messages before a position, by what happens to them if the position is before the window.
// Those of summaries and of free messages are without the user's words in them, those of prompts with theirs.
type sums struct{ fixed, summaries, prompts, promptWords, words, free int }

func (s *sums) total() int { return s.fixed + s.summaries + s.prompts + s.words + s.free }
