package choice

import (
	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/view"
	"tamp/core/words"
)

// Strategy has what a plan and its Apply do by the strategy of a policy: what is drafted before the regions are chosen,
// the choice, and what becomes of the answers. Published has the steps that the published designs share.
type Strategy interface {
	// MaxSummaries is the permille that earlier summaries may be of a conversation after new clears, which are canceled
	// above it; 0 = no limit.
	MaxSummaries() int
	// ForcesOnce reports whether a forced compaction without messages since the last one does nothing.
	ForcesOnce() bool
	// Shorten returns the edits of prompts that are needed before the choice, as the last resort.
	Shorten(in *view.View, l *Limits) []pass.Decision
	// Choose selects the regions, their budgets and their room for the user's words. before is the conversation without
	// edits: Apply reads the user's words there. texts are those that the session has read; nil without one.
	Choose(in, before *view.View, l *Limits, texts *summarize.Memory) Selection
	// MinGain returns the tokens that a compaction must free. asks is false if it may free any number, none included.
	MinGain(in *view.View, l *Limits) (tokens int, asks bool)
	// Failed returns the failed calls of a region that its request names.
	Failed(in *view.View, r *Region) []string
	// Frame returns the approximate size of the label and the heading of the i-th region.
	Frame(i int) int

	// Condenses reports whether later compactions replace earlier summaries: as a region of level 3, or as a part of a
	// region with what follows them.
	Condenses() bool
	// Refuses returns the reason why a region may not have a message; "" if it may. kept is a protected message that is
	// no instruction.
	Refuses(m *msg.Message, kept bool) string
	// Label returns the label of a summary of turns. archive returns the reference of the plan's archive.
	Label(first, last int, archive func() string) string
	// AnswerRoom returns the max tokens of an answer without a model. asked are those of its request, replaces the tokens
	// that it replaces, most is what the hard limit leaves.
	AnswerRoom(asked, replaces, most int) int
	// MergeTokens returns the max tokens of a merged summary of answers to requests of asked tokens.
	MergeTokens(asked int) int
	// Completes reports whether a model's summary of a region is completed with lines of it.
	Completes(r *Region) bool
	// Extracts reports whether a region whose request failed gets a summary without a model.
	Extracts(r *Region) bool
}

// Published has the steps of a strategy without bounds, all but Choose.
type Published struct{ P *policy.Policy }

func (Published) MaxSummaries() int                           { return 0 }
func (Published) ForcesOnce() bool                            { return false }
func (Published) Shorten(*view.View, *Limits) []pass.Decision { return nil }
func (Published) Failed(*view.View, *Region) []string         { return nil }
func (Published) Condenses() bool                             { return false }
func (Published) Label(first, last int, _ func() string) string {
	return marker.TurnsLabel(first, last)
}
func (s Published) MergeTokens(int) int  { return s.P.Summary.MergeTokens }
func (Published) Completes(*Region) bool { return false }
func (Published) Extracts(*Region) bool  { return false }

// cacheable is the largest of the providers' minimum lengths of a cached prompt, in tokens. A smaller conversation has
// no cache entry that a compaction could break.
const cacheable = 4096

// MinGain asks for a gain before the hard limit and without the user's command, if there can be a cache entry.
func (Published) MinGain(in *view.View, l *Limits) (tokens int, asks bool) {
	return l.MinGain, l.MinGain > 0 && !l.Manual && in.Counts.Total >= cacheable
}

// Frame is small from the second region on if one message has the summaries of all regions: that of a strategy that
// keeps only the newest messages.
func (s Published) Frame(i int) int {
	if s.P.Summary.Strategy == "regions" || i == 0 {
		return LabelTokens + words.FrameTokens
	}
	return partTokens
}

const partTokens = 6 // of the label of a part

// Refuses keeps earlier summaries, and prompts next to which a summary is put.
func (s Published) Refuses(m *msg.Message, kept bool) string {
	switch {
	case kept:
		return HasProtected
	case s.P.Summary.Strategy == "regions" && provenance.IsPrompt(m):
		return "the region contains a prompt of the user"
	}
	return ""
}

// HasProtected is the reason why no plan has a region with a protected message.
const HasProtected = "the region contains an instruction or an earlier summary"

// AnswerRoom is two thirds of what the answer replaces at most.
func (Published) AnswerRoom(asked, replaces, most int) int {
	return min(asked, replaces*2/3-LabelTokens, most)
}
