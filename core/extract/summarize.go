package extract

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Options of a summary.
type Options struct {
	Counter   tokens.Counter // what MaxTokens counts with; nil means tokens.Estimate
	MaxTokens int            // the summary never has more; under about 50 there is no room for one, and it is empty
	Focus     string         // what to preserve before all else, in anybody's words; its names and words weigh more
}

// Summarize is New and Index.Summarize for one span of c.
func Summarize(c *msg.Conversation, span msg.Span, o Options) string {
	return New(c, []msg.Span{span}).Summarize(0, o)
}

// Summarize writes the summary of the n-th span: sections of sentences and tables, within o.MaxTokens exactly.
// It is "" where the span holds nothing or the budget has no room for a line.
func (x *Index) Summarize(n int, o Options) string {
	if o.Counter == nil {
		o.Counter = tokens.Estimate
	}
	d := newDraft(x, n)
	d.focus = readFocus(o.Focus)
	d.gather()
	head := ""
	budget := o.MaxTokens
	if budget >= roomForOpening {
		head = opening + "\n"
		budget -= o.Counter.Count(head)
	}
	chosen := d.choose(o.Counter, budget)
	for len(chosen) > 0 {
		text := head + d.render(chosen)
		over := o.Counter.Count(text) - o.MaxTokens
		if over <= 0 {
			return text
		}
		chosen = d.drop(chosen, over, o.Counter)
	}
	return ""
}

const roomForOpening = 120

// drop takes units off the end until about so many tokens are gone, at least one.
func (d *draft) drop(chosen []int32, over int, counter tokens.Counter) []int32 {
	n := len(chosen) - 1
	for gone := 0; n > 0 && gone < over; n-- {
		gone += counter.Count(d.units[chosen[n]].text) + 1
	}
	return chosen[:n]
}

// Shares divides a number of tokens among the spans, by what their facts are worth and by their size, half each: a span full
// of what the agent still works with gets more than its length, and none gets nothing.
func (x *Index) Shares(total int) []int {
	worth := make([]int, len(x.spans))
	sizes := make([]int, len(x.spans))
	for i := range x.atoms {
		if a := &x.atoms[i]; a.home >= 0 && !a.kept {
			worth[a.home] += int(a.worth)
		}
	}
	allWorth, allSizes := 1, 1
	for i, s := range x.spans {
		for m := s.Start; m < s.End; m++ {
			for b := range x.c.Messages[m].Blocks {
				sizes[i] += len(x.c.Messages[m].Blocks[b].Text) + 20
			}
		}
		allWorth += worth[i]
		allSizes += sizes[i]
	}
	total = max(total, 0)
	shares := make([]int, len(x.spans))
	for i := range shares {
		w := int(int64(total) * int64(worth[i]) / int64(allWorth))
		s := int(int64(total) * int64(sizes[i]) / int64(allSizes))
		shares[i] = (w*worthShare + s*(100-worthShare)) / 100
	}
	return shares
}

const worthShare = 50
