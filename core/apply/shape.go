package apply

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// This file places summaries in the conversation, by strategy and shape. Their fixed texts are in labels.go.

// headMessages writes the summary of the earlier conversation. count is the number of messages it replaces.
func (a *applier) headMessages(summary string, count, at int) []msg.Message {
	var label string
	switch {
	case a.p.Summary.Strategy == "chunks":
		label = marker.ConversationLabel
	case a.p.Summary.Strategy != "whole":
		label = marker.EarlierLabel(count)
	case a.p.Summary.Shape == "harness":
		label = marker.HarnessLabel(a.archiveRef())
	case a.isQuestionShape():
		return []msg.Message{msg.TextMessage(msg.User, marker.SummaryQuestion), msg.TextMessage(msg.Assistant, summary)}
	default:
		label = marker.CompressedLabel
	}
	messages := []msg.Message{msg.TextMessage(msg.User, label+summary)}
	if a.p.Summary.Strategy == "whole" {
		left := a.planned(a.before.Total - a.w.Saved(a.meter, a.before))
		a.addUnread(&messages[0], left+a.meter.Message(&messages[0]))
	}
	if a.p.Summary.Shape == "harness" && a.p.Summary.Strategy == "whole" {
		return messages
	}
	if !a.assistantFollows(at) && !a.noneOfAssistant() {
		messages = append(messages, msg.TextMessage(msg.Assistant, marker.Acknowledgement))
	}
	return messages
}

// assistantFollows reports whether the next kept message, from at on, is the assistant's, or a system message of the
// Messages API, which follows a user message, or none is kept and the assistant's is to come: then no acknowledgement
// is needed before it. Messages added after the plan was made are ignored, so that the outcome does not depend on them.
func (a *applier) assistantFollows(at int) bool {
	for m := at; m < a.plan.Length; m++ {
		if !a.w.Removed[m] {
			role := a.c.Messages[m].Role
			return role == msg.Assistant || role == msg.System && msg.API(a.c.Format) == msg.Anthropic
		}
	}
	return a.c.Messages[a.plan.Length-1].Role != msg.Assistant
}

// costInPlace returns the tokens of a region's blocks after inPlace.
func (a *source) costInPlace(blocks []msg.Ref, text string) int {
	cost := 0
	for i, ref := range blocks {
		block := a.c.At(ref).WithText(marker.CoveredNote)
		if i == 0 {
			block = a.c.At(ref).WithText(text)
		}
		cost += a.meter.Block(&block)
	}
	return cost
}

// inPlace replaces the first block of a region by its summary and the others by a note.
func (a *applier) inPlace(blocks []msg.Ref, text string) {
	for i, ref := range blocks {
		if i == 0 {
			a.w.InPlace[ref] = text
		} else {
			a.w.InPlace[ref] = marker.CoveredNote
		}
	}
}
