package plan

import (
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/tokens"
	"tamp/core/view"
)

// The sources of a window.
const (
	WindowOfPolicy     = "policy"     // trigger.window
	WindowOfLog        = "log"        // the agent wrote it into the log
	WindowOfCompaction = "compaction" // the agent compacted by itself in a smaller window than the model has
	WindowOfCatalog    = "catalog"    // that of the model
	WindowAssumed      = "assumed"    // the catalog does not have the model
)

// Window returns the context window in tokens: the policy's, else that of the agent by its log, else the model's.
func Window(p *policy.Policy, c *msg.Conversation) int {
	window, _ := WindowOf(p, c)
	return window
}

// WindowOf is Window, with the source of the number.
func WindowOf(p *policy.Policy, c *msg.Conversation) (window int, source string) {
	catalog := models.WindowOf(c.Model)
	switch {
	case p.Trigger.Window > 0:
		return p.Trigger.Window, WindowOfPolicy
	case c.Agent != nil && c.Agent.Window > 0:
		return c.Agent.Window, WindowOfLog
	case c.Agent != nil && c.Agent.Limit > 0 && c.Agent.Limit < catalog:
		return c.Agent.Limit, WindowOfCompaction
	case !models.Known(c.Model):
		return catalog, WindowAssumed
	}
	return catalog, WindowOfCatalog
}

// measure returns the size of the conversation by the trigger's rule. saved is the number of tokens freed by layers 0
// and 1.
func measure(in *view.View, rule string, env *Env, saved int) int {
	switch rule {
	case "chars4_json":
		return jsonLength(in.Meter, in.Conversation.Format, in.Conversation.Messages) / 4
	case "chars3":
		return tokens.NewMeter(tokens.Chars3, in.Conversation).Conversation(in.Conversation).Total
	}
	if env.Usage == nil {
		return usageFromMessages(in, saved)
	}
	if env.Usage.Prompt() == 0 { // a real call has a prompt: ignore this usage
		return in.Counts.Total
	}
	c := in.Conversation
	used := env.Usage.Prompt() + env.Usage.Output - saved
	for m := len(c.Messages) - 1; m >= 0 && c.Messages[m].Role != msg.Assistant; m-- {
		used += in.Counts.Messages[m].Tokens
	}
	return used
}

// usageFromMessages returns the size by the API's usage on the messages, as in a log. That usage includes a system
// prompt and tools that are missing in the log. Without plausible usage, the size is the count.
func usageFromMessages(in *view.View, saved int) int {
	if in.Track.Usage == nil {
		return in.Counts.Total
	}
	after := 0
	for m := in.Track.At + 1; m < len(in.Counts.Messages); m++ {
		after += in.Counts.Messages[m].Tokens
	}
	covered := in.Counts.Total + saved - after
	if !in.Track.Covers(covered) {
		return in.Counts.Total
	}
	return in.Track.Usage.Prompt() + in.Track.Usage.Output + after - saved
}

// jsonLength returns the size by the rule chars4_json, in code points. Images and documents have the size of their
// tokens: their data is not text.
func jsonLength(meter tokens.Meter, format string, messages []msg.Message) int {
	n := summarize.JSONLength(format, messages)
	for m := range messages {
		for b := range messages[m].Blocks {
			block := &messages[m].Blocks[b]
			if block.Kind == msg.KindImage || block.Kind == msg.KindDocument {
				n += 4 * meter.Block(block)
			}
			for i := range block.Parts {
				if part := &block.Parts[i]; part.Kind == msg.KindImage || part.Kind == msg.KindDocument {
					n += 4 * meter.Block(part)
				}
			}
		}
	}
	return n
}

// publishedSize is the size of a conversation that grows at its end, by the published rule of a trigger.
type publishedSize struct {
	length, messages int // code points of JSON for chars4_json, and the messages that it covers
	meter            tokens.Meter
	counts           tokens.Counts // for chars3
}

// addMessages adds the messages of in after those that it has.
func (s *publishedSize) addMessages(in *view.View, rule string) {
	c := in.Conversation
	switch rule {
	case "chars4_json":
		if s.messages < len(c.Messages) { // each has a separator or brackets, two code points
			s.length += jsonLength(in.Meter, c.Format, c.Messages[s.messages:])
			s.messages = len(c.Messages)
		}
	case "chars3":
		if s.meter.Counter == nil {
			s.meter = tokens.NewMeter(tokens.Chars3, c)
			s.counts = s.meter.Conversation(c.WithMessages(nil))
		}
		s.meter.Extend(&s.counts, c)
	}
}

// truncate goes back to the first n messages of c, which have so many code points.
func (s *publishedSize) truncate(c *msg.Conversation, n, length int) {
	if s.length, s.messages = length, min(s.messages, n); s.meter.Counter != nil {
		s.counts.Truncate(c.Messages, n)
	}
}

// effectivePolicy returns p with the values that depend on the window and on the size of system prompt and tools.
func effectivePolicy(p *policy.Policy, in *view.View) *policy.Policy {
	recent := p.RecentTokensFor(Window(p, in.Conversation), in.Counts.System+in.Counts.Tools)
	if recent == p.Pin.RecentTokens {
		return p
	}
	q := *p
	q.Pin.RecentTokens = recent
	return &q
}
