package replay

import (
	"cmp"
	"slices"

	"tamp/core/internal/order"
	"tamp/core/misses"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
)

// NoPreset is the Preset of a report without compaction.
const NoPreset = "none"

// Report is the result of replaying a session under a policy. Sizes are in tokens, costs in millionths of a dollar.
type Report struct {
	Preset  string `json:"preset"` // the preset of the policy; "none" without compaction
	Model   string `json:"model"`  // sets window, prices and minimum; "" if unknown
	Priced  bool   `json:"priced"` // the model's price is known
	Counter string `json:"counter"`
	Measure string `json:"measure,omitempty"` // the rule that measures soft and hard; see policy.Triggers
	Basis   Basis  `json:"basis"`
	Window  int    `json:"window"` // see core.WindowOf
	// "policy", "log", "compaction", "catalog" or "assumed", see core.WindowOf
	WindowSource string `json:"windowSource"`
	Soft         int    `json:"soft,omitempty"` // the policy acts above it; 0 means no such limit
	Hard         int    `json:"hard,omitempty"` // the policy must stay below it; 0 means no such limit
	Calls        []Call `json:"calls"`
	Totals       Totals `json:"totals"`
	Misses       Misses `json:"misses"`
	Hidden       int    `json:"hidden"` // tokens of the last call that the session does not show: system prompt, tools, reminders
	// what converts tokens of the counter to those of the API, in permille, by the usage of the log
	Factor    int       `json:"factor"`
	Segments  int       `json:"segments"`          // conversations between the compactions of the log's agent
	Fixed     []Fixed   `json:"fixed"`             // what each call of the last segment has before its messages
	Others    *Others   `json:"others,omitempty"`  // calls of the log that are not replayed
	Simulated Simulated `json:"simulated"`         // the log's own calls with usage, simulated: how far to trust the rest
	Notes     []Note    `json:"notes"`             // what the replay could not know
	Stopped   bool      `json:"stopped,omitempty"` // Options.Progress ended the replay: later calls are missing
	// what the log says about its agent: its own window and its own compactions
	Agent *msg.Agent `json:"agent,omitempty"`
	// what the provider said about cache misses of the log's own calls, by reason, the most tokens first
	CacheMisses []CacheMiss `json:"cacheMisses,omitempty"`
	// of the prices of all calls, with the factors that were used
	Multipliers []models.Multiplier `json:"multipliers,omitempty"`
}

// CacheMiss are the calls of a log with one reason, see msg.Usage.MissReason.
type CacheMiss struct {
	Reason string `json:"reason"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"` // behind the difference
}

// addMiss counts a call by the reason of its cache miss.
func (r *Report) addMiss(u *msg.Usage) {
	if u == nil || u.MissReason == "" {
		return
	}
	at := slices.IndexFunc(r.CacheMisses, func(m CacheMiss) bool { return m.Reason == u.MissReason })
	if at < 0 {
		at, r.CacheMisses = len(r.CacheMisses), append(r.CacheMisses, CacheMiss{Reason: u.MissReason})
	}
	r.CacheMisses[at].Calls++
	r.CacheMisses[at].Tokens += u.Missed
	order.Stable(r.CacheMisses, func(a, b CacheMiss) int {
		return cmp.Or(b.Tokens-a.Tokens, b.Calls-a.Calls, cmp.Compare(a.Reason, b.Reason))
	})
}

// Basis says where the costs of the session without compaction come from.
type Basis string

const (
	Estimated Basis = "estimate" // counted and simulated
	FromUsage Basis = "usage"    // from the usage that the provider reported; a policy is charged the simulated difference
)

// Others are the calls of a log that are in no segment: of subagents, and of branches that the user left. They are
// not in Totals.
type Others struct {
	Calls  int       `json:"calls"`
	Usage  msg.Usage `json:"usage"`
	Cost   int       `json:"cost"`
	Tracks []Track   `json:"tracks"` // one for each subagent or branch, in the order of their first answers
}

// Track has the calls of one subagent, or of one branch that the user left.
type Track struct {
	Subagent bool        `json:"subagent"`
	Cost     int         `json:"cost"`
	Calls    []TrackCall `json:"calls"`
}

