package plan

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
	"tamp/core/words"
)

// Partial is a summary that several answers were joined in.
type Partial struct {
	At        msg.Ref
	Text      string // without the label
	MaxTokens int    // of the merged summary
}

// Merges returns a plan that requests one merged summary for each partial one.
func Merges(in *view.View, p *policy.Policy, env *Env, partial []Partial) *Plan {
	plan := NewDraft(in, p, env, &view.Record{}).plan
	plan.Base = view.DigestOf(in.Conversation.Messages)
	q := requester{in: in, p: p, env: env}
	for i := range partial {
		s := &partial[i]
		r := Region{Spans: []msg.Span{{Start: s.At.Message, End: s.At.Message + 1}}, Blocks: []msg.Ref{s.At}, Level: 2,
			Tokens: in.Counts.Messages[s.At.Message].Blocks[s.At.Block]}
		_, text := marker.Parse(in.Conversation.At(s.At).Text)
		said, _ := words.Cut(text)
		r.Words = in.Meter.Text(words.Section(said)) // they stay
		plan.Requests = append(plan.Requests, q.merge(&r, s.Text, s.MaxTokens))
		plan.Regions = append(plan.Regions, r)
		plan.Archive = view.AddToSpans(plan.Archive, s.At.Message)
		plan.After -= max(r.Tokens-s.MaxTokens-r.Words-choice.LabelTokens, 0)
	}
	return plan
}
