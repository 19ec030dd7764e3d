package core

import (
	"tamp/core/msg"
	"tamp/core/policy"
)

// A Host does what the core does not: it stores originals and asks a model.
type Host struct {
	// Save stores originals (JSON Lines) before their round changes the conversation. Required if a plan removes any.
	Save func(originals []byte) error
	// Summarize answers the requests of a round, each by its ID, in any order. A failed call is data: set Err of its
	// result. An error ends Compact. Nil: the core answers without a model.
	Summarize func(requests []SummaryRequest) ([]SummaryResult, error)
}

// Compact compacts a conversation in as many rounds as it needs: NewPlan, Save, Summarize, Apply, while Outcome.Next is
// set. Call it before each model call, then send the conversation and store the State of the result.
//
// The Outcome is that of all rounds together: from the given conversation to the last one. The errors are those of
// NewPlan and Apply, of Host, and bad_request if Save is nil and a plan removes something. The given conversation does
// not change.
func Compact(c *msg.Conversation, st State, p policy.Policy, env Env, host Host) (*Outcome, error) {
	env.Extractive = env.Extractive || host.Summarize == nil
	loop, err := NewLoop(c, st, p, env)
	if err != nil {
		return nil, err
	}
	var all *Outcome
	for loop.Plan() != nil {
		out, err := host.round(loop)
		if err != nil {
			return nil, err
		}
		if err := out.Join(all, c); err != nil {
			return nil, err
		}
		all = out
	}
	return all, nil
}

// round does one round of a loop.
func (h Host) round(loop *Loop) (*Outcome, error) {
	if originals := loop.Archive(); len(originals) > 0 {
		if h.Save == nil {
			return nil, msg.NewError(msg.BadRequest, "", "cannot compact: Host.Save is nil, and the plan removes originals")
		}
		if err := h.Save(originals); err != nil {
			return nil, err
		}
	}
	summarize := h.Summarize
	if summarize == nil {
		summarize = func([]SummaryRequest) ([]SummaryResult, error) { return loop.Summarize() }
	}
	results, err := summarize(loop.Plan().Requests)
	if err != nil {
		return nil, err
	}
	return loop.Apply(results)
}
