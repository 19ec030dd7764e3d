package plan

import (
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/view"
)

// Env holds the inputs of a plan that the core cannot read itself: it has no clock, no network and no settings.
type Env struct {
	Count   tokens.Counter // nil: tokens.Estimate
	Usage   *msg.Usage     // of the last response; nil if unknown
	IdleSec int            // seconds since the last model call, for cache lifetimes; 0 if unknown: the cache is warm
	TTL     string         // of the prompt cache: "5m" or "1h"; "" means that of the conversation's breakpoints, else 5m
	Price   models.Price   // zero means that of the model
	Force   bool           // compact now, even if no trigger fires
	Focus   string         // topics that summaries must preserve; "" = none
	Chosen  *Chosen        // blocks that the host chose to keep, to remove or to summarize; nil = none
	// what becomes of thinking that is bound to changed text: StripThinking (the default), KeepThinking or DropBlock
	Thinking string

	// Extractive says that Tamp answers the requests of the plan (core.Summarize): a summary costs nothing then.
	Extractive bool

	// Lean makes Apply skip Outcome.Quality, Outcome.Fates, Action.Dropped, and the fingerprint of the request that
	// Observe compares. It is for replays, which apply hundreds of plans and show none of them.
	Lean bool

	cache   *view.Cache // of the session or of the conversation; nil without one
	unasked bool        // the requests of the plan are not sent, so they have no text
}

// Chosen holds blocks of the conversation that a plan is for. Do not change it afterwards.
type Chosen struct {
	Keep []msg.Ref // stay as they are; thinking that the provider would refuse goes in any case
	// Are removed, with the other halves of their pairs. The plan removes and summarizes what is chosen, and does nothing
	// else: Outcome.Next compacts the rest.
	Drop []msg.Ref
	// Are summarized. Each run of messages that are chosen whole, with the other halves of their pairs, gets one summary.
	// Of other messages, the chosen texts and tool results get one in place; another block means all of its message.
	// The error is bad_request for a block that cannot be summarized, such as an instruction or one of the open round.
	Summarize []msg.Ref
}

func (e *Env) keep() []msg.Ref {
	if e.Chosen == nil {
		return nil
	}
	return e.Chosen.Keep
}

func (e *Env) drop() []msg.Ref {
	if e.Chosen == nil {
		return nil
	}
	return e.Chosen.Drop
}

func (e *Env) summarize() []msg.Ref {
	if e.Chosen == nil {
		return nil
	}
	return e.Chosen.Summarize
}

// changesChosen reports whether the plan is one of what the host chose.
func (e *Env) changesChosen() bool { return len(e.drop())+len(e.summarize()) > 0 }

// CacheOf returns the cache of an Env; nil without one.
func CacheOf(env *Env) *view.Cache { return env.cache }

// SetCache sets the cache of an Env, for the plan of a conversation and what follows it, all with the same counter.
func SetCache(env *Env, k *view.Cache) { env.cache = k }

// SetUnasked is for a plan whose requests are not sent: they have no text.
func SetUnasked(env *Env) { env.unasked = true }

// The values of Env.Thinking.
const (
	StripThinking = "strip"      // remove what does not fit any more; the default
	KeepThinking  = "keep"       // the same, but change nothing before thinking of an open round
	DropBlock     = "drop_block" // the request asks the provider to drop it: prefix_mismatch_behavior, drop_block
)

// CheckThinking returns an error for an unknown value of Env.Thinking.
func CheckThinking(thinking string) error {
	switch thinking {
	case "", StripThinking, KeepThinking, DropBlock:
		return nil
	}
	return msg.NewError(msg.BadRequest, "/thinking",
		"cannot use thinking: want "+StripThinking+", "+KeepThinking+" or "+DropBlock)
}

// priceOf returns the price that decisions assume.
func priceOf(env *Env, c *msg.Conversation) models.Price {
	if env.Price != (models.Price{}) {
		return env.Price
	}
	if price := models.ProfileFor(c.Model, c.Format).Price; price != (models.Price{}) {
		return price
	}
	return models.MidRange
}
