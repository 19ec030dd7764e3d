package core

import (
	"strings"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/view"
)

// Archive returns the originals that Apply removes under the plan: JSON Lines, one original message per line, as
// received. In a session log, a message may span several lines; then those lines are returned. A message that Tamp made
// and that was not rendered since is written as role and content. Save the archive BEFORE you use the result of Apply.
// Spans outside c are ignored; Apply refuses such a plan.
func Archive(c *msg.Conversation, plan *Plan) []byte { return view.Originals(c, plan.Archive) }

// SetAside returns the original texts that a plan truncates or replaces by a placeholder with a ref (see Ref), in
// document order. A host needs them to answer the recall tool. The archive has the whole messages. The plan must be an
// unchanged result of NewPlan for c.
func SetAside(c *msg.Conversation, plan *Plan) []string {
	var texts []string
	for i := range plan.Edits {
		e := &plan.Edits[i]
		switch e.Kind {
		case pass.LimitOutput, pass.OversizeInput, pass.ShortenPrompt, pass.ShortenAnswer:
			texts = append(texts, c.At(e.Ref()).Text)
		case pass.ClearResult:
			if text := c.At(e.Ref()).Text; text != "" && strings.Contains(e.Text, view.RefText(text)) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
