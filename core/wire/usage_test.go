package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
	"tamp/core/wire"
)

// The usage of each SDK, as it is, gives the same four numbers.
func TestUsageOfTheSDKs(t *testing.T) {
	for _, row := range []struct{ name, usage string }{
		{"Anthropic", `{"input_tokens":100,"cache_read_input_tokens":40,"cache_creation_input_tokens":0,"output_tokens":7}`},
		{"OpenAI Chat", `{"prompt_tokens":140,"completion_tokens":7,"total_tokens":147,"prompt_tokens_details":{"cached_tokens":40}}`},
		{"OpenAI Responses", `{"input_tokens":140,"input_tokens_details":{"cached_tokens":40},"output_tokens":7}`},
		{"Gemini", `{"promptTokenCount":140,"cachedContentTokenCount":40,"candidatesTokenCount":5,"thoughtsTokenCount":2}`},
		{"AI SDK 5", `{"inputTokens":140,"outputTokens":7,"totalTokens":147,"cachedInputTokens":40}`},
		{"AI SDK 6", `{"inputTokens":140,"inputTokenDetails":{"noCacheTokens":100,"cacheReadTokens":40,"cacheWriteTokens":0},
			"outputTokens":7,"cachedInputTokens":40}`},
	} {
		var usage wire.AnyUsage
		require.Nil(t, usage.UnmarshalRaw(rawjson.Value(row.usage), ""), row.name)
		require.Equal(t, wire.AnyUsage{Input: 100, CacheRead: 40, Output: 7}, usage, row.name)
	}
	for _, usage := range []string{
		`{"prompt_tokens":1000,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":100,"cache_write_tokens":850}}`,
		`{"input_tokens":1000,"output_tokens":7,"input_tokens_details":{"cached_tokens":100,"cache_write_tokens":850}}`,
		`{"inputTokens":1000,"outputTokens":7,"inputTokenDetails":{"cacheReadTokens":100,"cacheWriteTokens":850}}`,
		`{"prompt_tokens":150,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":100},"cache_creation_input_tokens":850}`,
	} {
		var written wire.AnyUsage
		require.Nil(t, written.UnmarshalRaw(rawjson.Value(usage), ""), usage)
		require.Equal(t, wire.AnyUsage{Input: 50, CacheRead: 100, CacheWrite: 850, Output: 7}, written, usage)
	}
	var apart, old wire.AnyUsage
	require.Nil(t, apart.UnmarshalRaw(rawjson.Value(`{"inputTokens":3,"cachedInputTokens":40,"outputTokens":7}`), ""))
	require.Equal(t, wire.AnyUsage{Input: 3, CacheRead: 40, Output: 7}, apart, "version 5 with Anthropic leaves them out")
	require.Nil(t, old.UnmarshalRaw(rawjson.Value(`{"promptTokens":9,"completionTokens":7}`), ""))
	require.Equal(t, wire.AnyUsage{Input: 9, Output: 7}, old)
}
