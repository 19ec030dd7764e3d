package replay

import (
	"strconv"

	"tamp/core"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// DefaultIdle is the time between two calls, in seconds, if the log has no timestamps: the typical run time of a tool.
const DefaultIdle = 5

// The placements of the breakpoints.
const (
	Anchors     = "anchors"   // the default: core.Anchors places those on messages before each call
	Automatic   = "automatic" // one at the end of each request, in addition to those on tools and system prompt
	FromRequest = "request"   // exactly those that the session has
)

// Options of a replay. The zero value is the default: it compacts by the policy.
type Options struct {
	None  bool           // no compaction: the baseline. The policy is ignored
	Model string         // sets window, prices and minimum; "" means the model of the conversation
	Count tokens.Counter // nil means tokens.Estimate

	Breakpoints string // Anchors, Automatic or FromRequest; "" means Anchors; ignored for automatic caches
	// of new breakpoints and of automatic caches: "5m", "1h"; "" means that of the log's usage, else five minutes, and
	// for automatic caches the provider's
	TTL string
	// tokens of each call that the session does not show: system prompt, tools, reminders. nil means by the usage of the
	// log, and none without usage
	Hidden *int
	// of every call; nil means those of its model. Without Prices.Long they are those of calls of any length
	Prices      *models.Price
	Multipliers []models.Multiplier // of the prices of every call, and of the summaries if they are by the same model
	IgnoreUsage bool                // count and simulate although the log has the usage of its calls

	Thinking string // core.Env.Thinking

	Idle int // seconds between two calls if the log has no timestamps; 0 means DefaultIdle

	// Summarize answers all requests of a plan; nil means core.Summarize, whose summaries cost nothing without a
	// SummaryModel. An error ends the replay.
	Summarize    func(c *msg.Conversation, plan *core.Plan) ([]core.SummaryResult, error)
	SummaryModel string // the model whose price the summarizer has; "" means Model, if there is a Summarize

	// MaxWork limits the work, in tokens plus 16 per message: every message counts once when it is appended, and the
	// whole carried conversation counts before each plan and before each further round of a compaction. If the sum
	// exceeds MaxWork, the error is too_much_work, with the path of the answer of the next call. 0 means no limit.
	MaxWork int

	// Progress is called before each call with the number of calls done, and once at the end. If it returns false, the
	// replay ends: the report has Stopped set and covers the calls done. At calls it before each call too, and returns
	// an error after false.
	Progress func(done, of int) bool
}

// isExtractive reports that the summaries cost nothing.
func (o *Options) isExtractive() bool { return o.Summarize == nil && o.SummaryModel == "" }

// The limits of options keep the sums of costs within 63 bits.
const (
	MaxHidden     = 10_000_000 // tokens: ten times the largest window
	MaxPrice      = 1_000_000  // a thousand dollars for a million tokens
	MaxMultiplier = 1_000_000  // a thousand times the price, in permille
)

func validPrices(p *models.Price) bool {
	l := &p.Long
	if min(l.Above, l.Input, l.Output) < 0 || max(l.Above, l.Input, l.Output) > MaxHidden {
		return false
	}
	long := p.At(l.Above + 1)
	return min(p.Input, p.Output, p.Read, p.Write5m, p.Write1h) >= 0 &&
		max(p.Input, p.Output, p.Read, p.Write5m, p.Write1h, long.Input, long.Output) <= MaxPrice
}

func (o *Options) validate() error {
	bad := func(field, reason string) error {
		return msg.NewError(msg.BadRequest, "/"+field, "cannot replay: "+field+" "+reason)
	}
	switch {
	case o.TTL != "" && o.TTL != promptcache.FiveMinutes && o.TTL != promptcache.OneHour:
		return bad("ttl", "must be "+promptcache.FiveMinutes+" or "+promptcache.OneHour)
	case o.Breakpoints != "" && o.Breakpoints != Anchors && o.Breakpoints != Automatic && o.Breakpoints != FromRequest:
		return bad("breakpoints", "must be "+Anchors+", "+Automatic+" or "+FromRequest)
	case o.Hidden != nil && (*o.Hidden < 0 || *o.Hidden > MaxHidden):
		return bad("hidden", "must be from 0 to "+strconv.Itoa(MaxHidden))
	case o.Prices != nil && !validPrices(o.Prices):
		return bad("prices", "must be from 0 to "+strconv.Itoa(MaxPrice))
	case o.Idle < 0:
		return bad("idle", "must not be negative")
	case o.MaxWork < 0:
		return bad("maxWork", "must not be negative")
	}
	return nil
}

// multipliers returns those of the options, with the factors of the catalog for the first of the models that has one. A
// name that the catalog has for other models only changes no price: its factor is 1, as in a folder of several agents.
func (o *Options) multipliers(names []string, format string) (all []models.Multiplier, err error) {
	for i, m := range o.Multipliers {
		if m.Permille == 0 {
			for _, model := range names { // a model that is not sold so has its standard price
				if m.Permille = models.MultiplierOf(model, format, m.Name); m.Permille > 0 {
					break
				}
			}
		}
		if m.Permille == 0 && models.IsMultiplier(m.Name) {
			m.Permille = 1000
		}
		if m.Permille < 1 || m.Permille > MaxMultiplier {
			return nil, msg.NewError(msg.BadRequest, "/multipliers/"+strconv.Itoa(i), "cannot replay: no factor is known for "+
				"a multiplier of this name: give its permille, from 1 to "+strconv.Itoa(MaxMultiplier))
		}
		all = append(all, m)
	}
	return all, nil
}
