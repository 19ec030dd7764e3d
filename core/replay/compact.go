package replay

import (
	"errors"

	"tamp/core"
	"tamp/core/msg"
)

// compact runs the loop of a host before a call: plan, summarize, apply, until no plan is left. It records the changes
// in the call.
func (w *replayer) compact(call *Call) error {
	if w.o.None || !w.session.Turn(w.env).Due {
		return nil
	}
	if err := w.spend(workOf(w.session.Counts().Total, len(w.session.Conversation().Messages)),
		call.Message); err != nil {
		return err
	}
	plan, err := w.session.Plan(w.env)
	var e *msg.Error
	switch {
	case errors.As(err, &e) && e.Code == msg.ContextOverflow:
		call.Error = e.Msg
		return nil
	case err != nil:
		return err
	}
	call.Trigger = plan.Trigger.Kind
	c, state := w.session.Conversation(), w.session.State()
	for plan != nil {
		results, err := w.summarize(c, plan)
		if err != nil {
			return err
		}
		out, err := core.Apply(c, state, *w.p, w.env, plan, results)
		if err != nil {
			return err
		}
		call.Edits += len(plan.Edits)
		call.Freed += out.Before - out.After
		w.billSummaries(call, plan, results)
		c, state, plan = out.Conversation, out.State, out.Next
		if plan == nil {
			break
		}
		if err := w.spend(workOf(out.After, len(c.Messages)), call.Message); err != nil {
			return err
		}
	}
	if c == w.session.Conversation() {
		return nil
	}
	w.changed = true
	return w.setConversation(c, state)
}

// summarize answers the requests of a plan.
func (w *replayer) summarize(c *msg.Conversation, plan *core.Plan) ([]core.SummaryResult, error) {
	switch {
	case len(plan.Requests) == 0:
		return nil, nil
	case w.o.Summarize != nil:
		return w.o.Summarize(c, plan)
	}
	return core.Summarize(c, *w.p, w.env, plan, nil)
}

// billSummaries records the tokens that the summarizer read and wrote. The input of a failed request is paid too.
func (w *replayer) billSummaries(call *Call, plan *core.Plan, results []core.SummaryResult) {
	read, written := 0, 0
	for i := range plan.Requests {
		read += w.reader.meter.Text(plan.Requests[i].System) + w.reader.meter.Text(plan.Requests[i].User)
	}
	for i := range results {
		if results[i].Err == "" {
			written += w.reader.meter.Text(results[i].Text)
			call.Summaries++
		}
	}
	call.SummaryTokens += read + written
	call.SummaryCost += cost(w.summary, bill{input: read}, written)
}
