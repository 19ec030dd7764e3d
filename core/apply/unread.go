package apply

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/view"
)

// The designs that replace the whole conversation by one message write the results that the model has not read into it,
// after the summary, as a text of their own each.

// addUnread adds them to the message of a summary, next to so many other tokens. If they do not fit below the hard
// limit, each is cut.
func (a *applier) addUnread(m *msg.Message, others int) {
	c := a.plannedOf(a.c)
	open, pairs := msg.OpenRound(c), msg.Pair(c)
	var results, texts []string
	sum := 0
	for it := c.WalkIn(msg.Span{Start: open, End: len(c.Messages)}); it.Next(); {
		if it.Block.Kind != msg.KindToolResult || it.Block.Server || !a.w.Removed[it.Ref.Message] {
			continue
		}
		input, text := "", it.Block.Text
		if e := a.w.Edits[it.Ref]; e != nil && e.Text != "" {
			text = e.Text // the limit of a single output
		}
		if call, ok := pairs.Call(it.Ref); ok {
			input = msg.Shorten(c.At(call).Text, maxInput)
		}
		results, texts = append(results, it.Block.Text), append(texts, marker.Unread(pairs.ToolName(c, it.Ref), input, text))
		sum += a.meter.Text(texts[len(texts)-1])
	}
	level := sum
	if room := a.plan.Limit - others; a.plan.Limit > 0 && sum > room && sum > 0 {
		level = max(room/len(texts)-noteTokens, 0)
		a.openCut = len(texts)
	}
	for i, text := range texts {
		if a.meter.Text(text) > level {
			kept := summarize.ShortenToTokens(text, level, a.meter.Text)
			omitted := text[len(kept):]
			text = kept + "\n" + marker.Omitted(len(omitted), strings.Count(omitted, "\n"), view.RefText(results[i]))
		}
		m.Blocks = append(m.Blocks, msg.TextMessage(msg.User, text).Blocks...)
	}
}

const (
	maxInput   = 200 // code points of the input of a call
	noteTokens = 60  // of the note about what is cut, at most
)
