package plan

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
	"tamp/core/words"
)

// This file gives the summaries room for the user's words (package words), next to their own budgets.

// wordsOf reads what the user typed.
func wordsOf(in *view.View) *words.Words {
	return words.Read(in.Conversation, view.TurnsOf(in.Conversation), &in.Pairing, in.Meter.Text)
}

// addWords gives the regions of a strategy without bounds room for the user's words in them, which are read before all
// edits, as Apply reads them. limit is the most tokens after the compaction. It returns the tokens that are left for
// the summaries.
func (s *selection) addWords(in *view.View, said *words.Words, p *policy.Policy, limit int) (free int) {
	region := make([]*Region, len(in.Conversation.Messages)) // of a message
	window := Window(p, in.Conversation)
	if free = limit - in.Counts.Total; limit == 0 {
		free += window
	}
	for i := range s.regions {
		r := &s.regions[i]
		free += r.Tokens - Frame(p, i)
		if r.Blocks != nil {
			continue // it has no words of the user
		}
		for _, span := range r.Spans {
			for m := span.Start; m < span.End; m++ {
				region[m] = r
			}
		}
	}
	of := func(said *words.Said) *Region { return RegionOf(said, func(m int) *Region { return region[m] }) }
	room := words.Room(window, free)
	fit := said.Fit(func(said *words.Said) bool { return of(said) != nil }, room)
	left := false
	fit.Each(func(said *words.Said, tokens int, cut bool) {
		of(said).Words += tokens
		free -= tokens
		left = left || cut
	})
	for i := range s.regions {
		if r := &s.regions[i]; r.Words > 0 {
			r.Words += words.FrameTokens
		}
	}
	if left {
		s.warnings = append(s.warnings, wordsCut(room))
	}
	return free
}

// Frame returns the approximate size of the label and the heading of the i-th region: one message has the summaries of
// all regions of a strategy that keeps only the newest messages.
func Frame(p *policy.Policy, i int) int {
	switch {
	case p.IsBounded():
		return ArchivedLabelTokens + words.FrameTokens
	case p.Summary.Strategy == "regions" || i == 0:
		return LabelTokens + words.FrameTokens
	}
	return partTokens
}

const partTokens = 6 // of the label of a part

// RegionOf returns the region whose summary hands on what the user said: that of its message or, of an answer that
// stays, that of its question.
func RegionOf[R comparable](said *words.Said, of func(m int) R) R {
	var none R
	if r := of(said.At.Message); r != none || said.Asked == "" {
		return r
	}
	return of(said.From)
}

// WordsCut is the code of the warning that not all of the user's words fit.
const WordsCut = "words_cut"

// wordsCut is the warning that not all of the user's words fit.
func wordsCut(room int) msg.Warning {
	return msg.Warning{Code: WordsCut, Message: "the user's words have room for " + strconv.Itoa(room) +
		" tokens in summaries, and need more: repetitions, then questions, then the oldest sentences are only in the archive"}
}

// currentRequest marks the newest prompt as kept if the agent is working on it: it stays a message of its own. A prompt
// that is answered, or that takes a quarter of the limit or more, is part of the summary, which has its beginning and
// its end.
func currentRequest(in *view.View, p *policy.Policy, keep []bool) {
	c := in.Conversation
	if n := len(c.Messages); n == 0 || c.Messages[n-1].Role == msg.Assistant && msg.OpenRound(c) == n {
		return
	}
	limit := lowest(Window(p, c), p.Trigger.Tokens)
	if m := pass.NewestPrompt(c); m >= 0 && in.Counts.Messages[m].Tokens < limit/4 {
		keep[m] = true
	}
}
