package core

import (
	"strconv"
	"unicode/utf8"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// A plan comes from outside. These are the rules that every plan of NewPlan obeys; one that breaks any is refused.

// checkPlan refuses a plan that is stale or that no NewPlan could have made, and results that answer nothing.
func checkPlan(c *msg.Conversation, plan *Plan, rs []SummaryResult) error {
	if plan == nil {
		return msg.NewError(msg.BadPlan, "/plan", "cannot apply: there is no plan")
	}
	if plan.Length < 0 || plan.Length > len(c.Messages) || digest(c.Messages[:plan.Length]) != plan.Base {
		return msg.NewError(msg.StalePlan, "/plan/base", "cannot apply: the plan was made for another conversation; make a new one")
	}
	if len(plan.Requests) > 0 {
		return badPlan("/plan/requests", "this policy asks for no summaries")
	}
	if len(rs) > 0 {
		return msg.NewError(msg.BadRequest, "/results/0", "cannot apply: the result answers no request of the plan")
	}
	if err := checkArchive(plan); err != nil {
		return err
	}
	open := msg.OpenRound(c)
	for i := range plan.Edits {
		e := &plan.Edits[i]
		at := "/plan/edits/" + strconv.Itoa(i)
		switch {
		case e.Message < 0 || e.Message >= plan.Length || e.Block < 0 || e.Block >= len(c.Messages[e.Message].Blocks):
			return badPlan(at, "the block does not exist")
		case i > 0 && !after(e.Ref(), plan.Edits[i-1].Ref()):
			return badPlan(at, "edits must be in document order, one a block")
		case !archived(plan.Archive, e.Message):
			return badPlan(at, "the message is not in the archive")
		}
		if why := checkEdit(c, e, open); why != "" {
			return badPlan(at, why)
		}
	}
	for i := range plan.Edits {
		if m := plan.Edits[i].Message; plan.Edits[i].Kind == pass.DropThinking && emptied(c, plan.Edits[i:], m) {
			return badPlan("/plan/edits/"+strconv.Itoa(i), "it would leave an empty message")
		}
	}
	return nil
}

// checkEdit says what is wrong with an edit of a block that exists, or nothing.
func checkEdit(c *msg.Conversation, e *Edit, open int) string {
	block := c.At(e.Ref())
	switch e.Kind {
	case pass.ClearResult:
		switch {
		case block.Kind != msg.KindToolResult || block.Server:
			return "it is not a tool result"
		case e.Text == "":
			return "the placeholder is empty"
		case !block.HasMedia() && utf8.RuneCountInString(e.Text) > utf8.RuneCountInString(block.Text):
			return "the placeholder is longer than what it replaces"
		}
	case pass.ClearInput:
		switch {
		case block.Kind != msg.KindToolUse || block.Server:
			return "it is not a tool call"
		case e.Text != "{}":
			return "a cleared input is {}"
		case e.Message >= open:
			return "the tool round is still open"
		}
	case pass.DropThinking:
		switch {
		case block.Kind != msg.KindThinking:
			return "it is not thinking"
		case e.Message >= open:
			return "the tool round is still open"
		}
	default:
		return "its kind is unknown"
	}
	return ""
}

// checkArchive checks that spans are in order, apart, and within the plan.
func checkArchive(plan *Plan) error {
	end := 0
	for i, s := range plan.Archive {
		if s.Start < end || s.End <= s.Start || s.End > plan.Length {
			return badPlan("/plan/archive/"+strconv.Itoa(i), "spans must be in order, not overlap, and lie within the plan")
		}
		end = s.End
	}
	return nil
}

// emptied reports whether the edits that begin at the first of message m would drop every block of it.
func emptied(c *msg.Conversation, edits []Edit, m int) bool {
	dropped := 0
	for i := range edits {
		if edits[i].Message != m {
			break
		}
		if edits[i].Kind == pass.DropThinking {
			dropped++
		}
	}
	return dropped >= len(c.Messages[m].Blocks)
}

func archived(spans []Span, message int) bool {
	for _, s := range spans {
		if s.Start <= message && message < s.End {
			return true
		}
	}
	return false
}

func after(a, b msg.Ref) bool {
	return a.Message > b.Message || a.Message == b.Message && a.Block > b.Block
}

func badPlan(path, why string) error {
	return msg.NewError(msg.BadPlan, path, "cannot apply: "+why)
}
