package core

import (
	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/validity"
)

// This file places summaries in the conversation, by strategy and shape. Their fixed texts are in labels.go.

// headPosition returns the index at which a summary of the earlier conversation is inserted: after instructions and
// earlier summaries, never between a call and its result. c is the marked conversation that the plan was made for,
// pairs its pairing.
func headPosition(c *msg.Conversation, pairs msg.Pairing) int {
	keep, inside := protectedMessages(c, pairs), pass.InsidePairs(c, pairs)
	m := 0
	for m < len(c.Messages) && (keep[m] || inside[m]) {
		m++
	}
	for m = min(m, msg.OpenRound(c)); inside[m]; { // an unanswered call: insert before it
		m--
	}
	return m
}

// headMessages writes the summary of the earlier conversation. count is the number of messages it replaces.
func (a *applier) headMessages(summary string, count, at int) []msg.Message {
	var label string
	switch {
	case a.p.Summary.Strategy == "chunks":
		label = marker.ConversationLabel
	case a.p.Summary.Strategy != "whole":
		label = marker.EarlierLabel(count)
	case a.p.Summary.Shape == "harness":
		return []msg.Message{msg.TextMessage(msg.User, marker.HarnessLabel(Ref(Archive(a.c, a.plan)))+summary)}
	case a.isQuestionShape():
		return []msg.Message{msg.TextMessage(msg.User, marker.SummaryQuestion), msg.TextMessage(msg.Assistant, summary)}
	default:
		label = marker.CompressedLabel
	}
	messages := []msg.Message{msg.TextMessage(msg.User, label+summary)}
	if !a.assistantFollows(at) && !a.noneOfAssistant() {
		messages = append(messages, msg.TextMessage(msg.Assistant, marker.Acknowledgement))
	}
	return messages
}

// isQuestionShape reports whether the summary is the assistant's answer to the fixed question.
func (a *applier) isQuestionShape() bool {
	return a.p.Summary.Strategy == "whole" && a.p.Summary.Shape == "question" && !a.noneOfAssistant()
}

// noneOfAssistant reports whether no message of the assistant may be made up: the provider asks for its reasoning, or
// refuses the turn after it.
func (a *applier) noneOfAssistant() bool { return a.callsFollowUser() || validity.AsksReasoning(a.c) }

// callsFollowUser reports whether the provider refuses a turn that calls tools after another turn of the model: Gemini.
// There, no summary ends with words of the assistant, since the next turn may be such a one.
func (a *applier) callsFollowUser() bool { return msg.API(a.c.Format) == msg.Gemini }

// separateTurns inserts a user message where the removal of messages would leave a turn that calls tools next to
// another turn of the model, if the provider refuses that.
func (a *applier) separateTurns() {
	last := -1 // the kept message before, if it is the assistant's
	for m := 0; m < len(a.c.Messages) && a.callsFollowUser(); m++ {
		if len(a.w.insert[m]) > 0 {
			last = -1
		}
		switch {
		case a.w.removed[m]:
			continue
		case a.c.Messages[m].Role != msg.Assistant:
			last = -1
			continue
		case last >= 0 && last < m-1 && (hasTools(&a.c.Messages[last]) || hasTools(&a.c.Messages[m])):
			a.w.insert[m] = append(a.w.insert[m], msg.TextMessage(msg.User, marker.RepairOpening))
		}
		last = m
	}
}

// separateInstructions inserts an assistant message where a user message newly follows a system message in the middle
// of the conversation: the Messages API refuses that. One that a user message followed before is left as it is.
// Source: Anthropic's page on mid-conversation system messages.
func (a *applier) separateInstructions() {
	if msg.API(a.c.Format) != msg.Anthropic {
		return
	}
	const none = -1
	for m, last := 0, none; m <= len(a.c.Messages); m++ { // last: the kept message before, if it is a system message
		inserted := a.w.insert[m]
		user := len(inserted) > 0 && inserted[0].Role == msg.User
		if len(inserted) == 0 && m < len(a.c.Messages) {
			if a.w.removed[m] {
				continue
			}
			user = a.c.Messages[m].Role == msg.User && last < m-1
		}
		if user && last != none {
			note := msg.TextMessage(msg.Assistant, marker.Acknowledgement)
			a.w.insert[m] = append([]msg.Message{note}, inserted...)
			for i := range a.wrote {
				if s := &a.wrote[i]; s.at.Message == m && s.ordinal >= 0 {
					s.ordinal++
				}
			}
		}
		if last = none; m < len(a.c.Messages) && !a.w.removed[m] && a.c.Messages[m].Role == msg.System &&
			len(a.c.Messages[m].Blocks) > 0 && (m+1 == len(a.c.Messages) || a.c.Messages[m+1].Role != msg.User) {
			last = m
		}
	}
}

// assistantFollows reports whether the next kept message, from at on, is the assistant's: then no acknowledgement is
// needed before it. Messages added after the plan was made are ignored, so that the outcome does not depend on them.
func (a *applier) assistantFollows(at int) bool {
	for m := at; m < a.plan.Length; m++ {
		if !a.w.removed[m] {
			return a.c.Messages[m].Role == msg.Assistant
		}
	}
	return false
}

// costInPlace returns the tokens of a region's blocks after inPlace.
func (a *applier) costInPlace(blocks []msg.Ref, text string) int {
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
			a.w.inPlace[ref] = text
		} else {
			a.w.inPlace[ref] = marker.CoveredNote
		}
	}
}
