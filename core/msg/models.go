package msg

import (
	"strconv"
	"strings"
)

// bindsThinking lists the first models whose thinking blocks are bound to the exact system prompt, tools and messages before
// them; later versions of a family bind them too. Source: Anthropic's pages on extended thinking.
var bindsThinking = [...]struct {
	family       string
	major, minor int
}{
	{"claude-fable-", 5, 1}, {"claude-mythos-", 5, 1}, {"claude-opus-", 5, 5}, {"claude-sonnet-", 5, 5}, {"claude-haiku-", 5, 5},
}

// BindsThinking reports whether a model refuses thinking after a changed prefix. The name may start with a vendor or a region
// and have dots for dashes: "anthropic/claude-opus-5.5".
func BindsThinking(model string) bool {
	if at := strings.Index(model, "claude"); at >= 0 {
		model = strings.ReplaceAll(model[at:], ".", "-")
	}
	for _, first := range bindsThinking {
		if version, ok := strings.CutPrefix(model, first.family); ok {
			major, rest := leadingNumber(version)
			minor, _ := leadingNumber(strings.TrimPrefix(rest, "-"))
			return major > first.major || major == first.major && minor >= first.minor
		}
	}
	return false
}

// leadingNumber reads one part of a version, 0 if there is none. A date, which may follow the major version, is not a part.
func leadingNumber(text string) (n int, rest string) {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if n, err := strconv.Atoi(text[:end]); err == nil && end < len("20260101") {
		return n, text[end:]
	}
	return 0, text
}
