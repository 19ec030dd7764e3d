package marker

import "strings"

// BeginsLikeSummary reports whether a text begins like a summary of Tamp. It may accept texts that Parse refuses.
func BeginsLikeSummary(text string) bool {
	for _, head := range [...]string{
		"[Conversation compressed. Transcript: ", "[Compressed]\n", "[Summary of the earlier ",
		"[compacted summary of turns ", "[Earlier turns truncated ",
	} {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

// BeginsLikePlaceholder reports whether a text begins like a placeholder of a published design, or is like one of ours.
func BeginsLikePlaceholder(text string) bool {
	for _, head := range [...]string{
		"[Previous: used ", PlaceholderOld, PlaceholderCleared,
	} {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return strings.HasPrefix(text, "[") && strings.Contains(text, leftOut)
}
