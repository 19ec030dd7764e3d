package models

import (
	"strconv"
	"strings"
)

// bindsThinking lists the first models whose thinking blocks are bound to the exact system prompt, tools and messages
// before them; later versions of a family bind them too. Source: Anthropic's pages on extended thinking.
var bindsThinking = [...]struct {
	family       string
	major, minor int
}{
	{"claude-fable-", 5, 1}, {"claude-mythos-", 5, 1}, {"claude-opus-", 5, 5}, {"claude-sonnet-", 5, 5},
	{"claude-haiku-", 5, 5},
}

// BindsThinking reports whether a model refuses thinking after a changed prefix. The name may start with a vendor or a
// region and have dots for dashes: "anthropic/claude-opus-5.5".
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

// PaysCacheWrites reports an OpenAI model whose automatic cache charges for writes and keeps prefixes for 30 minutes:
// GPT-5.6 and later.
func PaysCacheWrites(model string) bool {
	at := strings.Index(model, "gpt-")
	if at < 0 || at > 0 && isNameByte(model[at-1]) {
		return false
	}
	major, rest := leadingNumber(strings.ReplaceAll(model[at+len("gpt-"):], ".", "-"))
	minor, _ := leadingNumber(strings.TrimPrefix(rest, "-"))
	return major > 5 || major == 5 && minor >= 6
}

// leadingNumber reads one part of a version, 0 if there is none. A date, which may follow the major version, is not a
// part.
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

// RequiresSignature reports whether a Gemini model refuses a function call of the current turn without a
// thoughtSignature: Gemini 3 and later. Source: ai.google.dev/gemini-api/docs/thought-signatures.
func RequiresSignature(model string) bool {
	_, version, found := strings.Cut(strings.ToLower(model), "gemini-")
	return found && version != "" && version[0] >= '3' && version[0] <= '9'
}
