package gateway

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"tamp/core/forward"
	"tamp/core/models"
	"tamp/core/msg"
)

// A request that a model refused is repeated on another one with a fallback_credit_token, and has to be the same but
// for the model: else the provider answers 400. So it is compacted as for the model that refused it. Source:
// MessageCreateParams of @anthropic-ai/sdk 1.14.

// takeFallback makes a request with a fallback_credit_token one to the model that refused it. It reports whether that
// is known; if not, the request passes as it is.
func (g *Gateway) takeFallback(p *Prepared, e *endpoint) bool {
	if p.body.Conversation().Format != msg.Anthropic {
		return true
	}
	repeated := p.body.Has("fallback_credit_token")
	if !repeated && models.BindingOf(p.Model) == models.Unbound { // older models refuse nothing for a credit
		return true
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "%s\n", p.credential)
	for i := range p.body.Points()[len(p.body.Points())-1] {
		digest.Write(p.body.Message(i))
		digest.Write([]byte{'\n'})
	}
	name := fmt.Sprintf("%x", digest.Sum(nil))
	if !repeated {
		g.notes.keep(name, p.Model)
		return true
	}
	model := g.notes.find(name)
	if model == "" {
		return false
	}
	p.Model = model
	p.body.SetModel(p.Model)
	p.readThinking(e)
	return true
}

// ownMembers changes the members of a compacted request that are about its size.
func (p *Prepared) ownMembers() {
	switch p.body.Conversation().Format {
	case msg.Anthropic:
		p.spendTaskBudget()
	case msg.OpenAIChat:
		p.dropPlugin()
	}
}

// spendTaskBudget lowers what is left of the task's budget (output_config.task_budget) by the tokens that compactions
// have removed: the model no longer sees them, and would count them again. Source: BetaTokenTaskBudget of
// @anthropic-ai/sdk 1.14.
func (p *Prepared) spendTaskBudget() {
	config := p.body.Member("output_config")
	var given struct {
		Budget *struct {
			Total     int  `json:"total"`
			Remaining *int `json:"remaining"`
		} `json:"task_budget"`
	}
	if config == nil || json.Unmarshal(config, &given) != nil || given.Budget == nil {
		return
	}
	left := given.Budget.Total
	if given.Budget.Remaining != nil {
		left = *given.Budget.Remaining
	}
	left = max(left-(p.Result.Before-p.Result.After), 0)
	budget := forward.SetMember(forward.Member(config, "task_budget"), "remaining", fmt.Append(nil, left))
	p.Body = forward.SetMember(p.Body, "output_config", forward.SetMember(config, "task_budget", budget))
}

// dropPlugin removes the plugin of OpenRouter that shortens the middle of a prompt, in a request that is compacted:
// one of the two is enough, and the plugin keeps no originals.
func (p *Prepared) dropPlugin() {
	var plugins []json.RawMessage
	if json.Unmarshal(p.body.Member("plugins"), &plugins) != nil {
		return
	}
	var kept []json.RawMessage
	for _, plugin := range plugins {
		var named struct{ ID string }
		if json.Unmarshal(plugin, &named) != nil || named.ID != contextCompression {
			kept = append(kept, plugin)
		}
	}
	if p.plugin = len(kept) < len(plugins); p.plugin {
		p.Body = forward.SetMember(p.Body, "plugins", listOf(kept))
	}
}

const contextCompression = "context-compression"
