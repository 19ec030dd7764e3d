package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// How a summary stands in the conversation, by strategy and shape. The texts are in labels.go.

// headPosition is where a summary of the earlier conversation goes: behind instructions and earlier summaries, never
// between a call and its result. c is the marked conversation that the plan was made for.
func headPosition(c *msg.Conversation) int {
	keep, inside := protectedMessages(c), pass.InsidePairs(c, msg.Pair(c))
	m := 0
	for m < len(c.Messages) && (keep[m] || inside[m]) {
		m++
	}
	for m = min(m, msg.OpenRound(c)); inside[m]; { // a call that still waits: before it
		m--
	}
	return m
}

// headMessages writes the summary of the earlier conversation. count is how many messages it stands for.
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

// isQuestionShape reports that the summary is the assistant's answer to the fixed question.
func (a *applier) isQuestionShape() bool {
	return a.p.Summary.Strategy == "whole" && a.p.Summary.Shape == "question"
}

// assistantFollows reports that the next message that stays, from at on, is the assistant's: it needs no acknowledgement
// before it. What came after the plan was made does not count, so that the outcome is the same with it and without.
func (a *applier) assistantFollows(at int) bool {
	for m := at; m < a.plan.Length; m++ {
		if !a.w.removed[m] {
			return a.c.Messages[m].Role == msg.Assistant
		}
	}
	return false
}

// costInPlace counts the blocks of a region as inPlace leaves them.
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

// inPlace puts a summary into the blocks that it stands for: the first holds it, the others name it.
func (a *applier) inPlace(blocks []msg.Ref, text string) {
	for i, ref := range blocks {
		if i == 0 {
			a.w.inPlace[ref] = text
		} else {
			a.w.inPlace[ref] = coveredNote
		}
	}
}
