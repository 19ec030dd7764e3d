package msg

import "strings"

// bindsThinking lists the models whose thinking blocks are bound to the exact system prompt, tools and messages before
// them. From the provider's documentation; a prefix stands for its later versions too.
var bindsThinking = [...]string{"claude-fable-5-1", "claude-opus-5-5", "claude-mythos-5-1", "claude-sonnet-5-5", "claude-haiku-5-5"}

// BindsThinking reports a model that refuses thinking after a changed prefix. It knows names with a vendor or a region in
// front and with dots for dashes: "anthropic/claude-opus-5.5".
func BindsThinking(model string) bool {
	if at := strings.Index(model, "claude"); at >= 0 {
		model = strings.ReplaceAll(model[at:], ".", "-")
	}
	for _, prefix := range bindsThinking {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}
