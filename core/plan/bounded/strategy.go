package bounded

import (
	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/view"
	"tamp/core/words"
)

// Strategy is that of a policy that IsBounded.
type Strategy struct{ P *policy.Policy }

// MaxSummaries keeps recent text next to the summaries: placeholders are not recent text.
func (Strategy) MaxSummaries() int { return maxClearedShare }

func (Strategy) ForcesOnce() bool { return true }

func (Strategy) Shorten(in *view.View, l *choice.Limits) []pass.Decision { return longTasks(in, l) }

func (s Strategy) Choose(in, before *view.View, l *choice.Limits, texts *summarize.Memory) choice.Selection {
	var b bounds
	b.read(in, before, s.P, l, texts)
	return b.choose()
}

// MinGain always asks: for four turns like the last one at least, or for any gain.
func (s Strategy) MinGain(in *view.View, l *choice.Limits) (tokens int, asks bool) {
	if l.Manual || s.P.Trigger.MinGainPermille == 0 {
		return 0, true
	}
	return max(l.MinGain, 4*lastTurn(in)), true
}

// lastTurn returns the tokens of the newest turn: from the newest assistant message to the end.
func lastTurn(in *view.View) int {
	sum := 0
	for m := len(in.Conversation.Messages) - 1; m >= 0; m-- {
		sum += in.Counts.Messages[m].Tokens
		if in.Conversation.Messages[m].Role == msg.Assistant {
			break
		}
	}
	return sum
}

func (Strategy) Failed(in *view.View, r *choice.Region) []string {
	return summarize.FailedCalls(in.Conversation, in.Pairing, r.Spans)
}

func (Strategy) Frame(int) int { return choice.ArchivedLabelTokens + words.FrameTokens }

func (Strategy) Condenses() bool { return true }

func (Strategy) Refuses(*msg.Message, bool) string { return "" }

// Label has the reference of the archive, so that the originals can be read back.
func (Strategy) Label(first, last int, archive func() string) string {
	return marker.ArchivedTurnsLabel(first, last, archive())
}

// AnswerRoom is all that an answer may take without being longer than what it replaces.
func (Strategy) AnswerRoom(asked, replaces, _ int) int {
	return min(asked, max(replaces*2/3-choice.LabelTokens, replaces-choice.ArchivedLabelTokens-choice.LabelTokens))
}

// MergeTokens is the budget of the region: each part was asked for with all of it.
func (Strategy) MergeTokens(asked int) int { return asked }

// Completes adds to the one answer for a run of messages.
func (s Strategy) Completes(r *choice.Region) bool {
	return r.Level == 1 && s.Extracts(r) && len(r.Requests) == 1
}

// Extracts lets the user's words and the earlier summaries in a run of messages survive a failed request.
func (Strategy) Extracts(r *choice.Region) bool { return r.Blocks == nil && len(r.Spans) == 1 }
