package apply

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/view"
)

// separateTurns inserts a user message where the removal of messages would leave a turn that calls tools next to
// another turn of the model, if the provider refuses that.
func (a *applier) separateTurns() {
	last := -1 // the kept message before, if it is the assistant's
	for m := 0; m < len(a.c.Messages) && a.callsFollowUser(); m++ {
		if len(a.w.Insert[m]) > 0 {
			last = -1
		}
		switch {
		case a.w.Removed[m]:
			continue
		case a.c.Messages[m].Role != msg.Assistant:
			last = -1
			continue
		case last >= 0 && last < m-1 && (view.HasTools(&a.c.Messages[last]) || view.HasTools(&a.c.Messages[m])):
			a.w.Insert[m] = append(a.w.Insert[m], msg.TextMessage(msg.User, marker.RepairOpening))
		}
		last = m
	}
}

// separateInstructions keeps system messages in the middle of the conversation in a place that the Messages API takes:
// behind a user message and before an assistant message, which it inserts in the place of one that is gone. Messages
// that are next to each other in the input stay. Source: Anthropic's page on mid-conversation system messages.
func (a *applier) separateInstructions() {
	if msg.API(a.c.Format) != msg.Anthropic {
		return
	}
	before := &msg.Message{Role: msg.Assistant} // the last message of another role
	var system *msg.Message                     // the last system message behind it
	changed := false                            // a message is new or gone since the last one that has content
	for m, kept := 0, -1; m <= len(a.c.Messages); m++ {
		if m == a.plan.Length && system != nil && len(a.w.Insert[m]) == 0 && (changed || kept < m-1) {
			a.followInstructions()
		}
		inserted := a.w.Insert[m]
		sequence := inserted
		if m < len(a.c.Messages) && !a.w.IsGone(m) {
			sequence = append(slices.Clip(inserted), a.c.Messages[m])
		}
		var all []msg.Message
		for i := range sequence {
			next, first := &sequence[i], len(all)
			changed = changed || len(inserted) > 0 || kept < m-1
			if next.IsSetting() {
				all = append(all, *next)
				continue
			}
			is := next.Role == msg.System && len(next.Blocks) > 0
			switch {
			case !changed:
			case is && system == nil && !before.PrecedesSystem():
				all = append(all, msg.TextMessage(msg.User, marker.RepairOpening))
			case system != nil && !next.FollowsSystem(system) && !a.userFollowed(kept):
				all = append(all, msg.TextMessage(msg.Assistant, marker.Acknowledgement))
			}
			for k := range a.wrote {
				if s := &a.wrote[k]; i == 0 && len(inserted) > 0 && s.at.Message == m && s.ordinal >= 0 {
					s.ordinal += len(all) - first
				}
			}
			all = append(all, *next)
			if changed, system = false, next; !is {
				before, system = next, nil
			}
		}
		if n := len(all) - len(sequence) + len(inserted); n > len(inserted) {
			a.w.Insert[m] = all[:n:n]
		}
		if len(sequence) > len(inserted) {
			kept = m
		}
	}
}

// followInstructions inserts messages between a system message, behind which all that the plan covers is gone, and the
// next message: a prompt, or the answer to one that is gone. Messages added after the plan was made are ignored, so
// that the outcome does not depend on them.
func (a *applier) followInstructions() {
	end := a.plan.Length
	a.w.Insert[end] = append(a.w.Insert[end], msg.TextMessage(msg.Assistant, marker.Acknowledgement))
	if a.c.Messages[end-1].Role != msg.Assistant {
		a.w.Insert[end] = append(a.w.Insert[end], msg.TextMessage(msg.User, marker.RepairOpening))
	}
}

// userFollowed reports that the input has a user message behind m and the system message that ends there, which its
// provider refuses anyway. Settings between them do not count.
func (a *source) userFollowed(m int) bool {
	messages := a.c.Messages
	if m < 0 || m+1 >= len(messages) || messages[m+1].Role != msg.User {
		return false
	}
	for m > 0 && messages[m].IsSetting() {
		m--
	}
	return messages[m].Role == msg.System
}
