package bounded

import (
	"tamp/core/internal/pass"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/view"
)

// bounds is the state of Strategy.Choose.
type bounds struct {
	recent
	verbatim []bool // of messages: neither in a new region nor an earlier summary
	merge    bool   // one summary replaces all before the window, earlier summaries included
	note     string
}

// isCompact reports whether a conversation is what a compaction left: it has the size of the target, and only the
// recent window of the policy follows the last summary. Another compaction by force changes nothing then.
func (b *bounds) isCompact(total int) bool {
	start := b.p.Pin.Window.Start(b.in)
	last := len(b.summary) - 1
	for last >= 0 && !b.summary[last] {
		last--
	}
	return last >= 0 && total <= b.target && start <= last+1
}

// read sets the state for a conversation. A forced compaction has a target of its own: forcedSize at most.
func (b *bounds) read(in, before *view.View, p *policy.Policy, l *choice.Limits, k *view.Cache) {
	c := in.Conversation
	n := len(c.Messages)
	b.sizes = sizes{in: in, p: p, limits: l, fixed: in.Counts.System + in.Counts.Tools,
		summary: view.SummaryMessages(c), fixedAt: make([]bool, n), prompt: make([]bool, n), size: make([]int, n)}
	b.texts, b.wasCut, b.safe = k.Texts(), make([]bool, n), pass.NewCuts(in)
	total := in.Counts.Total
	b.target, b.hard = l.Convert(l.Target, total), l.Convert(l.Hard, total)
	if l.Manual {
		if b.target = l.Convert(l.Goal, total); !b.isCompact(total) {
			b.target = min(b.target, b.forcedSize())
		}
	}
	first, newest := pass.FirstTask(c), pass.NewestPrompt(c)
	for m := range c.Messages {
		b.size[m] = in.Counts.Messages[m].Tokens
		switch {
		case view.IsInstruction(&c.Messages[m]):
			b.fixedAt[m] = true
			b.fixed += b.size[m]
		case (m == first || m == newest) && !b.summary[m]:
			b.fixedAt[m] = true
		case provenance.IsPrompt(&c.Messages[m]) && !b.summary[m]:
			b.prompt[m] = true
		}
	}
	view.MarkWaiting(c, in.Pairing, b.fixedAt)
	view.MarkKept(in, b.fixedAt)
	b.readWords(before, k)
	for m, is := range b.summary {
		if is {
			b.earlier += b.rest(m)
		}
	}
	b.merge = b.room()*p.Summary.SummaryPermille/1000 < mergeBelow
	b.noRoom = b.merge || l.Manual
}
