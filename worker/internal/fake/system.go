package fake

import (
	"fmt"
	"strings"
)

// Messages of role system in the middle of a conversation. Source: Anthropic's pages on mid-conversation system
// messages and on changing tools or instructions. They are compared with the rest of the prefix of thinking, but for
// the effort.

const (
	effortBeta  = "mid-conversation-output-config-2026-07-01"
	turnBeta    = "per-turn-control-2026-07-01" // what Claude Code sends for it
	clearAtBeta = "mid-conversation-system-clear-at-2026-08-21"
	// effortType is the type of the only block of a message that sets the effort and has no content.
	effortType = "effort"
)

// setsEffort reports whether the message has no content and only sets the effort.
func (m *inputMessage) setsEffort() bool {
	content := strings.TrimSpace(string(m.Content))
	return m.Role == "system" && m.Output.Effort != "" && (content == "[]" || content == `""` || content == "")
}

// badSystem checks where system messages are, and what they have. Those that only set the effort may be anywhere.
func (in *input) badSystem() (problems []string) {
	var list []*inputMessage // without those that only set the effort
	var at []int
	for i := range in.Messages {
		if m := &in.Messages[i]; !m.setsEffort() {
			list, at = append(list, m), append(at, i)
		}
	}
	say := func(i int, text string) { problems = append(problems, fmt.Sprintf("messages.%d: %s", at[i], text)) }
	for i, m := range list {
		if i == 0 && m.Role != "user" {
			say(i, `first message must use the "user" role`)
		}
		if m.Role != "system" || i == 0 {
			continue
		}
		blocks, _ := m.blocks()
		for _, b := range blocks {
			text := b.Type == "text"
			if !text && b.Type != "tool_addition" && b.Type != "tool_removal" || !text && m.ClearAt != "" {
				say(i, "a system message takes no block of type "+b.Type)
			}
			if m.ClearAt != "" && b.Cache != nil {
				say(i, "cache_control cannot be set with clear_at")
			}
		}
		if before := list[i-1]; before.Role == "assistant" && !before.endsInServerResult() {
			say(i, "a system message must follow a user message, or an assistant message that ends in a server tool result")
		}
		if i+1 < len(list) && list[i+1].Role == "user" {
			say(i, "an assistant message must follow a system message")
		}
	}
	return problems
}

func (m *inputMessage) endsInServerResult() bool {
	blocks, _ := m.blocks()
	return len(blocks) > 0 && blocks[len(blocks)-1].Type != "tool_result" &&
		strings.HasSuffix(blocks[len(blocks)-1].Type, "_tool_result")
}
