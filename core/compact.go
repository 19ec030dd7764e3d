package core

import (
	"errors"

	"tamp/core/msg"
	"tamp/core/policy"
)

// A Host does what the core does not: it stores originals and asks a model.
type Host struct {
	// Save stores originals (JSON Lines) before their round changes the conversation. Required if a plan removes any.
	Save func(originals []byte) error
	// Summarize answers the requests of a round that has any, each by its ID, in any order. A failed call is data: set
	// Err of its result. An error ends Compact. Nil: the core answers without a model.
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
	steps := Steps{
		Save: host.Save,
		Applied: func(_ *Plan, _ []SummaryResult, out *Outcome) error {
			last := all
			all = out
			return out.Join(last, c)
		},
	}
	if host.Save == nil {
		steps.Save = func([]byte) error {
			return msg.NewError(msg.BadRequest, "", "cannot compact: Host.Save is nil, and the plan removes originals")
		}
	}
	if host.Summarize != nil {
		steps.Summarize = func(loop *Loop) ([]SummaryResult, error) { return host.Summarize(loop.Plan().Requests) }
	}
	if err := loop.Run(steps); err != nil {
		return nil, err
	}
	return all, nil
}

// ErrWait ends a compaction without a change: its summaries are not available yet. Steps.Summarize returns it.
var ErrWait = errors.New("tamp: the summaries of this compaction are not available yet")

// Steps are the host's parts of a compaction. Each may be nil. An error ends the compaction.
type Steps struct {
	// Round is called before each round with the conversation to plan.
	Round func(c *msg.Conversation, size int) error
	// Planned is called with the plan of each round.
	Planned func(plan *Plan) error
	// Save stores the originals of a round (JSON Lines) before it changes the conversation.
	Save func(originals []byte) error
	// Summarize answers the requests of a round that has any; nil means Loop.Summarize, which needs no model. ErrWait
	// leaves the conversation unchanged, also by the rounds before.
	Summarize func(loop *Loop) ([]SummaryResult, error)
	// Applied is called after each round.
	Applied func(plan *Plan, results []SummaryResult, out *Outcome) error
	// Rewrite replaces the result of Session.Compact, for example by the same conversation, rendered and parsed. It gets
	// the conversation before and after.
	Rewrite func(before, after *msg.Conversation) (*msg.Conversation, error)
}

// Run does the rounds that are left, with the steps of a host. The errors are those of Apply and of the steps; the
// round does not end then.
func (l *Loop) Run(s Steps) error {
	for l.plan != nil {
		made := l.plan
		if s.Planned != nil {
			if err := s.Planned(made); err != nil {
				return err
			}
		}
		if s.Save != nil {
			if originals := l.Archive(); len(originals) > 0 {
				if err := s.Save(originals); err != nil {
					return err
				}
			}
		}
		results, err := l.answer(s)
		if err != nil {
			return err
		}
		out, err := l.Apply(results)
		if err != nil {
			return err
		}
		if s.Applied != nil {
			if err := s.Applied(made, results, out); err != nil {
				return err
			}
		}
		if out.Next != nil && s.Round != nil {
			if err := s.Round(out.Conversation, out.After); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Loop) answer(s Steps) ([]SummaryResult, error) {
	switch {
	case len(l.plan.Requests) == 0:
		return nil, nil
	case s.Summarize != nil:
		return s.Summarize(l)
	}
	return l.Summarize()
}

// Compact does before a model call what the policy asks for: plan, save, summarize and apply, until no plan is left. The
// session goes on with the result, and changed reports that it is another conversation. With Env.Force it compacts
// although no trigger fires, and the turn is empty.
//
// Besides the errors of the steps, the error is context_overflow if the policy cannot compact far enough. After any
// error the session is unchanged and can go on. The result after a number of calls depends only on the history, the
// policy and the summaries, not on when the calls were.
func (s *Session) Compact(env Env, steps Steps) (turn Turn, changed bool, err error) {
	env.Extractive = env.Extractive || steps.Summarize == nil
	if !env.Force {
		if turn = s.Turn(env); !turn.Due {
			return turn, false, nil
		}
	}
	before := s.Conversation()
	if steps.Round != nil {
		if err := steps.Round(before, s.Counts().Total); err != nil {
			return turn, false, err
		}
	}
	loop, err := s.Loop(env)
	if err == nil {
		err = loop.Run(steps)
	}
	if errors.Is(err, ErrWait) {
		return turn, false, nil
	}
	if err != nil || loop.c == before {
		return turn, false, err
	}
	after := loop.c
	if steps.Rewrite != nil {
		if after, err = steps.Rewrite(before, after); err != nil {
			return turn, false, err
		}
	}
	err = s.Replace(after, loop.state)
	return turn, err == nil, err
}
