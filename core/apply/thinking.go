package apply

import (
	"slices"
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/validity"
	"tamp/core/view"
)

// bindThinking applies these rules to the rewrite, if the model binds thinking and the provider is not asked to drop
// it. It may be called again after further changes.
func (a *applier) bindThinking(thinking string) error {
	if !validity.BindsThinking(a.c) || thinking == plan.DropBlock {
		return nil
	}
	first, bound := view.BoundThinking(a.c, a.w.FirstChange(), func(ref msg.Ref) bool {
		return a.w.Removed[ref.Message] || a.w.Edits[ref] != nil
	})
	if len(bound) == 0 {
		return nil
	}
	last := bound[len(bound)-1]
	if last.Message >= a.plan.Length {
		return msg.NewError(msg.StalePlan, "/plan/base", "cannot apply: thinking that was added after the plan was made is "+
			"bound to text that the plan changes; make a new plan")
	}
	if last.Message >= msg.OpenRound(a.c) {
		a.cancelEditsBefore(last)
		return nil
	}
	saved := make([]bool, a.plan.Length)
	for _, s := range a.plan.Archive {
		for m := s.Start; m < s.End; m++ {
			saved[m] = true
		}
	}
	tokens := 0
	for _, ref := range bound {
		if !saved[ref.Message] {
			return badPlan("/plan/archive",
				"message "+strconv.Itoa(ref.Message)+" is not in the archive, and loses thinking that is bound to changed text")
		}
		edit := plan.DropBound(ref, first, a.before.Messages[ref.Message].Blocks[ref.Block])
		a.w.Edits[ref] = edit
		tokens += edit.Tokens
	}
	a.actions = append(a.actions, plan.ThinkingDropped(a.c.Messages[first.Message].Path, plan.ByTamp, len(bound), tokens))
	return nil
}

// cancelEditsBefore cancels all changes before thinking of the open round: edits, inserted summaries, and messages that
// truncateFailed dropped.
func (a *applier) cancelEditsBefore(thinking msg.Ref) {
	a.openRoundBound = true
	paths := map[string]bool{} // of the blocks whose edits are cancelled
	for ref := range a.w.Edits {
		if view.IsAfter(thinking, ref) {
			paths[a.c.At(ref).Path] = true
			delete(a.w.Edits, ref)
		}
	}
	clear(a.w.InPlace)
	clear(a.w.Removed)
	clear(a.w.Insert)
	a.actions = slices.DeleteFunc(a.actions, func(action plan.Action) bool { return action.Kind == "thinking_dropped" })
	for i := range a.actions {
		switch action := &a.actions[i]; action.Kind {
		case "failed", "keep", "none":
		default:
			if action.Kind == "summarize" || action.Kind == "truncate" || paths[action.Path] {
				action.Kind, action.After, action.Reason = "keep", action.Before, plan.OpenReason
			}
		}
	}
}
