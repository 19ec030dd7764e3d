package plan

import (
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

// chooseWhole takes all messages except a round with an unanswered call. With the shape question, it also keeps the
// last user message if it has no answer yet.
func chooseWhole(in *view.View, p *policy.Policy) choice.Selection {
	c := in.Conversation
	end := view.StartOfUnanswered(in)
	if last := len(c.Messages) - 1; p.Summary.Shape == "question" && last >= 0 && c.Messages[last].Role != msg.Assistant {
		end = min(end, pass.SafeCut(in, runStart(c, last)))
	}
	open := msg.OpenRound(c)
	for it := c.WalkIn(msg.Span{Start: open, End: len(c.Messages)}); it.Next(); {
		if it.Block.HasMedia() || hasOneText(c.Format) { // the message of a summary has texts only
			end = min(end, open)
		}
	}
	keep := view.Protected(in)
	currentRequest(in, p, keep)
	s := choice.Selection{Regions: choice.OneRegion(in, p, 0, end, func(m int) bool { return keep[m] })}
	if s.Regions != nil {
		s.Cuts = readResults(in, keep, open)
	}
	return s
}

// hasOneText reports the logs in which a message of the user is one text.
func hasOneText(format string) bool {
	return format == msg.CopilotCLI || format == msg.Aider || format == msg.VSCodeChat
}

// readResults returns edits of the results in messages of summaries that the model has read since: a summary is never
// summarized again, and they would stay forever.
func readResults(in *view.View, keep []bool, open int) (cuts []pass.Decision) {
	c := in.Conversation
	for it := c.WalkIn(msg.Span{End: open}); it.Next(); {
		text := it.Block.Text
		if !keep[it.Ref.Message] || it.Block.Kind != msg.KindText || it.Block.IsSummary() || !marker.IsUnread(text) ||
			c.Messages[it.Ref.Message].Role != msg.User {
			continue
		}
		e := &pass.Edit{Message: it.Ref.Message, Block: it.Ref.Block, Kind: pass.OversizeInput, Reason: "read since",
			Text: marker.SetAside(view.RefText(text), utf8.RuneCountInString(text)), Tokens: in.Meter.Block(it.Block)}
		set := it.Block.WithText(e.Text)
		if e.After = in.Meter.Block(&set); pass.Shrinks(text, e.Text) && e.After < e.Tokens {
			cuts = append(cuts, pass.Decision{Ref: it.Ref, Fate: pass.Truncated, Reason: e.Reason, Edit: e})
		}
	}
	return cuts
}

// runStart returns the first message of the run around m that has no assistant message before m.
func runStart(c *msg.Conversation, m int) int {
	for m > 0 && c.Messages[m-1].Role != msg.Assistant {
		m--
	}
	return m
}
