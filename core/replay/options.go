package replay

import (
	"tamp/core"
	"tamp/core/anchor"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// DefaultIdle is how many seconds lie between two calls where the log does not say: what a tool takes to run.
const DefaultIdle = 5

// Where the breakpoints of the prompt cache stand.
const (
	Anchors     = "anchors"   // the default: those on messages go where core.Anchors puts them for each call
	Automatic   = "automatic" // one that goes along, at the end of each request, beside those on tools and system prompt
	AsTheyStand = "request"   // where the session has them, and nowhere else
)

// Options are what a replay may choose. The zero value compacts by the policy and is the default.
type Options struct {
	None  bool           // no compaction at all: the baseline. The policy is not looked at
	Model string         // whose window, prices and minimum; "" means the conversation's own
	Count tokens.Counter // nil means tokens.Estimate

	Breakpoints string // one of the constants below; formats whose provider caches by itself have none
	TTL         string // of the breakpoints that are set, and of automatic caches: "5m", "1h"; "" means five minutes

	Idle int // seconds between two calls where the log has no time; 0 means DefaultIdle

	// Summarize answers a plan's requests, each of them, where core.Summarize is not to. An error ends the replay.
	Summarize    func(c *msg.Conversation, plan *core.Plan) ([]core.SummaryResult, error)
	SummaryModel string // whose price the summarizer has; "" means Model's

	// MaxWork limits the work, in tokens, of which each message has 16 in addition: every message counts once when it comes, and
	// before each plan, and each further round of its compaction, the whole conversation as it is carried then. Where the sum
	// passes MaxWork the error is too_much_work, at the answer of the call that was next. 0 means no limit.
	MaxWork int

	// Progress is called before each call with the calls done, and once when all are. False ends the replay: the report then says
	// Stopped and covers the calls done. At calls it before each call too, and returns an error after false.
	Progress func(done, of int) bool
}

func (o *Options) validate() error {
	bad := func(field, reason string) error {
		return msg.NewError(msg.BadRequest, "/"+field, "cannot replay: "+field+" "+reason)
	}
	switch {
	case o.TTL != "" && o.TTL != anchor.FiveMinutes && o.TTL != anchor.OneHour:
		return bad("ttl", "must be "+anchor.FiveMinutes+" or "+anchor.OneHour)
	case o.Breakpoints != "" && o.Breakpoints != Anchors && o.Breakpoints != Automatic && o.Breakpoints != AsTheyStand:
		return bad("breakpoints", "must be "+Anchors+", "+Automatic+" or "+AsTheyStand)
	case o.Idle < 0:
		return bad("idle", "must not be negative")
	case o.MaxWork < 0:
		return bad("maxWork", "must not be negative")
	}
	return nil
}
