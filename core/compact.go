package core

import (
	"errors"

	"tamp/core/msg"
	"tamp/core/policy"
)

// ErrWait ends a compaction without a change: its summaries are not available yet. Host.Summarize returns it.
var ErrWait = errors.New("tamp: the summaries of this compaction are not available yet")

// A Host does what the core does not: it stores originals and asks a model. Each function may be nil. An error of one
// ends the compaction.
type Host struct {
	// Save stores the originals of a round (JSON Lines) before it changes the conversation. Nil loses them, which the
	// function Compact refuses.
	Save func(originals []byte) error
	// Summarize answers the requests of a round that has any, each by its ID, in any order. A failed call is data: set
	// Err of its result. Nil: Loop.Summarize, which needs no model. ErrWait leaves the conversation of a Session
	// unchanged, also by the rounds before.
	Summarize func(loop *Loop) ([]SummaryResult, error)
	// Rewrite replaces the result of Session.Compact, for example by the same conversation, rendered and parsed. It gets
	// the conversation before and after.
	Rewrite func(before, after *msg.Conversation) (*msg.Conversation, error)

	// Round is called before each round with the conversation to plan and its tokens, Planned with the plan, and Applied
	// after the round.
	Round   func(c *msg.Conversation, size int) error
	Planned func(plan *Plan) error
	Applied func(plan *Plan, results []SummaryResult, out *Outcome) error
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
	if host.Save == nil {
		host.Save = func([]byte) error {
			return msg.NewError(msg.BadRequest, "", "cannot compact: Host.Save is nil, and the plan removes originals")
		}
	}
	return loop.RunAll(host)
}

// RunAll is Run, with the outcome of all rounds together.
func (l *Loop) RunAll(host Host) (*Outcome, error) {
	var all *Outcome
	c, applied := l.c, host.Applied
	host.Applied = func(made *Plan, results []SummaryResult, out *Outcome) error {
		if applied != nil {
			if err := applied(made, results, out); err != nil {
				return err
			}
		}
		before := all
		all = out
		return out.Join(before, c)
	}
	if err := l.Run(host); err != nil {
		return nil, err
	}
	return all, nil
}

// Run does the rounds that are left, with the functions of a host. The errors are those of Apply and of the host;
// the round does not end then.
func (l *Loop) Run(host Host) error {
	for l.plan != nil {
		made := l.plan
		if host.Planned != nil {
			if err := host.Planned(made); err != nil {
				return err
			}
		}
		if host.Save != nil {
			if originals := l.Archive(); len(originals) > 0 {
				if err := host.Save(originals); err != nil {
					return err
				}
			}
		}
		results, err := l.answer(host)
		if err != nil {
			return err
		}
		out, err := l.Apply(results)
		if err != nil {
			return err
		}
		if host.Applied != nil {
			if err := host.Applied(made, results, out); err != nil {
				return err
			}
		}
		if out.Next != nil && host.Round != nil {
			if err := host.Round(out.Conversation, out.After); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Loop) answer(host Host) ([]SummaryResult, error) {
	switch {
	case len(l.plan.Requests) == 0:
		return nil, nil
	case host.Summarize != nil:
		return host.Summarize(l)
	}
	return l.Summarize()
}

// Compact does before a model call what the policy asks for: plan, save, summarize and apply, until no plan is left.
// The session goes on with the result, and changed reports that it is another conversation. With Env.Force it compacts
// although no trigger fires, and the turn is empty.
//
// Besides the errors of the host, the error is context_overflow if the policy cannot compact far enough. After any
// error the session is unchanged and can go on. The result after a number of calls depends only on the history, the
// policy and the summaries, not on when the calls were.
func (s *Session) Compact(env Env, host Host) (turn Turn, changed bool, err error) {
	env.Extractive = env.Extractive || host.Summarize == nil
	if !env.Force {
		if turn = s.Turn(env); !turn.Due {
			return turn, false, nil
		}
	}
	before := s.Conversation()
	if host.Round != nil {
		if err := host.Round(before, s.Counts().Total); err != nil {
			return turn, false, err
		}
	}
	loop, err := s.Loop(env)
	if err == nil {
		err = loop.Run(host)
	}
	if errors.Is(err, ErrWait) {
		return turn, false, nil
	}
	if err != nil || loop.c == before {
		return turn, false, err
	}
	after := loop.c
	if host.Rewrite != nil {
		if after, err = host.Rewrite(before, after); err != nil {
			return turn, false, err
		}
	}
	err = s.Replace(after, loop.state)
	return turn, err == nil, err
}
