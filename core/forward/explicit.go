package forward

import (
	"bytes"
	"slices"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// OpenAI's own breakpoints: the member prompt_cache_breakpoint of a part, in Responses and in Chat Completions. Source:
// ResponseInputText, ChatCompletionContentPartText and PromptCacheOptions of openai 7.59.

const explicit = "prompt_cache_breakpoint"

var explicitMember = []byte(`"` + explicit + `"`)

func hasExplicit(value rawjson.Value) bool { return bytes.Contains(value, explicitMember) }

// moveExplicit returns the body of a compacted request with the breakpoints that the compaction has removed: each is at
// the nearest earlier part that is left and can hold one. If the client caches at its breakpoints only
// (prompt_cache_options.mode "explicit") and none is left, there is one at the last text: else nothing is cached.
func moveExplicit(original, body rawjson.Value, format string) rawjson.Value {
	list := map[string]string{msg.OpenAIResponses: "input", msg.OpenAIChat: "messages"}[format]
	if list == "" {
		return body
	}
	before := original.Member(list)
	if !hasExplicit(before) {
		return body
	}
	items := body.Member(list).List()
	places := map[string][]int{} // of an item of the body, ascending
	for i := range items {
		places[string(items[i])] = append(places[string(items[i])], i)
	}
	was, next, moved := before.List(), len(items), 0 // next is the place of the first item behind was[k] that is left
	for k := len(was) - 1; k >= 0 && moved < maxWritten; k-- {
		at := places[string(was[k])]
		for len(at) > 0 && at[len(at)-1] >= next {
			at = at[:len(at)-1]
		}
		if places[string(was[k])] = at; len(at) > 0 {
			next = at[len(at)-1]
		} else if value := breakpointIn(was[k]); value != nil {
			moved++
			setExplicit(items, next, value)
		}
	}
	if isOnly := body.Member("prompt_cache_options").Member("mode").Text() == "explicit"; isOnly &&
		!slices.ContainsFunc(items, hasExplicit) {
		setExplicit(items, len(items), rawjson.Value(`{"mode":"explicit"}`))
	} else if moved == 0 {
		return body
	}
	return body.With(list, body.Member(list).WithElements(items))
}

// maxWritten is the number of breakpoints of a request that are written (the vendor's page on prompt caching).
const maxWritten = 4

// breakpointIn returns the last breakpoint of an item, nil if it has none.
func breakpointIn(item rawjson.Value) (found rawjson.Value) {
	if !hasExplicit(item) {
		return nil
	}
	for _, member := range [...]string{"content", "output"} {
		for _, part := range item.Member(member).List() {
			if value := part.Member(explicit); !value.IsNull() {
				found = value
			}
		}
	}
	return found
}

// setExplicit puts a breakpoint at the last text before a place that can hold one, if there is any.
func setExplicit(items []rawjson.Value, before int, value rawjson.Value) {
	for i := before - 1; i >= 0; i-- {
		for _, member := range [...]string{"content", "output"} {
			if text := withExplicit(items[i], member, value); text != nil {
				items[i] = items[i].With(member, text)
				return
			}
		}
	}
}

// withExplicit returns a member of an item with a breakpoint at its last text, nil if it cannot hold one. A string
// becomes a part: of the user, or the output of a function.
func withExplicit(item rawjson.Value, member string, value rawjson.Value) rawjson.Value {
	list := item.Member(member)
	isChat := item.Member("type") == nil && member == "content"
	canHold := item.Member("role").Text() == "user" || item.Member("type").Text() == "function_call_output"
	if list.Kind() == '"' && canHold {
		kind := `{"type":"input_text"}`
		if isChat {
			kind = `{"type":"text"}`
		}
		list = rawjson.Value("[]").WithElements([]rawjson.Value{rawjson.Value(kind).With("text", list)})
	}
	if list.Kind() != '[' {
		return nil
	}
	parts := list.List()
	for p := len(parts) - 1; p >= 0; p-- {
		if kind := parts[p].Member("type").Text(); kind == "input_text" || kind == "text" {
			parts[p] = parts[p].With(explicit, value)
			return list.WithElements(parts)
		}
	}
	return nil
}
