package replay

import (
	"cmp"
	"errors"

	"tamp/core"
	"tamp/core/models"
	"tamp/core/msg"
)

// compact runs the compaction of a host before a call, and records the changes in the call.
func (w *replayer) compact(call *Call) error {
	if w.o.None {
		return nil
	}
	host := core.Host{
		Round: func(c *msg.Conversation, size int) error {
			return w.spend(workOf(size, len(c.Messages)), call.Message)
		},
		Planned: func(made *core.Plan) error {
			call.Trigger = cmp.Or(call.Trigger, made.Trigger.Kind)
			return nil
		},
		Applied: func(made *core.Plan, results []core.SummaryResult, out *core.Outcome) error {
			call.Edits += len(made.Edits)
			call.Freed += out.Before - out.After
			call.Thinking += made.Advice.Thinking
			w.billSummaries(call, made, results)
			return nil
		},
	}
	switch {
	case w.o.Summarize != nil:
		host.Summarize = func(loop *core.Loop) ([]core.SummaryResult, error) {
			return w.o.Summarize(loop.Conversation(), loop.Plan())
		}
	case !w.o.isExtractive():
		host.Summarize = (*core.Loop).Summarize
	}
	_, changed, err := w.session.Compact(w.env, host)
	if e := (*msg.Error)(nil); errors.As(err, &e) && e.Code == msg.ContextOverflow {
		call.Error, call.Edits, call.Freed, call.Thinking = e.Msg, 0, 0, 0 // nothing of it is sent
		return nil
	}
	w.account.replaced = w.account.replaced || changed
	return err
}

// billSummaries records the tokens that the summarizer read and wrote. The input of a failed request is paid too.
func (w *replayer) billSummaries(call *Call, plan *core.Plan, results []core.SummaryResult) {
	price := w.prices.ofSummaries(w.report.Model)
	if w.o.isExtractive() {
		price = models.Price{}
	}
	read, long, written := 0, 0, 0 // long: tokens of requests with a long prompt
	for i := range plan.Requests {
		n := w.meter.Text(plan.Requests[i].System) + w.meter.Text(plan.Requests[i].User)
		read += n
		if price.IsLong(n) {
			long += n
		}
	}
	for i := range results {
		if results[i].Err == "" {
			written += w.meter.Text(results[i].Text)
			call.Summaries++
		}
	}
	call.SummaryTokens += read + written
	// The answers to long requests are charged at the price of short ones: they are a small part of the cost.
	call.SummaryCost += cost(price, bill{input: read - long}, written) + cost(price.At(long), bill{input: long}, 0)
}
