package summarize

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Options of a summary.
type Options struct {
	Counter   tokens.Counter // counts MaxTokens; nil means tokens.Estimate
	MaxTokens int            // the maximum of the summary; under about 50 the summary is empty
	Focus     string         // text about what to preserve first; facts that match its words and names are worth more
}

// Summarize is New and Index.Summarize for one span of c.
func Summarize(c *msg.Conversation, span msg.Span, o Options) string {
	return New(c, []msg.Span{span}).Summarize(0, o)
}

// Summarize writes the summary of the n-th span: sections of sentences and lists, never over o.MaxTokens. It is "" if
// the span contains no fact or no line fits.
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
		chosen = d.dropLast(chosen, over, o.Counter)
	}
	return ""
}

const roomForOpening = 120 // tokens; in a smaller summary the opening takes too large a share

// dropLast removes units from the end until about `over` tokens are removed, at least one unit.
func (d *draft) dropLast(chosen []int32, over int, counter tokens.Counter) []int32 {
	n := len(chosen) - 1
	for removed := 0; n > 0 && removed < over; n-- {
		removed += counter.Count(d.units[chosen[n]].text) + 1
	}
	return chosen[:n]
}

// Shares divides a number of tokens among the spans: half by the worth of their facts, half by their length. So a span
// with facts that the agent still uses gets more, and no span gets nothing.
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

const worthShare = 50 // percent
