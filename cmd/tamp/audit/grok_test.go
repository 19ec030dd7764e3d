package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const grokLog = `{"type":"system","content":"s"}
{"type":"user","content":[{"type":"text","text":"go"}],"prompt_index":1}
{"type":"assistant","content":"x","model_id":"claude-opus-4-5"}
{"type":"tool_result"}
{"type":"assistant","content":"x","model_id":"claude-opus-4-5"}
{"type":"assistant","content":"x","model_id":"claude-opus-4-5"}
{"type":"user","content":[{"type":"text","text":"go"}],"prompt_index":2}
{"type":"assistant","content":"x","model_id":"claude-opus-4-5"}
`

// The first sums are of a prompt that a compaction removed; two calls of tools are of one answer.
const grokUpdates = `{"params":{"update":{"sessionUpdate":"user_message_chunk"}}}
{"params":{"update":{"sessionUpdate":"turn_completed","usage":{"inputTokens":500,"cachedReadTokens":0,"cacheCreationTokens":0,"outputTokens":5}}}}
{"params":{"update":{"sessionUpdate":"user_message_chunk"}}}
{"params":{"update":{"sessionUpdate":"tool_call"},"_meta":{"streamStartMs":1,"totalTokens":1010}}}
{"params":{"update":{"sessionUpdate":"tool_call"},"_meta":{"streamStartMs":2,"totalTokens":1210}}}
{"params":{"update":{"sessionUpdate":"tool_call"},"_meta":{"streamStartMs":2,"totalTokens":1210}}}
{"params":{"update":{"sessionUpdate":"turn_completed","usage":{"inputTokens":3700,"cachedReadTokens":2200,"cacheCreationTokens":1400,"outputTokens":30}}}}
{"params":{"update":{"sessionUpdate":"user_message_chunk"}}}
{"params":{"update":{"sessionUpdate":"turn_completed","usage":{"inputTokens":1600,"cachedReadTokens":1500,"cacheCreationTokens":50,"outputTokens":7}}}}
`

// The sums of a prompt are split by the sizes of its calls.
func TestWithUsage(t *testing.T) {
	usages := func(updates string) (all []grokUsage) {
		for _, line := range strings.Split(string(WithUsage([]byte(grokLog), []byte(updates))), "\n") {
			var answer struct{ Usage *grokUsage }
			if strings.Contains(line, `"assistant"`) {
				require.NoError(t, json.Unmarshal([]byte(line), &answer))
				all = append(all, *answer.Usage)
			}
		}
		return all
	}
	require.Equal(t, []grokUsage{{100, 0, 900, 10}, {0, 1000, 200, 10}, {0, 1200, 300, 10}, {50, 1500, 50, 7}},
		usages(grokUpdates))
	var sum grokUsage // also if the sizes do not fit
	for _, u := range usages(strings.ReplaceAll(grokUpdates, "1210", "99999")) {
		sum = grokUsage{sum.Input + u.Input, sum.Read + u.Read, sum.Write + u.Write, sum.Output + u.Output}
	}
	require.Equal(t, []int{3700, 1450, 37, 5300}, []int{sum.Read, sum.Write, sum.Output, sum.Input + sum.Read + sum.Write})
	for _, broken := range []string{"", "{", "null\n3\n"} {
		require.Equal(t, grokLog, string(WithUsage([]byte(grokLog), []byte(broken))))
	}
}
