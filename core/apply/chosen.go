package apply

import (
	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/view"
)

// This file applies a plan that removes or summarizes what the host chose (plan.Chosen).

// policyOf returns the policy under which a plan is applied.
func policyOf(p *policy.Policy, pl *plan.Plan) *policy.Policy {
	if pl != nil && pl.Trigger.Kind == plan.ChosenSummaries {
		return p.Bounded()
	}
	return p
}

// isChosen reports whether the plan is one of what the host chose.
func (a *applier) isChosen() bool { return a.drops || a.plan.Trigger.Kind == plan.ChosenSummaries }

// dropMessages removes the messages of which nothing is left, and begins with a user message if the conversation did.
func (a *applier) dropMessages() {
	for i := range a.plan.Edits {
		if e := &a.plan.Edits[i]; e.Kind == pass.Drop {
			a.drops = true
			a.w.Removed[e.Message] = a.w.IsGone(e.Message)
		}
	}
	for m := 0; a.drops && m <= len(a.c.Messages); m++ {
		switch {
		case m < len(a.c.Messages) && (a.c.Messages[m].Role == msg.System || a.c.Messages[m].IsSetting()):
		case m == len(a.c.Messages), !a.w.Removed[m] && a.c.Messages[m].Role == msg.Assistant:
			if m > 0 {
				a.w.Insert[m] = append(a.w.Insert[m], msg.TextMessage(msg.User, marker.RepairOpening))
			}
			return
		case !a.w.Removed[m]:
			return
		}
	}
}

// nextEnv returns the environment of the plan after this one: Usage counted the conversation before this Apply, and the
// blocks that the host keeps have other positions.
func (a *applier) nextEnv(env *plan.Env) plan.Env {
	next := *env
	next.Usage, next.Force, next.Chosen = nil, false, nil
	var keep []msg.Ref
	for _, r := range a.plan.Keep {
		if a.w.Removed[r.Message] || a.isRemoved(r) {
			continue
		}
		at := msg.Ref{Message: a.w.Starts[r.Message] + len(a.w.Insert[r.Message])}
		for b := range r.Block {
			if !a.isRemoved(msg.Ref{Message: r.Message, Block: b}) {
				at.Block++
			}
		}
		keep = append(keep, at)
	}
	if len(keep) > 0 {
		next.Chosen = &plan.Chosen{Keep: keep}
	}
	return next
}

func (a *applier) isRemoved(r msg.Ref) bool {
	e := a.w.Edits[r]
	return e != nil && e.Kind.Removes()
}

// planRest returns the plan of what is left; nil if it changes nothing.
func (a *applier) planRest(out *Outcome, env *plan.Env, m *view.Record) *plan.Plan {
	next := a.nextEnv(env)
	next.Force = env.Force
	pl, err := plan.New(out.Conversation, out.State, a.own, &next)
	if err != nil || len(pl.Regions) == 0 && len(pl.Edits) == 0 {
		return nil
	}
	return pl
}
