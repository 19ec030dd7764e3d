package replay

import (
	"tamp/core"
	"tamp/core/msg"
)

// NoPreset is the Preset of a report without compaction.
const NoPreset = "none"

// Report is a session under a policy. All sizes are tokens, all money is millionths of a dollar.
type Report struct {
	Preset  string `json:"preset"` // that the policy began as; "none" without compaction
	Model   string `json:"model"`  // whose window, prices and minimum hold; "" where none is known
	Priced  bool   `json:"priced"` // the model's price is known
	Counter string `json:"counter"`
	Measure string `json:"measure,omitempty"` // the rule that soft and hard are measured by; see core.Triggers
	Window  int    `json:"window"`
	Soft    int    `json:"soft,omitempty"` // the policy acts above it; 0 = it has no such line
	Hard    int    `json:"hard,omitempty"` // the policy must stay below it; 0 = it has no such line
	Calls   []Call `json:"calls"`
	Totals  Totals `json:"totals"`
	Facts   Facts  `json:"facts"`
	Stopped bool   `json:"stopped,omitempty"` // by Options.Progress: the later calls are not here
}

// Call is one model call.
type Call struct {
	Number  int `json:"number"`         // from 1
	Message int `json:"message"`        // index of the answer among the session's messages: the prompt is what is before it
	Time    int `json:"time,omitempty"` // its start, in milliseconds since 1970; 0 where the log does not say
	IdleSec int `json:"idleSec"`        // since the call before; assumed where the log does not say

	Uncompacted int `json:"uncompacted"` // the whole prompt as the session has it
	Sent        int `json:"sent"`        // after compaction: cacheRead + cacheWrite + input
	CacheRead   int `json:"cacheRead"`
	CacheWrite  int `json:"cacheWrite"`
	Input       int `json:"input"` // at the full price
	Output      int `json:"output"`
	Cost        int `json:"cost"` // with the summaries that were asked for before it

	Trigger       string `json:"trigger,omitempty"` // which condition fired, where the plan had something to do
	Edits         int    `json:"edits,omitempty"`   // blocks cleared, cut or dropped without a model
	Summaries     int    `json:"summaries,omitempty"`
	SummaryTokens int    `json:"summaryTokens,omitempty"` // that the summarizer read and wrote
	SummaryCost   int    `json:"summaryCost,omitempty"`
	Freed         int    `json:"freed,omitempty"` // tokens that compaction took out before this call
	Error         string `json:"error,omitempty"` // why the policy could not compact; the call was sent as it was

	API *msg.Usage `json:"api,omitempty"` // what the provider counted itself for the session's own call
}

// Totals are the sums over all calls.
type Totals struct {
	Calls         int `json:"calls"`
	Uncompacted   int `json:"uncompacted"`
	Sent          int `json:"sent"`
	Peak          int `json:"peak"` // the largest Sent
	CacheRead     int `json:"cacheRead"`
	CacheWrite    int `json:"cacheWrite"`
	Input         int `json:"input"`
	Output        int `json:"output"`
	Cost          int `json:"cost"`
	Compactions   int `json:"compactions"` // calls before which something was changed
	Edits         int `json:"edits"`
	Summaries     int `json:"summaries"`
	SummaryTokens int `json:"summaryTokens"`
	SummaryCost   int `json:"summaryCost"`
	OverWindow    int `json:"overWindow"` // calls that would not have fit
	Errors        int `json:"errors"`

	API      msg.Usage `json:"api"` // sums of what the provider counted itself
	APICalls int       `json:"apiCalls"`
	APIPeak  int       `json:"apiPeak,omitempty"` // the largest prompt that it counted
}

// Facts says which facts of the whole session its last conversation still holds: paths, identifiers, errors, constraints …
// (core/quality). A fact counts once, however often it was said.
type Facts struct {
	All      int `json:"all"`
	Kept     int `json:"kept"`
	Permille int `json:"permille"` // 1000 where there are none
}

func (t *Totals) add(c *Call, window int) {
	t.Calls++
	t.Uncompacted += c.Uncompacted
	t.Sent += c.Sent
	t.Peak = max(t.Peak, c.Sent)
	t.CacheRead += c.CacheRead
	t.CacheWrite += c.CacheWrite
	t.Input += c.Input
	t.Output += c.Output
	t.Cost += c.Cost
	t.Edits += c.Edits
	t.Summaries += c.Summaries
	t.SummaryTokens += c.SummaryTokens
	t.SummaryCost += c.SummaryCost
	if c.Freed != 0 {
		t.Compactions++
	}
	if c.Sent > window {
		t.OverWindow++
	}
	if c.Error != "" {
		t.Errors++
	}
	if u := c.API; u != nil {
		t.APICalls++
		t.APIPeak = max(t.APIPeak, u.Prompt())
		t.API.Input += u.Input
		t.API.CacheRead += u.CacheRead
		t.API.CacheWrite += u.CacheWrite
		t.API.Output += u.Output
	}
}

// lines notes the policy's limits in tokens.
func (r *Report) lines(p *core.Policy) {
	t := &p.Trigger
	if t.Window > 0 {
		r.Window = t.Window
	}
	r.Measure = t.Measure
	for _, line := range [...]int{r.Window * t.SoftPermille / 1000, t.Tokens, p.Clear.TriggerTokens} {
		if line > 0 && (r.Soft == 0 || line < r.Soft) {
			r.Soft = line
		}
	}
	switch {
	case t.HardPermille > 0:
		r.Hard = r.Window*t.HardPermille/1000 - t.BufferTokens
	case t.ReserveOutput > 0:
		r.Hard = r.Window - t.ReserveOutput
	}
}
