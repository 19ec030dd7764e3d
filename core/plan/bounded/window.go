package bounded

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
)

// This file chooses the recent window of a bounded policy, and the tool results that are cut in it.

// estimate returns the size after a compaction that keeps the messages after before, and the part of it that is not
// summaries. whole are the sums of the whole conversation, freed are the tokens that edits of the kept messages free.
func (b *recent) estimate(before, whole sums, freed int) (size, verbatim int) {
	kept := min(before.prompts, b.promptRoom())
	folded := before.prompts - kept
	words := int(int64(before.promptWords) * int64(folded) / int64(max(before.prompts, 1)))
	verbatim = b.in.Counts.System + b.in.Counts.Tools + before.fixed + whole.total() - before.total() - freed + kept +
		min(before.words+words, b.wordsRoom())
	free := before.free + folded - words
	return verbatim + min(b.maxSummaries(verbatim), before.summaries+choice.ShareOf(b.p, free)), verbatim
}

// chooseWindow sets the start of the recent window: as early as the target allows. If the target is tight, the window
// has at least recentPermille of it, unless the next message alone is larger than the target or over the hard limit.
// Large results in the window are cut only if the target is missed otherwise, or if one of them would end the window
// early: next to a short window, summaries lose most of their lines (maxSummaryShare).
func (b *recent) chooseWindow() {
	copy(b.tokens, b.all)
	if b.cutAll() {
		return
	}
	if size := b.extendWindow(b.in.Counts.Total); size > b.target+b.target/20 || size < b.target-b.target/10 {
		b.extendWindow(max(b.target/maxResultShare, minCut))
	}
	b.keepFrom = b.oldestKeptPrompt()
}

// extendWindow is chooseWindow for results of at most maxResult tokens; it cuts larger ones. It returns the size that
// it expects.
func (b *recent) extendWindow(maxResult int) int {
	sumsBefore := b.prefix(b.tokens)
	whole := sumsBefore[len(sumsBefore)-1]
	b.tailStart = msg.OpenRound(b.in.Conversation)
	low, recent := b.restRoom()*b.p.Pin.RecentPermille/1000, 0
	for m := b.tailStart; m < len(b.size); m++ {
		recent += b.size[m]
	}
	reached, _ := b.estimate(sumsBefore[b.tailStart], whole, 0)
	freed := 0 // by all cuts so far
	var cuts []pass.Decision
	window := struct{ tokens, freed, cuts int }{tokens: recent} // of the messages from b.tailStart on
	for m := b.tailStart - 1; m > 0; m-- {
		recent += b.size[m]
		if b.size[m] > maxResult && !b.wasCut[m] {
			more, n := b.cutResults(m, maxResult)
			cuts, freed, recent = append(cuts, more...), freed+n, recent-n
		}
		if b.safe.Back(m) != m {
			continue
		}
		size, verbatim := b.estimate(sumsBefore[m], whole, freed)
		overHard := b.hard > 0 && size > b.hard
		most := b.target
		if reached < b.target-b.target/10 { // nearer to the target with the message than without it
			most += b.target / 20
		}
		if overHard || size > most && (window.tokens >= low || verbatim > b.target) {
			if maxResult == b.in.Counts.Total {
				break
			}
			if more, size := b.fitResults(m, sumsBefore[m], whole, window.freed); size > 0 {
				cuts = append(cuts[:window.cuts], more...)
				b.tailStart, reached = m, size
			}
			break
		}
		b.tailStart, reached = m, size
		window.tokens, window.freed, window.cuts = recent, freed, len(cuts)
	}
	for _, d := range cuts {
		if d.Ref.Message >= b.tailStart {
			b.cuts, b.wasCut[d.Ref.Message] = append(b.cuts, d), true
			b.size[d.Ref.Message] -= d.Edit.Tokens - d.Edit.After
		}
	}
	return reached
}

// fitResults cuts the results of the messages between from and the window to what the target leaves: parallel results
// of a few thousand tokens each may be more than half of it. freed are the tokens that the cuts of the window free.
// size is the expected size then, 0 if too little is left.
func (b *recent) fitResults(from int, before, whole sums, freed int) (cuts []pass.Decision, size int) {
	b.again = true
	defer func() { b.again = false }()
	var results []int
	for m := from; m < b.tailStart; m++ {
		results = b.resultsOf(m, results)
	}
	level := highest(b.target, func(level int) bool {
		size, _ := b.estimate(before, whole, freed+freedAt(level, results))
		return size <= b.target
	})
	most := b.target + b.target/20
	if b.hard > 0 {
		most = min(most, b.hard)
	}
	for range maxFits {
		if level < minCut {
			break
		}
		cuts, now := []pass.Decision(nil), freed
		for m := from; m < b.tailStart; m++ {
			if b.wasCut[m] {
				continue
			}
			list, n := b.cutResults(m, level)
			cuts, now = append(cuts, list...), now+n
		}
		if size, _ = b.estimate(before, whole, now); size <= most {
			return cuts, size
		}
		level -= (size-b.target)/max(len(cuts), 1) + level/20
	}
	return nil, 0 // some results cannot be cut
}

// maxFits is the number of levels that fitResults tries: lines are kept whole, and their tokens are not all of the same
// length.
const maxFits = 4

// oldestKeptPrompt returns the first of the prompts before the window that fit their budget.
func (b *recent) oldestKeptPrompt() int {
	room := b.promptRoom()
	from := b.tailStart
	for m := b.tailStart - 1; m >= 0; m-- {
		if b.prompt[m] {
			if room -= b.size[m]; room < 0 {
				break
			}
			from = m
		}
	}
	return from
}

// foldable reports whether a prompt before the window is kept.
func (b *recent) foldable() bool { return slices.Contains(b.prompt[b.keepFrom:b.tailStart], true) }

// recent is the window of the newest messages, which stay.
type recent struct {
	cutter
	safe      pass.Cuts // the cuts that separate no call from its result
	tailStart int       // first message of the window
	keepFrom  int       // prompts from here on are kept
	noRoom    bool      // prompts before the window are not kept: their words are in summaries
	cutOnly   bool      // the cuts of all results reach the target, so nothing is summarized
}

func (b *recent) promptRoom() int {
	if b.noRoom {
		return 0
	}
	return max(b.target-b.fixed, 0) * promptPermille / 1000
}

// cutAll cuts all large results if that alone reaches the target and leaves enough of them. It reports whether it did.
// Calls and texts then stay as they are. It is for the first compaction only, since a result is cut once.
func (b *recent) cutAll() bool {
	if slices.Contains(b.summary, true) {
		return false
	}
	maxTokens := b.cutLevel()
	all, kept := 0, 0
	for _, tokens := range b.results() {
		all += tokens
		kept += min(tokens, maxTokens)
	}
	if maxTokens < minCutOnly || int64(kept)*1000 < int64(all)*keptResults {
		return false
	}
	var cuts []pass.Decision
	open, size := msg.OpenRound(b.in.Conversation), b.in.Counts.System+b.in.Counts.Tools
	for m := range b.size {
		size += b.size[m]
		if !b.wasCut[m] && m < open {
			list, freed := b.cutResults(m, maxTokens)
			cuts = append(cuts, list...)
			size -= freed
		}
	}
	if size > b.target+b.target/20 { // some results were cut before
		return false
	}
	for _, d := range cuts {
		b.wasCut[d.Ref.Message] = true
		b.size[d.Ref.Message] -= d.Edit.Tokens - d.Edit.After
	}
	b.cuts = append(b.cuts, cuts...)
	b.tailStart = open
	b.keepFrom, b.cutOnly = b.tailStart, true
	return true
}
