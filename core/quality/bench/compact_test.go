package bench

import (
	"cmp"
	"os"
	"testing"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// preset is the preset under test: TAMP_PRESET, else the default.
func preset(t testing.TB) policy.Policy {
	p, err := policy.Preset(cmp.Or(os.Getenv("TAMP_PRESET"), policy.Default))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// withTarget returns the policy for a window in which the target is the given number of tokens, so that every share and
// length that scales with the window does. The limits stay at their shares of the window, with no buffer for the next
// request. A preset without a target gets it as the size of its trigger, and its summary half of it.
func withTarget(p policy.Policy, target int) policy.Policy {
	t := &p.Trigger
	if t.TargetPermille == 0 {
		t.Measure, t.Tokens, t.SoftPermille, t.HardPermille = "counter", target, 0, 0
		p.Summary.MaxTokens = max(target/2, 100)
		return p
	}
	t.Window = max(target*1000/t.TargetPermille, 1)
	t.Tokens, t.BufferTokens = 0, 0
	return p
}

// step is one compaction.
type step struct {
	before, after int // tokens
	overflow      bool
	regions       int // replaced by summaries
}

// compact plans, summarizes without a model and applies until nothing is left to do: the planner of the product. At
// most ten rounds are made, so that a plan that always asks for another one ends.
func compact(t testing.TB, c *msg.Conversation, st core.State, p policy.Policy) (*msg.Conversation, core.State, step) {
	env := core.Env{Count: counter, Lean: true}
	var s step
	loop, err := core.NewLoop(c, st, p, env)
	if e, is := err.(*msg.Error); is && e.Code == msg.ContextOverflow {
		s.overflow = true
		return c, st, s
	} else if err != nil {
		t.Fatal(err)
	}
	s.before, s.after = loop.Plan().Before, loop.Plan().Before
	for round := 0; round < 10 && loop.Plan() != nil; round++ {
		plan := loop.Plan()
		if len(plan.Edits)+len(plan.Requests) == 0 {
			break
		}
		results, err := loop.Summarize()
		if err != nil {
			t.Fatal(err)
		}
		out, err := loop.Apply(results)
		if e, is := err.(*msg.Error); is && e.Code == msg.ContextOverflow {
			s.overflow = true
			break
		} else if err != nil {
			t.Fatal(err)
		}
		s.regions += len(plan.Regions)
		s.after = out.After
	}
	return loop.Conversation(), loop.State(), s
}
