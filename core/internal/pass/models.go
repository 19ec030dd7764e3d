package pass

import "strings"

// bindsThinking lists the models whose thinking blocks are bound to the exact system prompt, tools and messages before
// them. From the provider's documentation; a prefix stands for its later versions too.
var bindsThinking = [...]string{"claude-fable-5-1", "claude-opus-5-5", "claude-mythos-5-1", "claude-sonnet-5-5", "claude-haiku-5-5"}

// BindsThinking reports a model that refuses thinking after a changed prefix.
func BindsThinking(model string) bool {
	model = strings.ReplaceAll(model[strings.LastIndexByte(model, '/')+1:], ".", "-")
	for _, prefix := range bindsThinking {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}
