package wire

import (
	"slices"
	"strconv"

	"tamp/core"
	"tamp/core/msg"
)

// Usage comes in our words or in those of a provider's response, so that a host can hand that on as it is.

// counts lists the members that say one of our four numbers. OpenAI's prompt_tokens hold the cached ones too.
var counts = [...]struct {
	at    string // what we call it
	names []string
}{
	{"input", []string{"input", "input_tokens", "prompt_tokens"}},
	{"cacheRead", []string{"cacheRead", "cache_read_input_tokens", "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"}},
	{"cacheWrite", []string{"cacheWrite", "cache_creation_input_tokens"}},
	{"output", []string{"output", "output_tokens", "completion_tokens"}},
}

// decodeUsage reads a usage. Members that are no such count are passed over, but one of them must be there.
func decodeUsage(value msg.Raw, to **core.Usage) error {
	if value.Kind() != '{' {
		return wrongType("usage", "an object")
	}
	var numbers [len(counts)]int
	known, includes := false, false // includes: the input holds what was read from the cache
	take := func(name, path string, v msg.Raw) error {
		for i, row := range counts {
			if !slices.Contains(row.names, name) || v.IsNull() {
				continue
			}
			n, err := strconv.Atoi(string(v))
			if err != nil || n < 0 {
				return msg.NewError(msg.BadRequest, "/usage/"+path, "cannot read request: a whole number of tokens is wanted there")
			}
			numbers[i], known = n, true
		}
		return nil
	}
	for name, v := range value.Members() {
		if name != "prompt_tokens_details" && name != "input_tokens_details" {
			includes = includes || name == "prompt_tokens"
			if err := take(name, name, v); err != nil {
				return err
			}
			continue
		}
		includes = true
		for inner, v := range v.Members() {
			if err := take(name+"."+inner, name+"/"+inner, v); err != nil {
				return err
			}
		}
	}
	if !known {
		return msg.NewError(msg.BadRequest, "/usage", "cannot read request: usage has none of input, cacheRead, cacheWrite, output, "+
			"nor a provider's words for them, such as input_tokens or prompt_tokens")
	}
	u := core.Usage{Input: numbers[0], CacheRead: numbers[1], CacheWrite: numbers[2], Output: numbers[3]}
	if includes {
		u.Input = max(u.Input-u.CacheRead, 0)
	}
	*to = &u
	return nil
}
