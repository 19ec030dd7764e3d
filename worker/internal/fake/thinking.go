package fake

import (
	"encoding/json"
	"strings"
)

// Thinking blocks are signed, and clients must return them unmodified. A signature of the fake has three digests: of
// its thinking, of the thinking block before it, and of everything else before it. All models check the first digest;
// the newest models check all three (boundThinking).

// bindingModels lists prefixes of the models whose thinking is bound to the conversation before it.
var bindingModels = [...]string{"claude-fable-5-1", "claude-fable-5-2", "claude-mythos-5-1", "claude-mythos-5-2",
	"claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"}

func bindsThinking(model string) bool {
	for _, prefix := range bindingModels {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}

// each calls visit for every block of the prompt before it is added; b is nil for a tool. It returns the prefix of the
// whole request.
func (in *input) each(visit func(w *prefix, b *locatedBlock)) *prefix {
	w := newPrefix()
	var tools []json.RawMessage
	_ = json.Unmarshal(in.fields["tools"], &tools)
	for _, t := range tools {
		visit(w, nil)
		w.add("tools", "", t)
	}
	system, _ := blocksOf(in.System)
	runs := in.runs()
	all := []run{{role: "above"}} // the system prompt
	for i := range system {
		all[0].blocks = append(all[0].blocks, locatedBlock{inputBlock: system[i], at: "system"})
	}
	for _, r := range append(all, runs...) {
		for i := range r.blocks {
			if r.blocks[i].left {
				continue
			}
			visit(w, &r.blocks[i])
			w.add(r.role, r.blocks[i].Type, r.blocks[i].raw)
		}
	}
	return w
}

func (in *input) badThinking() []string {
	var problems []string
	if in.Thinking.Type == "enabled" {
		if in.Thinking.Budget < 1024 || in.MaxTokens != nil && in.Thinking.Budget >= *in.MaxTokens {
			problems = append(problems,
				"thinking.enabled.budget_tokens: must be at least 1024, and `max_tokens` must be greater than it")
		}
	}
	in.each(func(_ *prefix, b *locatedBlock) {
		if b == nil || b.Type != "thinking" {
			return
		}
		if parts := strings.Split(b.Signature, "."); len(parts) != 4 || parts[1] != shortDigest([]byte(b.Thinking)) {
			problems = append(problems, b.at+": Invalid `signature` in `thinking` block")
		}
	})
	return problems
}

// changedThinking reports an open tool round without the thinking block of its answer, or with a part of its thinking
// on a model that thinks adaptively, where all of it may be missing. sent has the signature of the thinking block that
// was sent with each call.
func (in *input) changedThinking(sent map[string]string) []string {
	runs := in.runs()
	for i := len(runs) - 1; i >= 0; i-- {
		if runs[i].role != "assistant" {
			continue
		}
		present := map[string]bool{}
		for _, b := range runs[i].blocks {
			present[b.Signature] = true
		}
		if bindsThinking(in.Model) && len(present) == 1 && present[""] {
			break
		}
		for _, b := range runs[i].blocks {
			if signature := sent[b.ID]; b.Type == "tool_use" && signature != "" && !present[signature] {
				return []string{b.at +
					": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. " +
					"These blocks must remain as they were in the original response."}
			}
		}
		break
	}
	return nil
}
