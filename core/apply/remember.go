package apply

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/view"
)

// settleRent notes in the State that the rent starts again if the outcome c has a rewritten prompt: the results that
// the rent was for are gone, or could have gone with it. Other edits do not stop it.
func (a *applier) settleRent(m *view.Record, c *msg.Conversation) {
	rewritten := len(a.plan.Regions) > 0
	for i := range a.plan.Edits {
		e := &a.plan.Edits[i]
		rewritten = rewritten || e.Kind == pass.ClearResult && !m.WasCleared(e.Ref(), a.c.At(e.Ref()))
	}
	if a.p.Clear.When != pass.Economic || !rewritten {
		return
	}
	m.RentFrom = 0
	for i := range c.Messages {
		if c.Messages[i].Role == msg.Assistant {
			m.RentFrom++
		}
	}
}

// rememberSummaries adds the summaries that this Apply wrote to the State, so that later plans recognize them.
func (a *applier) rememberSummaries(m *view.Record) {
	var blocks []*msg.Block
	for i := range a.wrote {
		blocks = append(blocks, &a.wrote[i].block)
	}
	m.AddSummaries(blocks)
}

// rememberOften sets the keys of the names in the summaries of the result that were often written in the messages which
// they replaced.
func (a *applier) rememberOften(m *view.Record) {
	if !a.strategy.Condenses || len(a.wrote) == 0 {
		return
	}
	var summaries []string
	var written summarize.WrittenNames
	for i := range a.marked.Messages {
		message := &a.marked.Messages[i]
		if a.w.Removed[i] {
			written.Add(message)
			continue
		}
		for b := range message.Blocks {
			if message.Blocks[b].IsSummary() {
				summaries = append(summaries, message.Blocks[b].Text)
			}
		}
	}
	for i := range a.wrote {
		summaries = append(summaries, a.wrote[i].block.Text)
	}
	m.OftenKeys = written.Keys(summaries, m.OftenKeys)
}
