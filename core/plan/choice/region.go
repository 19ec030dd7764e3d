package choice

import (
	"tamp/core/msg"
	"tamp/core/policy"
)

// Region is the part of a conversation that one summary replaces. The summary comes from one or more requests.
type Region struct {
	// runs of messages that are replaced; with blocks, the messages that hold them
	Spans    []msg.Span `json:"spans"`
	Blocks   []msg.Ref  `json:"blocks,omitempty"`   // replaced in place; their messages are kept
	Requests []string   `json:"requests,omitempty"` // IDs, in order; their summaries are joined
	Tokens   int        `json:"tokens"`             // of the region now
	// 1 = of messages; 2 = a summary in parts, to be merged; 3 = old summaries, to be condensed without a model
	Level     int `json:"level"`
	MaxTokens int `json:"maxTokens,omitempty"` // of level 3: max tokens of the condensed summary
	Words     int `json:"words,omitempty"`     // max tokens of the user's words, which its summary begins with

	Budget int `json:"-"` // max tokens of its summary; used only by NewPlan
}

// Gain returns the tokens that a region frees if its summary takes its budget.
func (r *Region) Gain() int { return r.Tokens - max(r.Budget, r.MaxTokens) - r.Words - LabelTokens }

// LabelTokens is the approximate size of a label.
const LabelTokens = 16

// ShareOf returns the max tokens of a summary of so many tokens, by the policy's share.
func ShareOf(p *policy.Policy, tokens int) int {
	return tokens*p.Summary.SharePermille/1000 + p.Summary.ShareExtra
}

// Budget returns the max tokens of a region's summary: MaxTokens or the share, and half of the region if that is, with
// its label, not shorter than the region.
func Budget(p *policy.Policy, tokens int) int {
	limit := p.Summary.MaxTokens
	if limit == 0 {
		limit = ShareOf(p, tokens)
	}
	if limit+LabelTokens >= tokens {
		return tokens / 2
	}
	return limit
}

// MinBudget is the budget of the shortest useful summary, in tokens.
const MinBudget = 60

// MinLine is the budget of a summary of one line, next to the user's words.
const MinLine = 20

// ArchivedLabelTokens is the approximate size of a label with the reference of its archive, of its message, and
// of the list of earlier archives.
const ArchivedLabelTokens = 40
