package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/view"
)

// wait returns the reason why the summaries of an economic policy do not pay yet, "" if they do or if they are needed.
// They wait at most until the context is a tenth over the soft limit. Their rent is the tokens that each call
// since their text left the recent turns would have saved.
func (d *Draft) wait(in *view.View, s *choice.Selection, t *Trigger) string {
	if d.p.Clear.When != pass.Economic || t.Kind != "soft" || t.Used-t.Limit > t.Limit/10 {
		return ""
	}
	x, covered := change{freed: d.in.Counts.Total - in.Counts.Total}, 0
	first := len(in.Conversation.Messages)
	summarized := make([]bool, first)
	for i := range s.Regions {
		region := &s.Regions[i]
		x.freed += region.Gain()
		covered += region.Tokens
		first = min(first, region.Spans[0].Start)
		for _, span := range region.Spans {
			for m := span.Start; m < span.End; m++ {
				summarized[m] = true
			}
		}
		if region.Level != 3 {
			x.cost += d.summaryPrice(region.Tokens, region.Budget)
		}
	}
	x.before = beforeBlock(in, msg.Ref{Message: first})
	terms := *d.terms()
	terms.Rent = pass.LimitRent(d.tokenCalls(in, summarized)) / 1000 * (1000 * x.freed / max(covered, 1))
	if terms.Pays(x.freed, x.before, x.cost) {
		return ""
	}
	return "summaries do not pay yet: " + advise(&terms, x).Reason
}

// tokenCalls returns the token-calls of messages: for each, its tokens times the number of calls that were sent with it
// after it left the recent turns. Calls before the last rewrite of the prompt do not count.
func (d *inputs) tokenCalls(in *view.View, of []bool) (sum int) {
	calls := 0
	for i := range in.Conversation.Messages {
		if in.Conversation.Messages[i].Role == msg.Assistant {
			calls++
		}
	}
	most, after := calls-d.record.RentFrom, 0
	for m := len(of) - 1; m >= 0; m-- {
		if of[m] {
			sum += in.Counts.Messages[m].Tokens * max(min(after-d.p.Pin.RecentTurns, most), 0)
		}
		if in.Conversation.Messages[m].Role == msg.Assistant {
			after++
		}
	}
	return sum
}
