package core

import (
	"slices"

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

// separateInstructions keeps system messages in the middle of the conversation in a place that the Messages API takes:
// behind a user message and before an assistant message, which it inserts where the one that was there is gone. What is
// next to each other in the input stays as it is. Source: Anthropic's page on mid-conversation system messages.
func (a *applier) separateInstructions() {
	if msg.API(a.c.Format) != msg.Anthropic {
		return
	}
	before, system := &msg.Message{}, false // the last message of another role, and whether a system message follows it
	changed := false                        // a message is new or gone since the last one that has content
	for m, kept := 0, -1; m <= len(a.c.Messages); m++ {
		inserted := a.w.insert[m]
		sequence := inserted
		if m < len(a.c.Messages) && !a.w.isGone(m) {
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
			case is && !system && !precedesSystem(before):
				all = append(all, msg.TextMessage(msg.User, marker.RepairOpening))
			case system && next.Role == msg.User && !a.userFollowed(kept):
				all = append(all, msg.TextMessage(msg.Assistant, marker.Acknowledgement))
			}
			for k := range a.wrote {
				if s := &a.wrote[k]; i == 0 && len(inserted) > 0 && s.at.Message == m && s.ordinal >= 0 {
					s.ordinal += len(all) - first
				}
			}
			all = append(all, *next)
			if changed, system = false, is; !is {
				before = next
			}
		}
		if n := len(all) - len(sequence) + len(inserted); n > len(inserted) {
			a.w.insert[m] = all[:n:n]
		}
		if len(sequence) > len(inserted) {
			kept = m
		}
	}
}

// userFollowed reports that the input has a user message behind system message m, which its provider refuses anyway.
func (a *applier) userFollowed(m int) bool {
	return m >= 0 && m+1 < len(a.c.Messages) && a.c.Messages[m].Role == msg.System && a.c.Messages[m+1].Role == msg.User
}

// precedesSystem reports a message that a system message may follow.
func precedesSystem(m *msg.Message) bool {
	last := len(m.Blocks) - 1
	return m.Role != "" && m.Role != msg.Assistant ||
		last >= 0 && m.Blocks[last].Kind == msg.KindToolResult && m.Blocks[last].Server
}

// assistantFollows reports whether the next kept message, from at on, is the assistant's, or a system message of the
// Messages API, which follows a user message: then no acknowledgement is needed before it. Messages added after the
// plan was made are ignored, so that the outcome does not depend on them.
func (a *applier) assistantFollows(at int) bool {
	for m := at; m < a.plan.Length; m++ {
		if !a.w.removed[m] {
			role := a.c.Messages[m].Role
			return role == msg.Assistant || role == msg.System && msg.API(a.c.Format) == msg.Anthropic
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
