package replay

import (
	"cmp"
	"strconv"

	"tamp/core/models"
	"tamp/core/msg"
)

// usualHidden is the size of system prompt and tools that the interval of a cost allows if it is not known, in tokens:
// coding agents send 15,000 to 30,000.
const usualHidden = 30_000

// setInterval sets the lowest and the highest cost. With usage, the difference to the bill is as uncertain as the
// simulation of the bill was wrong. Without usage, the counter has its published error, and the hidden tokens are
// between none and usualHidden: written once, then read.
func setInterval(w *replayer) {
	t, s := &w.report.Totals, &w.report.Simulated
	t.CostLow, t.CostHigh = t.Cost, t.Cost
	if w.report.Basis == FromUsage {
		logged := t.Cost - s.Billed
		margin := portion(max(logged, -logged), max(s.Cost-s.Billed, s.Billed-s.Cost), s.Billed)
		t.CostLow, t.CostHigh = max(t.Cost-margin, 0), t.Cost+margin
		return
	}
	profile := models.ProfileFor(w.report.Model, w.c.Format)
	scale, hidden := profile.Scale(w.report.Counter), 0
	if unknownHidden(w) && t.Calls > 0 {
		hidden = usualHidden
	}
	t.CostLow, t.CostHigh = portion(costIf(w, scale.Low, 0), scale.Low, 1000),
		portion(costIf(w, scale.High, hidden), scale.High, 1000)
	if hidden > 0 {
		p := w.prices.of(w.report.Model).At(portion(t.Peak, scale.High, 1000) + hidden)
		t.CostHigh += cost(p, bill{write5m: hidden, read: hidden * (t.Calls - 1)}, 0)
	}
}

// costIf returns the cost if each call had the price of another length: permille of its tokens, and hidden more.
func costIf(w *replayer, permille, hidden int) int {
	sum := w.report.Totals.Cost
	for i := range w.report.Calls {
		c := &w.report.Calls[i]
		p := w.prices.of(cmp.Or(c.Model, w.report.Model))
		b := bill{c.CacheRead, c.CacheWrite - c.CacheWrite1h, c.CacheWrite1h, c.Input}
		sum += cost(p.At(portion(c.Sent, permille, 1000)+hidden), b, c.Output) - charge(p, b, c.Output)
	}
	return sum
}

// unknownHidden reports a session that shows neither a system prompt nor tools, without usage from which they follow.
func unknownHidden(w *replayer) bool {
	if w.o.Hidden != nil || w.uses > 0 || len(w.c.System)+len(w.c.Tools) > 0 {
		return false
	}
	return len(w.c.Messages) == 0 || w.c.Messages[0].Role != msg.System && w.c.Messages[0].Role != msg.Developer
}

// notesOf lists what the replay could not know.
func notesOf(w *replayer) []Note {
	r, notes := w.report, []Note{}
	add := func(is bool, code, text string) {
		if is {
			notes = append(notes, Note{code, text})
		}
	}
	add(r.Basis == FromUsage, "usage", "the costs of "+number(w.uses)+" of "+number(w.calls)+
		" calls are from the usage in the log; a policy is charged the simulated difference")
	add(r.Basis == Estimated, "estimated", "all numbers are counted and simulated: the log's usage is missing or not used")
	add(r.Hidden > 0 && w.o.Hidden == nil, "hidden", number(r.Hidden)+
		" tokens of each call are not in the log (system prompt, tools, reminders): they follow from the usage")
	add(unknownHidden(w), "hidden_unknown", "the log shows no system prompt and no tools: each call was larger than "+
		"counted, by an unknown number of tokens; costHigh allows "+number(usualHidden))
	add(w.uncached(), "uncached", "no call of the log used the prompt cache, so the replay does not use it either")
	add(w.automatic, "automatic_cache", "the calls of the log read a prompt cache that none of them writes: the replay "+
		"caches every prefix, and writes cost as input")
	add(!w.clock.timed && w.calls > 1, "times_assumed", "the log has no timestamps: "+strconv.Itoa(w.o.Idle)+
		" seconds between two calls are assumed")
	add(!r.Priced, "price_unknown", "the price of the model is not known: that of a mid-range model is used")
	p := w.prices.of(r.Model)
	n := r.longCalls(p)
	add(n > 0, "long_prompts", count(n, "call")+" of more than "+number(p.Long.Above)+
		" tokens: the whole of each is charged at the provider's price for long prompts, "+
		times(p.Long.Input, 1000)+" that of short ones for input and "+times(p.Long.Output, 1000)+" for the answer")
	add(len(w.segments) > 1, "segments", "the agent compacted the session "+count(len(w.segments)-1, "time")+
		": each part is replayed on its own, after the agent's own summary; the calls that wrote the summaries are not "+
		"in the log")
	add(w.unread, "older_segments", "the log has older parts, before compactions, that are not replayed: there are too "+
		"many, or one has an error")
	add(r.Others != nil, "other_calls", "calls of subagents and of branches that the user left are in others, not in "+
		"the totals")
	add(switched(w.report), "models", "the model changes in the session: each call has the price and the cache of its own")
	return notes
}

// switched reports that the calls have several models.
func switched(r *Report) bool {
	for i := range r.Calls {
		if r.Calls[i].Model != "" {
			return true
		}
	}
	return false
}