// TrackCall is one call of a track, by its usage in the log.
type TrackCall struct {
	After int `json:"after"`          // calls of the session that are before it in the log
	Time  int `json:"time,omitempty"` // of its answer, in milliseconds since 1970; 0 if the log has no timestamp
	Sent  int `json:"sent"`
	Cost  int `json:"cost"`
}

// Fixed is a part of each request before its messages.
type Fixed struct {
	Owner  string `json:"owner"`          // "hidden", "system", "tools" or "server", as in Owned
	Name   string `json:"name,omitempty"` // of the tool server
	Tokens int    `json:"tokens"`
}

// Simulated is the simulation of the log's own requests, for comparison with Totals.API.
type Simulated struct {
	Calls        int `json:"calls"`
	CacheRead    int `json:"cacheRead"`
	CacheWrite   int `json:"cacheWrite"`
	CacheWrite1h int `json:"cacheWrite1h"`
	Input        int `json:"input"`
	Cost         int `json:"cost"`
	Billed       int `json:"billed"` // cost of the same calls by their usage
}

func (s *Simulated) addBill(b bill, cost, billed int) {
	s.Calls++
	s.CacheRead += b.read
	s.CacheWrite += b.written()
	s.CacheWrite1h += b.write1h
	s.Input += b.input
	s.Cost += cost
	s.Billed += billed
}

// Note is something that the replay could not know, or assumed.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"` // for people; may change
}

// Break is the sum of the tokens paid again for one cause:
//
//   - "idle": the cache entry expired before the call
//   - "system": nothing was read, without a pause: system prompt or tools changed
//   - "edit": only a start of the previous prompt was read: an earlier message changed
//   - "compaction": the agent or the policy compacted the conversation
//   - "two_sessions": another session or subagent in turn with this one
//   - "no_breakpoint": tokens of the previous prompt that were never written to the cache
//   - "lookback": the replay found no entry within the 20 blocks that the provider looks back
//   - "model": another model, with a cache of its own
//   - "evicted": the log has the requests, and this one begins as the one before, in time: the provider had no entry
//
// Where the log has the requests (Claude Code from 2.1.332 on), the causes are those of what changed in them.
type Break struct {
	Cause  string `json:"cause"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"`
	Cost   int    `json:"cost"` // more than reading them from the cache
}

// CallBreak is what one call paid again for one cause, see Break.
type CallBreak struct {
	Cause  string `json:"cause"`
	Tokens int    `json:"tokens"`
	Cost   int    `json:"cost"` // more than reading them from the cache
}

// Call is one model call.
type Call struct {
	Number int `json:"number"` // from 1
	// index of the answer in the session's messages; the prompt is the messages before it
	Message int `json:"message"`
	Time    int `json:"time,omitempty"` // its start, in milliseconds since 1970; 0 if the log has no timestamp
	IdleSec int `json:"idleSec"`        // since the previous call; assumed if the log has no timestamps

	Uncompacted int `json:"uncompacted"` // the whole prompt of the session
	Sent        int `json:"sent"`        // after compaction: cacheRead + cacheWrite + input
	CacheRead   int `json:"cacheRead"`
	CacheWrite  int `json:"cacheWrite"`
	// of CacheWrite, for an hour
	CacheWrite1h int `json:"cacheWrite1h,omitempty"`
	Input        int `json:"input"` // at the full price
	// of Sent, text that the agent inserted into messages: reminders, memory files
	Notes int `json:"notes,omitempty"`
	// tokens of earlier calls that the cache should have had, by cause
	Breaks []CallBreak `json:"breaks,omitempty"`
	Output int         `json:"output"`
	Cost   int         `json:"cost"` // including the summaries before the call

	Trigger       string `json:"trigger,omitempty"` // the condition that fired, if the plan had something to do
	Edits         int    `json:"edits,omitempty"`   // blocks cleared, cut or dropped without a model
	Summaries     int    `json:"summaries,omitempty"`
	SummaryTokens int    `json:"summaryTokens,omitempty"` // read and written by the summarizer
	SummaryCost   int    `json:"summaryCost,omitempty"`
	Freed         int    `json:"freed,omitempty"` // tokens that compaction removed before this call
	// blocks of thinking that compaction before this call lost, since they are bound to text that changed
	Thinking int    `json:"thinking,omitempty"`
	Model    string `json:"model,omitempty"` // if it is not that of the report
	Error    string `json:"error,omitempty"` // why the policy could not compact; the call was sent uncompacted

	Names  int `json:"names,omitempty"`  // see Misses
	Missed int `json:"missed,omitempty"` // see Misses
	Lost   int `json:"lost,omitempty"`   // see Misses
	// of one more call before this one, to read what it misses again; part of Misses.Cost, not of Cost
	ReadCost int           `json:"readCost,omitempty"`
	Misses   []misses.Miss `json:"misses,omitempty"` // what the answer uses and Sent does not have, at most 20

	// what the session's own request was, next to the one before; only without compaction, if the log has it
	Request *CallRequest `json:"request,omitempty"`

	API *msg.Usage `json:"api,omitempty"` // the usage that the provider reported for the session's own call
}

