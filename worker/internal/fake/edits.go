package fake

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// What the provider itself changes in a request to a model that binds thinking: with drop_block it drops thinking that
// does not fit any more, and with context_management it clears results, after it has compared the request as it was
// sent. The account of this provider is a new one: without drop_block it refuses.

// The values of anthropic-beta for both.
const (
	bindingBeta  = "thinking-binding-controls-2026-08-01"
	clearingBeta = "context-management-2025-06-27"
)

// betas returns problems with members that need a value of anthropic-beta.
func (in *input) betas(h http.Header) (problems []string) {
	given := strings.Join(h.Values("Anthropic-Beta"), ",")
	in.reports = strings.Contains(given, bindingBeta)
	if behavior := in.Thinking.Binding.Behavior; behavior != "" {
		switch {
		case !in.reports || in.Thinking.Type != "adaptive" && in.Thinking.Type != "enabled":
			problems = append(problems, "thinking.block_binding: Extra inputs are not permitted")
		case behavior != "error" && behavior != "drop_block":
			problems = append(problems, "thinking.block_binding.prefix_mismatch_behavior: Input should be 'error' or "+
				"'drop_block'")
		}
	}
	if in.fields["context_management"] != nil && !strings.Contains(given, clearingBeta) &&
		!strings.Contains(given, "compact-2026-01-12") {
		problems = append(problems, "context_management: Extra inputs are not permitted")
	}
	for _, m := range in.Messages {
		if m.Output.Effort != "" && !strings.Contains(given, effortBeta) && !strings.Contains(given, turnBeta) {
			problems = append(problems, "messages.output_config: Extra inputs are not permitted")
		}
		if m.ClearAt != "" && !strings.Contains(given, clearAtBeta) {
			problems = append(problems, "messages.clear_at: Extra inputs are not permitted")
		}
	}
	return problems
}

// boundThinking reports thinking that is bound to another conversation. With drop_block the first such block and all
// thinking after it are dropped instead.
func (in *input) boundThinking() (problems []string) {
	if !bindsThinking(in.Model) {
		return nil
	}
	const other = ": Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove " +
		"the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\" (" + bindingBeta + ")."
	in.each(func(w *prefix, b *locatedBlock) {
		if b == nil || b.Type != "thinking" {
			return
		}
		parts := strings.Split(b.Signature, ".")
		switch {
		case len(parts) != 4:
		case parts[3] != hex.EncodeToString(w.withoutThinking.Sum(nil)[:8]):
			problems = append(problems, b.at+other)
		case w.last != "" && parts[2] != w.last:
			problems = append(problems, b.at+other+" Thinking was taken out of the middle before it.")
		}
	})
	if len(problems) == 0 || in.Thinking.Binding.Behavior != "drop_block" {
		return problems
	}
	first, _, _ := strings.Cut(problems[0], ":")
	begun := false
	in.rewrite(func(at string, block object) bool {
		begun = begun || at == first
		if kind := block["type"]; !begun || kind != "thinking" && kind != "redacted_thinking" {
			return true
		}
		in.dropped = append(in.dropped, transformation{"thinking_dropped", at, "prefix_binding_mismatch"})
		return false
	})
	return nil
}

// clear clears results as context_management asks.
func (in *input) clear() {
	var asked struct {
		Edits []struct {
			Type string `json:"type"`
			Keep struct {
				Value int `json:"value"`
			} `json:"keep"`
			Exclude []string `json:"exclude_tools"`
		} `json:"edits"`
	}
	if in.fields["context_management"] == nil || json.Unmarshal(in.fields["context_management"], &asked) != nil {
		return
	}
	for _, edit := range asked.Edits {
		if edit.Type != "clear_tool_uses_20250919" {
			continue
		}
		names, all := map[any]string{}, 0
		in.rewrite(func(_ string, block object) bool {
			if block["type"] == "tool_use" {
				names[block["id"]], _ = block["name"].(string)
				all++
			}
			return true
		})
		done := 0
		in.rewrite(func(_ string, block object) bool {
			if block["type"] == "tool_result" && done < all-edit.Keep.Value {
				if done++; !slices.Contains(edit.Exclude, names[block["tool_use_id"]]) {
					block["content"] = "[cleared]"
				}
			}
			return true
		})
	}
}

// rewrite calls change for each block of the messages; false removes it.
func (in *input) rewrite(change func(at string, block object) bool) {
	for m := range in.Messages {
		var blocks []object
		if json.Unmarshal(in.Messages[m].Content, &blocks) != nil {
			continue
		}
		kept := []object{}
		for b := range blocks {
			if change(fmt.Sprintf("messages.%d.content.%d", m, b), blocks[b]) {
				kept = append(kept, blocks[b])
			}
		}
		in.Messages[m].Content = marshal(kept)
	}
}
