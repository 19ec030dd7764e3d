package wire

import (
	"strconv"
	"strings"

	"tamp/core"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
)

// AnyUsage is a core.Usage that is read from our member names or from those of a provider's response, so that a host can pass
// that on as it is.
type AnyUsage core.Usage

// usageMembers lists the names of our four numbers. OpenAI's prompt_tokens include the cached ones.
var usageMembers = [...][]string{
	{"input", "input_tokens", "prompt_tokens"},
	{"cacheRead", "cache_read_input_tokens", "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"},
	{"cacheWrite", "cache_creation_input_tokens"},
	{"output", "output_tokens", "completion_tokens"},
}

// UnmarshalRaw reads a usage. Other members are ignored, but one of usageMembers must be there.
func (u *AnyUsage) UnmarshalRaw(value msg.Raw, path string) *Error {
	var numbers [len(usageMembers)]int
	known := false
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
			numbers[i], known = n, true
		}
	}
	if !known {
		return badRequest(path, "usage has none of input, cacheRead, cacheWrite, output, "+
			"nor a provider's names for them, such as input_tokens or prompt_tokens")
	}
	*u = AnyUsage{Input: numbers[0], CacheRead: numbers[1], CacheWrite: numbers[2], Output: numbers[3]}
	// In these forms the input includes the tokens read from the cache.
	if value.Member("prompt_tokens") != nil || value.Member("prompt_tokens_details") != nil || value.Member("input_tokens_details") != nil {
		u.Input = max(u.Input-u.CacheRead, 0)
	}
	return nil
}
