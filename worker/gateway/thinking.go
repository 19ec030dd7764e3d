package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"tamp/core/forward"
	"tamp/core/models"
	"tamp/core/msg"
)

// The newest models of Anthropic bind thinking to what precedes it. There are three ways to hold their window, in this
// order: the provider clears results itself, which costs no thinking; it drops the thinking that does not fit any more,
// where the request asks for it; or that thinking is removed here. Source: Anthropic's pages on preserved thinking, on
// its prefix checks and on context editing (docs/gateway.md, "Bound thinking").

// The values of anthropic-beta that the members need which the gateway adds.
const (
	betaClearing = "context-management-2025-06-27"
	betaBinding  = "thinking-binding-controls-2026-08-01"
)

const dropBlock = "drop_block"

// readThinking reads the members of a body that concern bound thinking. Chat Completions hands the thinking of a model
// on with its signatures (OpenRouter, LiteLLM), and has no member for what the provider should do.
func (p *Prepared) readThinking(e *endpoint) {
	t, format := &p.thinking, p.body.Conversation().Format
	if format != msg.Anthropic && format != msg.OpenAIChat {
		return
	}
	if t.binding = models.BindingOf(p.Model); t.binding == models.Unbound || format != msg.Anthropic {
		return
	}
	t.native, t.inBody = true, e.under == bedrockModels
	member := p.body.Member("thinking")
	var given struct {
		Type    string `json:"type"`
		Binding struct {
			Behavior string `json:"prefix_mismatch_behavior"`
		} `json:"block_binding"`
	}
	valid := member == nil || json.Unmarshal(member, &given) == nil
	t.asks = given.Binding.Behavior == dropBlock
	t.may = valid && given.Binding.Behavior == "" && (given.Type == "" || given.Type == "adaptive")
	t.clears = !p.upstream.Plain && !p.body.Has("context_management", "compaction", "thread")
}

// express adds to the body what the provider should do.
func (p *Prepared) express() {
	t, r := &p.thinking, p.Result
	if !t.native || r == nil {
		return
	}
	t.betas = nil
	if r.Clear.Uses > 0 {
		p.Body = forward.SetMember(p.Body, "context_management", clearing(&r.Clear))
		p.Reason, t.betas = "", append(t.betas, betaClearing)
	}
	if r.Changed && p.Reason == "" {
		t.betas = append(t.betas, betaBinding)
		// Fable 5.2 and Mythos 5.2 are strict with every account; for others the field would cost older accounts thinking.
		if t.may && (t.binding == models.BoundAll || r.DropBlock) {
			p.setDropBlock()
		}
	}
	if t.inBody && t.betas != nil {
		p.addBodyBetas()
	}
}

// addBodyBetas moves the values of anthropic-beta that the gateway adds into the body.
func (p *Prepared) addBodyBetas() {
	var have []string
	if json.Unmarshal(forward.Member(p.Body, "anthropic_beta"), &have) != nil {
		have = nil
	}
	for _, beta := range p.thinking.betas {
		if !slices.Contains(have, beta) {
			have = append(have, beta)
		}
	}
	p.Body, p.thinking.betas = forward.SetMember(p.Body, "anthropic_beta", encode(have)), nil
}

// setDropBlock asks the provider to drop thinking that does not fit any more. Without the member thinking these models
// think adaptively.
func (p *Prepared) setDropBlock() {
	member := forward.Member(p.Body, "thinking")
	if member == nil {
		member = []byte(`{"type":"adaptive"}`)
	}
	member = forward.SetMember(member, "block_binding", []byte(`{"prefix_mismatch_behavior":"`+dropBlock+`"}`))
	p.Body, p.thinking.sets = forward.SetMember(p.Body, "thinking", member), true
}

func clearing(c *forward.Clear) []byte {
	type count struct {
		Type  string `json:"type"`
		Value int    `json:"value"`
	}
	keep := count{"tool_uses", c.Keep}
	return encode(map[string]any{"edits": []any{struct {
		Type    string   `json:"type"`
		Trigger count    `json:"trigger"`
		Keep    count    `json:"keep"`
		Exclude []string `json:"exclude_tools,omitempty"`
	}{editToolUses, keep, keep, c.Exclude}}})
}

// refusesClearing names the note that an upstream refuses context_management for a model: it is not asked again.
func (p *Prepared) refusesClearing() string {
	return "context_management " + p.upstream.Name + " " + p.Model
}

// addBetas adds values to the header anthropic-beta.
func addBetas(h http.Header, betas []string) {
	if len(betas) == 0 {
		return
	}
	have := strings.Join(h.Values("Anthropic-Beta"), ",")
	for _, beta := range betas {
		if !strings.Contains(have, beta) {
			have = strings.TrimPrefix(have+","+beta, ",")
		}
	}
	h.Set("Anthropic-Beta", have)
}
