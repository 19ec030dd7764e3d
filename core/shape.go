package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// This file places summaries in the conversation, by strategy and shape. Their fixed texts are in labels.go.

// headPosition returns the index at which a summary of the earlier conversation is inserted: after instructions and
// earlier summaries, never between a call and its result. c is the marked conversation that the plan was made for.
func headPosition(c *msg.Conversation) int {
	keep, inside := protectedMessages(c), pass.InsidePairs(c, msg.Pair(c))
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
		label = conversationLabel
	case a.p.Summary.Strategy != "whole":
		label = earlierLabel(count)
	case a.p.Summary.Shape == "harness":
		return []msg.Message{msg.TextMessage(msg.User, harnessLabel(Ref(Archive(a.c, a.plan)))+summary)}
	case a.isQuestionShape():
		return []msg.Message{msg.TextMessage(msg.User, question), msg.TextMessage(msg.Assistant, summary)}
	default:
		label = compressedLabel
	}
	messages := []msg.Message{msg.TextMessage(msg.User, label+summary)}
	if !a.assistantFollows(at) {
		messages = append(messages, msg.TextMessage(msg.Assistant, acknowledgement))
	}
	return messages
}

// isQuestionShape reports whether the summary is the assistant's answer to the fixed question.
func (a *applier) isQuestionShape() bool {
	return a.p.Summary.Strategy == "whole" && a.p.Summary.Shape == "question"
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
		block := a.c.At(ref).WithText(coveredNote)
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
			a.w.inPlace[ref] = coveredNote
		}
	}
}
