package choice

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
	"tamp/core/words"
)

// This file gives the summaries room for the user's words (package words), next to their own budgets.

// WordsOf reads what the user typed. The cache may be nil.
func WordsOf(in *view.View, k *view.Cache) *words.Words {
	return k.Words(in.Conversation, view.TurnsOf(in.Conversation), &in.Pairing, in.Meter.Text)
}

// AddWords gives the regions of a strategy without bounds room for the user's words in them, which are read before all
// edits, as Apply reads them. limit is the most tokens after the compaction, frame is Strategy.Frame. It returns the
// tokens that are left for the summaries.
func (s *Selection) AddWords(in *view.View, said *words.Words, p *policy.Policy, window, limit int,
	frame func(p *policy.Policy, i int) int) (free int) {
	region := make([]*Region, len(in.Conversation.Messages)) // of a message
	if free = limit - in.Counts.Total; limit == 0 {
		free += window
	}
	for i := range s.Regions {
		r := &s.Regions[i]
		free += r.Tokens - frame(p, i)
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
	for i := range s.Regions {
		if r := &s.Regions[i]; r.Words > 0 {
			r.Words += words.FrameTokens
		}
	}
	if left {
		s.Warnings = append(s.Warnings, WordsCutIn(room))
	}
	return free
}

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

// WordsCutIn is the warning that not all of the user's words fit.
func WordsCutIn(room int) msg.Warning {
	return msg.Warning{Code: WordsCut, Message: "the user's words have room for " + strconv.Itoa(room) +
		" tokens in summaries, and need more: repetitions, then questions, then the oldest sentences are only in the archive"}
}
