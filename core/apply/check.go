package apply

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/validity"
	"tamp/core/view"
)

// A plan is untrusted input. Every plan of NewPlan obeys these rules; a plan that breaks one is refused.

// checkPlan refuses a stale plan, a plan that NewPlan cannot have made, and results that answer no request.
//
// read is c with its summaries marked, and its digest if that is known. Without marks (the caller has no State and
// replaces nothing) checkPlan does not check which blocks of regions are summaries.
func checkPlan(c *msg.Conversation, read *view.Snapshot, k *view.Cache, p *policy.Policy, pl *plan.Plan,
	rs []plan.SummaryResult) error {
	if pl == nil {
		return msg.NewError(msg.BadPlan, "/plan", "cannot apply: there is no plan")
	}
	if pl.Length < 0 || pl.Length > len(c.Messages) || digestOfFirst(pl.Length, c, read) != pl.Base {
		return msg.NewError(msg.StalePlan, "/plan/base",
			"cannot apply: the plan was made for another conversation; make a new plan")
	}
	isMarked, marked := read.Marked != nil, c
	if isMarked {
		marked = read.Marked
	}
	head := marked.WithMessages(marked.Messages[:pl.Length:pl.Length]) // the messages that NewPlan read
	if err := checkArchive(pl); err != nil {
		return err
	}
	for i, r := range pl.Keep {
		if r.Message < 0 || r.Message >= pl.Length || r.Block < 0 || r.Block >= len(c.Messages[r.Message].Blocks) {
			return badPlan("/plan/keep/"+strconv.Itoa(i), "the block does not exist")
		}
	}
	open, dropsOpen := msg.OpenRound(head), view.MayDropOpenThinking(head)
	for i := range pl.Edits {
		e := &pl.Edits[i]
		at := "/plan/edits/" + strconv.Itoa(i)
		switch {
		case e.Message < 0 || e.Message >= pl.Length || e.Block < 0 || e.Block >= len(c.Messages[e.Message].Blocks):
			return badPlan(at, "the block does not exist")
		case i > 0 && !view.IsAfter(e.Ref(), pl.Edits[i-1].Ref()):
			return badPlan(at, "edits must be in document order, at most one for each block")
		case !archived(pl.Archive, e.Message):
			return badPlan(at, "the message is not in the archive")
		}
		if why := checkEdit(c, e, open, dropsOpen); why != "" {
			return badPlan(at, why)
		}
	}
	if err := checkRegions(c, head, k, isMarked, p, pl); err != nil {
		return err
	}
	return checkResults(pl, rs)
}

// digestOfFirst returns the digest of the first n messages of c.
func digestOfFirst(n int, c *msg.Conversation, read *view.Snapshot) view.Digest {
	if read.Digest != "" && n == len(c.Messages) {
		return read.Digest
	}
	return view.DigestOf(c.Messages[:n])
}

// checkResults refuses results that answer no request of the plan, and two results for one request.
func checkResults(pl *plan.Plan, rs []plan.SummaryResult) error {
	asked := map[string]bool{}
	for i, r := range pl.Requests {
		if asked[r.ID] {
			return badPlan("/plan/requests/"+strconv.Itoa(i), "two requests have the same id")
		}
		asked[r.ID] = true
	}
	answered := map[string]bool{}
	for i, r := range rs {
		at := "/results/" + strconv.Itoa(i)
		if !asked[r.ID] {
			return msg.NewError(msg.BadRequest, at, "cannot apply: the result answers no request of the plan")
		}
		if answered[r.ID] {
			return msg.NewError(msg.BadRequest, at, "cannot apply: the request is answered twice")
		}
		answered[r.ID] = true
	}
	return nil
}

// checkEdit returns the defect of an edit of an existing block, or "". dropsOpen says that thinking of the open round
// may go.
func checkEdit(c *msg.Conversation, e *pass.Edit, open int, dropsOpen bool) string {
	block := c.At(e.Ref())
	switch e.Kind {
	case pass.ClearResult:
		if block.Kind != msg.KindToolResult || block.Server {
			return "the block is not a tool result"
		}
		if !block.HasMedia() || e.Text == "" {
			return checkShorter(block, e.Text)
		}
	case pass.LimitOutput:
		if block.Kind != msg.KindToolResult || block.Server {
			return "the block is not a tool result"
		}
		return checkShorter(block, e.Text)
	case pass.OversizeInput, pass.ShortenPrompt:
		if block.Kind != msg.KindText || c.Messages[e.Message].Role != msg.User {
			return "the block is not a text of the user"
		}
		return checkShorter(block, e.Text)
	case pass.ShortenAnswer:
		if block.Kind != msg.KindText || c.Messages[e.Message].Role != msg.Assistant || e.Message >= open {
			return "the block is not a text of the assistant before the open round"
		}
		return checkShorter(block, e.Text)
	case pass.ClearInput:
		switch {
		case block.Kind != msg.KindToolUse || block.Server:
			return "the block is not a tool call"
		case e.Text != "{}":
			return "a cleared input is {}"
		case e.Message >= open:
			return "the tool round is still open"
		}
	case pass.DropThinking:
		switch {
		case block.Kind != msg.KindThinking:
			return "the block is not thinking"
		case validity.AsksReasoning(c):
			return "the provider asks the reasoning back"
		case e.Message >= open && !dropsOpen:
			return "the tool round is still open"
		}
	case pass.Drop: // verify refuses what the provider would
		if m := &c.Messages[e.Message]; view.IsInstruction(m) || m.IsSetting() {
			return "the block is an instruction"
		}
	default:
		return "the kind of the edit is unknown"
	}
	return ""
}

// checkShorter refuses a text that is empty or does not shrink.
func checkShorter(block *msg.Block, text string) string {
	switch {
	case text == "":
		return "the placeholder is empty"
	case !pass.Shrinks(block.Text, text):
		return "the placeholder is longer than the text that it replaces"
	}
	return ""
}
