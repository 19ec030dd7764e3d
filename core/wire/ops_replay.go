package wire

import (
	"tamp/core"
	"tamp/core/format"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/replay"
)

// The operations on a recorded session: the requests that it would have sent under a policy, and their cost.

func (c *call) replay(r *ReplayRequest) (*Replayed, error) {
	conversation, policy, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	report, err := replay.Replay(conversation, policy, c.replayOptions(&r.ReplayChoice, &env))
	if err != nil {
		return nil, err
	}
	answer := &Replayed{Report: *report, Price: r.Prices}
	if answer.Price == nil {
		answer.Price = priceOf(report.Model, conversation.Format)
	}
	if len(report.Multipliers) > 0 {
		p := models.Price{Input: answer.Price.Input, Output: answer.Price.Output}.Times(report.Multipliers)
		multiplied := *answer.Price
		multiplied.Input, multiplied.Output = p.Input, p.Output
		answer.Price = &multiplied
	}
	return answer, nil
}

// Seen is the answer of replayAt, with the conversation that was sent.
type Seen struct {
	Call     int `json:"call"`
	Messages int `json:"messages"` // of the conversation
}

func (c *call) replayAt(r *ReplayAtRequest) (*Seen, error) {
	conversation, policy, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	sent, err := replay.At(conversation, policy, c.replayOptions(&r.ReplayChoice, &env), r.Call)
	if err != nil {
		return nil, err
	}
	return &Seen{r.Call, len(sent.Messages)}, c.render(sent)
}

func (c *call) audit(r *ReplayRequest) (*replay.Audited, error) {
	conversation, policy, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	return replay.Audit(conversation, policy, c.replayOptions(&r.ReplayChoice, &env))
}

// usage reads texts only if they have to be counted. The engine does not cache the conversation: a sum over many logs
// reads each once, in the same memory.
func (c *call) usage(r *UsageRequest) (*replay.Used, error) {
	hasTexts := true
	conversation, err := c.parseBy(r.Format, func(text []byte, name string) (c *msg.Conversation, err error) {
		c, hasTexts, err = format.Outline(text, name)
		return c, err
	})
	used, err := c.usageOf(r, conversation, err, hasTexts)
	if hasTexts || used != nil {
		return used, err
	}
	conversation, err = format.Parse(c.text, r.Format)
	return c.usageOf(r, conversation, err, true)
}

// usageOf is usage of a conversation, or nil if that needs texts and it has none.
func (c *call) usageOf(r *UsageRequest, conversation *msg.Conversation, err error, hasTexts bool) (*replay.Used,
	error) {
	if err != nil {
		return nil, err
	}
	_, env, err := c.checkedSettings(&PlanRequest{CountRequest: r.CountRequest}, conversation)
	if err != nil {
		return nil, err
	}
	o := c.replayOptions(&ReplayChoice{PriceChoice: r.PriceChoice}, &env)
	if !hasTexts {
		return replay.Billed(conversation, o)
	}
	return replay.Usage(conversation, o)
}

func (c *call) resent(r *ReplayRequest) (*replay.Resends, error) {
	conversation, policy, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	return replay.Resent(conversation, policy, c.replayOptions(&r.ReplayChoice, &env))
}

func (c *call) lost(r *LostRequest) (*replay.Removed, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	return replay.Lost(conversation, r.LostQuery), nil
}

func (c *call) replayOptions(r *ReplayChoice, env *core.Env) replay.Options {
	o := replay.Options{None: r.Compact != nil && !*r.Compact, Model: r.Model, TTL: r.TTL, Count: env.Count,
		Thinking:    env.Thinking,
		Multipliers: r.Multipliers,
		Breakpoints: r.Breakpoints, Hidden: r.Hidden, Progress: c.engine.Progress, MaxWork: c.engine.MaxWork}
	if p := r.Prices; p != nil {
		o.Prices = &models.Price{Input: p.Input, Output: p.Output, Read: p.Read, Write5m: p.Write5m, Write1h: p.Write1h}
		if p.Long != nil {
			o.Prices.Long = *p.Long
		}
	}
	return o
}

func (*call) verdict(r *VerdictRequest) (*replay.Compared, error) {
	var reports []*replay.Report
	for _, report := range r.Reports {
		if report == nil {
			return nil, msg.NewError(msg.BadRequest, "/reports", "cannot compare: a report is null")
		}
		reports = append(reports, &report.Report)
	}
	compared := replay.Verdict(reports...)
	return &compared, nil
}
