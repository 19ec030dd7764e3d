package fake

import "strings"

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
