package wire

import (
	"strconv"
	"strings"

	"tamp/core"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
)

// AnyUsage is a core.Usage that is read from our member names or from those of a provider's response, so that a host
// can pass that on as it is.
type AnyUsage core.Usage

// usageMembers lists the names of our four numbers in the usage of Anthropic, OpenAI, Gemini (…TokenCount) and the AI
// SDK (inputTokens; promptTokens before version 5).
var usageMembers = [...][]string{
	{"input", "input_tokens", "prompt_tokens", "promptTokenCount", "promptTokens", "inputTokens"},
	{"cacheRead", "cache_read_input_tokens", "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens",
		"cachedContentTokenCount", "cachedInputTokens", "inputTokenDetails.cacheReadTokens"},
	{"cacheWrite", "cache_creation_input_tokens", "inputTokenDetails.cacheWriteTokens",
		"prompt_tokens_details.cache_write_tokens", "input_tokens_details.cache_write_tokens"},
	{"output", "output_tokens", "completion_tokens", "candidatesTokenCount", "completionTokens", "outputTokens"},
}

// totals are the members of a usage whose input includes the tokens read from the cache, and where they are next to
// those (AI SDK; openai 7.57.0, PromptTokensDetails.cache_write_tokens) those written to it.
var totals = [...]string{"prompt_tokens", "prompt_tokens_details", "input_tokens_details", "promptTokenCount",
	"promptTokens", "inputTokens"}

// UnmarshalRaw reads a usage. Other members are ignored, but one of usageMembers must be there.
func (u *AnyUsage) UnmarshalRaw(value rawjson.Value, path string) *Error {
	var numbers [len(usageMembers)]int
	any, written := false, 0 // of the input, as its details say
	for i, names := range usageMembers {
		for _, name := range names {
			outer, inner, nested := strings.Cut(name, ".")
			v := value.Member(outer)
			if nested {
				v = v.Member(inner)
			}
			if v == nil || v.IsNull() {
				continue
			}
			n, err := strconv.Atoi(string(v))
			if err != nil || n < 0 {
				return structjson.TypeMismatch(path+"/"+strings.ReplaceAll(name, ".", "/"), "a whole number of tokens")
			}
			if numbers[i], any = n, true; i == 2 && nested {
				written = n
			}
		}
	}
	if !any {
		return badRequest(path, "usage has none of input, cacheRead, cacheWrite, output, "+
			"nor a provider's names for them, such as input_tokens or prompt_tokens")
	}
	*u = AnyUsage{Input: numbers[0], CacheRead: numbers[1], CacheWrite: numbers[2], Output: numbers[3]}
	if n, err := strconv.Atoi(string(value.Member("thoughtsTokenCount"))); err == nil && n > 0 {
		u.Output += n // Gemini counts thoughts next to the answer
	}
	for _, name := range totals {
		if value.Member(name) == nil {
			continue
		}
		// Some providers of the AI SDK's version 5 leave the cached tokens out: then they can exceed the input.
		if cached := u.CacheRead + u.CacheWrite; name != "inputTokens" {
			u.Input = max(u.Input-u.CacheRead-written, 0)
		} else if cached <= u.Input {
			u.Input -= cached
		}
		break
	}
	return nil
}
