package plan

import (
	"tamp/core/msg"
)

// SummaryRequest asks the host for one model call. The host chooses the model.
type SummaryRequest struct {
	ID        string   `json:"id"` // digest of region, prompt and budget: equal input, equal ID, so answers may be cached
	Span      msg.Span `json:"span"`
	Level     int      `json:"level"`     // 1 = of messages, 2 = of level-1 summaries
	Tokens    int      `json:"tokens"`    // of the region now
	MaxTokens int      `json:"maxTokens"` // a longer answer is cut
	System    string   `json:"system"`    // the complete system prompt
	User      string   `json:"user"`
}

// SummaryResult answers one request. A failed call is data: set Err.
type SummaryResult struct {
	ID   string `json:"id"`
	Text string `json:"text,omitempty"`
	Err  string `json:"err,omitempty"`
}
