package core

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Outcome is one finished step. Next != nil: still above target, or a second level to do; go round again.
type Outcome struct {
	Conversation *msg.Conversation `json:"-"`
	State        State             `json:"state"`
	Actions      []Action          `json:"actions"` // each decision, the decision to do nothing too
	Before       int               `json:"before"`  // tokens
	After        int               `json:"after"`
	Next         *Plan             `json:"next,omitempty"`
}

// Apply carries out a plan. It checks the plan like any input, since it comes from outside: a plan of another
// conversation is stale_plan, one that no NewPlan could have made is bad_plan. Messages that came after the plan was
// made are kept as they are. c itself is not changed; the outcome shares its unchanged messages.
func Apply(c *msg.Conversation, st State, p Policy, env Env, plan *Plan, rs []SummaryResult) (*Outcome, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	memory, err := decodeState(st)
	if err != nil {
		return nil, err
	}
	if err := checkPlan(c, plan, rs); err != nil {
		return nil, err
	}
	meter := tokens.NewMeter(env.Count, c)
	before := meter.Conversation(c)
	out := &Outcome{Conversation: applyEdits(c, plan.Edits), State: st, Before: before.Total, After: before.Total}
	for _, span := range plan.Archive {
		for m := span.Start; m < span.End; m++ {
			out.After += meter.Message(&out.Conversation.Messages[m]) - before.Messages[m].Tokens
		}
	}
	out.Actions = append([]Action{}, plan.Decisions...)
	if len(plan.Edits) == 0 {
		out.Actions = append(out.Actions, Action{Kind: "none", Before: before.Total, After: before.Total, Reason: idle(plan)})
		return out, nil
	}
	memory.compactions++
	out.State = memory.encode()
	return out, nil
}

// idle says why a plan does nothing.
func idle(plan *Plan) string {
	switch {
	case plan.Trigger.Kind == "none":
		return "waiting: " + strconv.Itoa(plan.Trigger.Used) + " now, acts above " + strconv.Itoa(plan.Trigger.Limit)
	case len(plan.Decisions) == 0:
		return "there is nothing that this policy speaks of"
	}
	return "every block is protected, short, or cleared already"
}

// applyEdits returns the conversation after the edits. Messages without an edit are shared with c.
func applyEdits(c *msg.Conversation, edits []Edit) *msg.Conversation {
	if len(edits) == 0 {
		return c
	}
	messages := append([]msg.Message(nil), c.Messages...)
	for len(edits) > 0 {
		m := edits[0].Message
		blocks := make([]msg.Block, 0, len(c.Messages[m].Blocks))
		for b, block := range c.Messages[m].Blocks {
			if len(edits) == 0 || edits[0].Message != m || edits[0].Block != b {
				blocks = append(blocks, block)
				continue
			}
			switch edits[0].Kind {
			case pass.ClearResult:
				blocks = append(blocks, block.WithText(edits[0].Text))
			case pass.ClearInput:
				blocks = append(blocks, block.WithInput(edits[0].Text))
			case pass.DropThinking:
			}
			edits = edits[1:]
		}
		messages[m] = messages[m].WithBlocks(blocks)
	}
	return c.WithMessages(messages)
}
