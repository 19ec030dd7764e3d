package models

import (
	"strconv"
	"strings"
)

// Binding says whether a model's thinking blocks are bound to the exact system prompt, tools and messages before them.
type Binding uint8

const (
	Unbound Binding = iota
	// BoundNewer: accounts made since 31 August 2026 are refused after a changed prefix, and requests that ask for it.
	BoundNewer
	// BoundAll: every account is refused.
	BoundAll
)

// bindings lists the first models of each family with a binding; later versions have it too. Source: Anthropic's pages
// on preserved thinking and on Fable 5.2. Mythos 5.1 is refused for all on some platforms.
var bindings = [...]struct {
	family       string
	major, minor int
	Binding
}{
	{"claude-fable-", 5, 2, BoundAll}, {"claude-mythos-", 5, 2, BoundAll}, {"claude-fable-", 5, 1, BoundNewer},
	{"claude-mythos-", 5, 1, BoundNewer},
	{"claude-opus-", 5, 5, BoundNewer}, {"claude-sonnet-", 5, 5, BoundNewer}, {"claude-haiku-", 5, 5, BoundNewer},
}

// BindingOf returns the binding of a model. The name may start with a vendor or a region and have dots for dashes:
// "anthropic/claude-opus-5.5".
func BindingOf(model string) Binding {
	model = strings.ReplaceAll(strings.ToLower(lastPart(model)), ".", "-")
	for _, first := range bindings {
		if _, version, ok := strings.Cut(model, first.family); ok {
			major, rest := leadingNumber(version)
			minor, _ := leadingNumber(strings.TrimPrefix(rest, "-"))
			if major > first.major || major == first.major && minor >= first.minor {
				return first.Binding
			}
		}
	}
	return Unbound
}

// BindsThinking reports whether a model refuses thinking after a changed prefix, for some accounts or all.
func BindsThinking(model string) bool { return BindingOf(model) != Unbound }

// systems lists the first models of each family that take system messages among the messages. Source: Anthropic's page
// on mid-conversation system messages; Fable and Mythos all do.
var systems = [...]struct {
	family       string
	major, minor int
}{{"claude-opus-", 4, 8}, {"claude-sonnet-", 5, 5}, {"claude-haiku-", 5, 5}, {"claude-", 4, 0}}

// RefusesSystem reports a model of Anthropic that takes no system message among the messages, only the member system.
func RefusesSystem(model string) bool {
	model = strings.ReplaceAll(strings.ToLower(lastPart(model)), ".", "-")
	for _, first := range systems {
		if _, version, ok := strings.Cut(model, first.family); ok {
			major, rest := leadingNumber(version)
			minor, _ := leadingNumber(strings.TrimPrefix(rest, "-"))
			return major > 0 && (major < first.major || major == first.major && minor < first.minor)
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

// NeedsReasoning reports a model of DeepSeek (V4 and later) or Kimi (K2.5 and later, and K2 Thinking) that refuses an
// assistant message with calls that lacks its reasoning_content, while thinking is on. Sources: DeepSeek's and
// Moonshot's pages on thinking; anomalyco/opencode#24722, mastra-ai/mastra#12592.
func NeedsReasoning(model string) bool {
	model = strings.ReplaceAll(strings.ToLower(model), ".", "-")
	if _, version, found := strings.Cut(model, "deepseek-v"); found {
		major, _ := leadingNumber(version)
		return major >= 4
	}
	if hasName(model, "deepseek-flash") || hasName(model, "deepseek-pro") || hasName(model, "kimi-for-coding") {
		return true
	}
	_, version, found := strings.Cut(model, "kimi-k")
	major, rest := leadingNumber(version)
	minor, _ := leadingNumber(strings.TrimPrefix(rest, "-"))
	return found && (major >= 3 || major == 2 && (minor >= 5 && minor < 100 || strings.HasPrefix(rest, "-thinking")))
}

// ReturnsReasoning reports a model of GLM (5.2 and later) whose messages of the assistant go back with their
// reasoning_content, so that none is made up for it. Source: docs.z.ai, "Preserved Thinking".
func ReturnsReasoning(model string) bool {
	_, version, found := strings.Cut(strings.ReplaceAll(strings.ToLower(lastPart(model)), ".", "-"), "glm-")
	major, rest := leadingNumber(version)
	minor, _ := leadingNumber(strings.TrimPrefix(rest, "-"))
	return found && (major > 5 || major == 5 && minor >= 2)
}

// AlternatesRoles reports a model of Mistral whose chat template refuses two messages of the user in a row, wherever it
// runs by its template (llama.cpp, vLLM, LM Studio, Ollama); Mistral's own API takes them. Source: the templates of
// Mistral Small 3.1, Devstral 2 and Ministral 3 in llama.cpp (models/templates, commit 9190da22).
func AlternatesRoles(model string) bool {
	model = strings.ToLower(lastPart(model))
	for _, name := range [...]string{"mistral", "ministral", "devstral", "magistral", "codestral"} {
		if hasName(model, name) {
			return true
		}
	}
	return false
}

// IsOpenAI reports a model of OpenAI. Other vendors copy its Chat Completions, and check less.
func IsOpenAI(model string) bool {
	for _, name := range [...]string{"gpt", "chatgpt", "codex", "o1", "o3", "o4"} {
		if hasName(strings.ToLower(model), name) {
			return true
		}
	}
	return false
}
