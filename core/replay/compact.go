package replay

import (
	"errors"

	"tamp/core"
	"tamp/core/fold"
	"tamp/core/models"
	"tamp/core/msg"
)

// compact runs the compaction of a host before a call, and records the changes in the call.
func (w *replayer) compact(call *Call) error {
	if w.o.None {
		return nil
	}
	steps := fold.Steps{
		Round: func(c *msg.Conversation, tokens int) error {
			return w.spend(workOf(tokens, len(c.Messages)), call.Message)
		},
		Planned: func(plan *core.Plan) { call.Trigger = plan.Trigger.Kind },
		Applied: func(plan *core.Plan, results []core.SummaryResult, out *core.Outcome) {
			call.Edits += len(plan.Edits)
			call.Freed += out.Before - out.After
			call.Thinking += plan.Advice.Thinking
			w.billSummaries(call, plan, results)
		},
	}
	switch {
	case w.o.Summarize != nil:
		steps.Summarize = func(loop *core.Loop) ([]core.SummaryResult, error) {
			return w.o.Summarize(loop.Conversation(), loop.Plan())
		}
	case !w.o.isExtractive():
		steps.Summarize = (*core.Loop).Summarize
	}
	w.fold.SetIdle(w.env.IdleSec)
	changed, err := w.fold.Compact(steps)
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