// CallRequest compares a request that the log has with the request before it.
type CallRequest struct {
	Messages int  `json:"messages"`         // of the request
	Kept     int  `json:"kept"`             // the messages at its start that the one before had there, too
	Before   int  `json:"before"`           // the messages of that one: more than kept if earlier messages changed
	System   bool `json:"system,omitempty"` // another system prompt
	Tools    bool `json:"tools,omitempty"`  // other tools
	first    bool // the log has none before it
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
	CacheWrite1h  int `json:"cacheWrite1h,omitempty"`
	Cost          int `json:"cost"`
	CostLow       int `json:"costLow"` // Cost is an estimate: the lowest and the highest that the unknowns allow
	CostHigh      int `json:"costHigh"`
	Compactions   int `json:"compactions"` // calls before which compaction changed something
	Edits         int `json:"edits"`
	Summaries     int `json:"summaries"`
	SummaryTokens int `json:"summaryTokens"`
	SummaryCost   int `json:"summaryCost"`
	Thinking      int `json:"thinking,omitempty"` // see Call
	OverWindow    int `json:"overWindow"`         // calls larger than the window
	// number of the first call that is larger than the window, by the provider's count if that is larger; 0 if none is
	FirstOver int `json:"firstOver,omitempty"`
	Errors    int `json:"errors"`

	API      msg.Usage `json:"api"` // sums of the usage that the provider reported
	APICalls int       `json:"apiCalls"`
	APIPeak  int       `json:"apiPeak,omitempty"` // the largest prompt in it
}

func (t *Totals) addCall(c *Call, window int) {
	t.Calls++
	t.Uncompacted += c.Uncompacted
	t.Sent += c.Sent
	t.Peak = max(t.Peak, c.Sent)
	t.CacheRead += c.CacheRead
	t.CacheWrite += c.CacheWrite
	t.CacheWrite1h += c.CacheWrite1h
	t.Input += c.Input
	t.Output += c.Output
	t.Cost += c.Cost
	t.Edits += c.Edits
	t.Summaries += c.Summaries
	t.SummaryTokens += c.SummaryTokens
	t.SummaryCost += c.SummaryCost
	t.Thinking += c.Thinking
	if c.Freed != 0 {
		t.Compactions++
	}
	if c.Sent > window {
		t.OverWindow++
	}
	if t.FirstOver == 0 && (c.Sent > window || c.API != nil && c.API.Prompt() > window) {
		t.FirstOver = c.Number
	}
	if c.Error != "" {
		t.Errors++
	}
	if u := c.API; u != nil {
		t.APICalls++
		t.APIPeak = max(t.APIPeak, u.Prompt())
		t.API.Add(u)
	}
}

// setLimits sets the limits of the policy, in tokens. Longer prompts than `above` are more expensive; 0 for none. fixed
// are the tokens of each request before its messages.
func (r *Report) setLimits(p *policy.Policy, above, fixed int) {
	t, _ := p.Trigger.Below(above, r.Window)
	r.Measure = t.Measure
	limits := t.LimitsFor(r.Window, fixed)
	for _, line := range [...]int{limits.Soft, t.Tokens, p.Clear.TriggerTokens} {
		if line > 0 && (r.Soft == 0 || line < r.Soft) {
			r.Soft = line
		}
	}
	r.Hard = max(limits.Hard, 0) // none in a window that is smaller than the reserve
}

// longCalls counts the calls whose prompt is long by a price.
func (r *Report) longCalls(p models.Price) (n int) {
	for i := range r.Calls {
		if p.IsLong(r.Calls[i].Sent) {
			n++
		}
	}
	return n
}
