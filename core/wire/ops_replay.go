package wire

import (
	"tamp/core/msg"
	"tamp/core/replay"
	"tamp/core/tokens"
)

// The operations on a whole session, after it has been: what it would have sent and cost, and what the model would have seen.

// Replayed is the answer of replay.
type Replayed struct {
	replay.Report
	Price *Price `json:"price,omitempty"` // absent where it is not known; costs are then those of a middling model
}

// Price is what tokens of a model cost.
type Price struct {
	Input   int `json:"input"`   // thousandths of a dollar for a million tokens
	Output  int `json:"output"`  // the same for tokens of answers
	Read    int `json:"read"`    // permille of input, for tokens that are read from the cache
	Write5m int `json:"write5m"` // permille of input, for tokens that are written to the cache for five minutes
	Write1h int `json:"write1h"` // permille of input, for an hour
}

func replaySession(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	o := r.replayOptions(env.Count)
	report, err := replay.Replay(c, policy, o)
	if err != nil {
		return nil, nil, err
	}
	answer := Replayed{Report: *report}
	if p := tokens.ProfileFor(report.Model, c.Format).Price; p != (tokens.Price{}) {
		answer.Price = &Price{p.Input, p.Output, p.Read, p.Write5m, p.Write1h}
	}
	return answer, nil, nil
}

// Seen is the answer of replayAt, beside the conversation that was sent.
type Seen struct {
	Call     int `json:"call"`
	Messages int `json:"messages"` // of the conversation
}

func replayAt(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	sent, err := replay.At(c, policy, r.replayOptions(env.Count), r.call)
	if err != nil {
		return nil, nil, err
	}
	document, err := render(sent)
	return Seen{r.call, len(sent.Messages)}, document, err
}

func (r *request) replayOptions(count tokens.Counter) replay.Options {
	o := replay.Options{None: r.uncompacted, Model: r.model, TTL: r.ttl, Count: count}
	if r.door != nil {
		o.Progress, o.MaxWork = r.door.Progress, r.door.MaxWork
	}
	return o
}

func verdict(r *request) (any, *body, error) {
	var reports []*replay.Report
	if err := decodeInto("reports", r.reports, &reports); err != nil {
		return nil, nil, err
	}
	for _, report := range reports {
		if report == nil {
			return nil, nil, msg.NewError(msg.BadRequest, "/reports", "cannot compare: a report is null")
		}
	}
	return replay.Verdict(reports...), nil, nil
}
