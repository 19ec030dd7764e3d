package choice

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/view"
	"tamp/core/words"
)

// Strategy has what a plan and its Apply do by the strategy of a policy: what is drafted before the regions are chosen,
// the choice, and what becomes of the answers. Published has the steps that the published designs share.
type Strategy struct {
	// Shorten returns the edits of prompts that are needed before the choice, as the last resort; nil: none.
	Shorten func(in *view.View, l *Limits) []pass.Decision
	// Choose selects the regions, their budgets and their room for the user's words. before is the conversation without
	// edits: Apply reads the user's words there. The cache may be nil.
	Choose func(p *policy.Policy, in, before *view.View, l *Limits, k *view.Cache) Selection
	// MinGain returns the tokens that a compaction must free. asks is false if it may free any number, none included.
	MinGain func(p *policy.Policy, in *view.View, l *Limits) (tokens int, asks bool)
	// Failed returns the failed calls of a region that its request names; nil: none.
	Failed func(c *msg.Conversation, pairs msg.Pairing, spans []msg.Span) []string
	// Frame returns the approximate size of the label and the heading of the i-th region.
	Frame func(p *policy.Policy, i int) int
	// Refuses returns the reason why a region may not have a message, "" if it may; nil: it may. kept is a protected
	// message that is no instruction.
	Refuses func(p *policy.Policy, m *msg.Message, kept bool) string
	// AnswerRoom returns the max tokens of an answer without a model. asked are those of its request, replaces the tokens
	// that it replaces, most is what the hard limit leaves.
	AnswerRoom func(asked, replaces, most int) int

	// The permille that earlier summaries may be of a conversation after new clears, which are canceled above it; 0 = no
	// limit.
	MaxSummaries int
	// A forced compaction without messages since the last one does nothing.
	ForcesOnce bool
	// Earlier summaries are handed on: by regions of level 3, or as a part of a region with what follows them. So a
	// region gets a summary without a model if its request failed, and a model's summary is completed with its lines.
	Condenses bool
	// Labels of turns have the reference of the archive, so that the originals can be read back.
	Archives bool
	// Each part of a region was asked for with all of its budget, which a merged summary has, too.
	MergesInBudget bool
}

// Extracts reports whether a region whose request failed gets a summary without a model.
func (s *Strategy) Extracts(r *Region) bool {
	return s.Condenses && r.Blocks == nil && len(r.Spans) == 1
}

// Completes reports whether a model's summary of a region is completed with lines of it.
func (s *Strategy) Completes(r *Region) bool {
	return r.Level == 1 && s.Extracts(r) && len(r.Requests) == 1
}

// Published is the strategy of a published design, without Choose.
func Published() Strategy {
	return Strategy{MinGain: publishedGain, Frame: publishedFrame, Refuses: publishedRefuses,
		AnswerRoom: publishedRoom}
}

// cacheable is the largest of the providers' minimum lengths of a cached prompt, in tokens. A smaller conversation has
// no cache entry that a compaction could break.
const cacheable = 4096

// publishedGain asks for a gain before the hard limit and without the user's command, if there can be a cache entry.
func publishedGain(_ *policy.Policy, in *view.View, l *Limits) (tokens int, asks bool) {
	return l.MinGain, l.MinGain > 0 && !l.Manual && in.Counts.Total >= cacheable
}

// publishedFrame is small from the second region on if one message has the summaries of all regions: that of a strategy
// that keeps only the newest messages.
func publishedFrame(p *policy.Policy, i int) int {
	if p.Summary.Strategy == "regions" || i == 0 {
		return LabelTokens + words.FrameTokens
	}
	return partTokens
}

const partTokens = 6 // of the label of a part

// publishedRefuses keeps earlier summaries, and prompts next to which a summary is put.
func publishedRefuses(p *policy.Policy, m *msg.Message, kept bool) string {
	switch {
	case kept:
		return HasProtected
	case p.Summary.Strategy == "regions" && provenance.IsPrompt(m):
		return "the region contains a prompt of the user"
	}
	return ""
}

// HasProtected is the reason why no plan has a region with a protected message.
const HasProtected = "the region contains an instruction or an earlier summary"

// publishedRoom is two thirds of what the answer replaces at most.
func publishedRoom(asked, replaces, most int) int { return min(asked, replaces*2/3-LabelTokens, most) }
