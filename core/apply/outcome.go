package apply

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/quality"
	"tamp/core/view"
)

// Outcome is the result of one Apply. If Next is not nil, another step is due: the size is still above the target, or
// partial summaries must be merged.
type Outcome struct {
	Conversation *msg.Conversation `json:"-"`
	State        view.State        `json:"state"`
	Actions      []plan.Action     `json:"actions"` // one for each decision; a decision to change nothing is listed too
	Before       int               `json:"before"`  // tokens
	After        int               `json:"after"`
	// one for each message of the input, in order; nil if Env.Lean
	Fates []MessageFate `json:"fates,omitempty"`
	// which facts of the removed text remain; nil if nothing changed
	Quality *quality.Report `json:"quality,omitempty"`
	// "summary_failed": answers were no summaries, and the built-in one is used instead; "open_round_cut": results that
	// the model has not read are cut, since the conversation is over its hard limit without it; "words_cut": not all of
	// the user's words fit into the summaries
	Warnings []msg.Warning `json:"warnings,omitempty"`
	Next     *plan.Plan    `json:"next,omitempty"`

	broken []string // see Broken
}

// Broken returns the IDs of the requests whose answers are no summaries: a host does not keep these texts.
func (out *Outcome) Broken() []string { return out.broken }

// Join adds the earlier rounds: out becomes the outcome of all rounds together. first is the outcome of the rounds
// before, whose Next out is the outcome of (nil if there are none), and c the conversation of the first round. A region
// of an Action is an index in the plan of its round. The error is that of JoinFates.
func (out *Outcome) Join(first *Outcome, c *msg.Conversation) (err error) {
	if first == nil {
		return nil
	}
	out.Before = first.Before
	out.Actions = slices.Concat(first.Actions, out.Actions)
	out.Warnings = slices.Concat(first.Warnings, out.Warnings)
	if first.Fates != nil {
		if out.Fates, err = JoinFates(first.Fates, out.Fates); err != nil {
			return err
		}
	}
	if first.Quality != nil || out.Quality != nil {
		all := quality.Compare(c, out.Conversation)
		out.Quality = &all
	}
	return nil
}
