package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// What /responses/compact answers is read as a request that has its output as input, and written with all its members.
func TestCompactedResponses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := strings.TrimSpace(string(convtest.Conversation(t, msg.OpenAIResponses)))
		if list[0] == '{' {
			list = string(rawjson.Value(list).Member("input"))
		}
		if rapid.Bool().Draw(t, "compacted") && list[0] == '[' {
			list = `[{"type":"compaction","id":"cmp_1","encrypted_content":"gAAAA\ud83d"},{"role":"user","content":"x"}]`
		}
		if list[0] != '[' {
			list = `[{"type":"message","role":"user","content":` + list + `}]`
		}
		around := func(output string) string {
			return `{"id":"resp_1", "object":"response.compaction","output":` + output + ` ,"created_at":1,"usage":{"input_tokens":9}}`
		}
		got, err := format.Parse([]byte(around(list)), "")
		require.NoError(t, err)
		want, err := format.Parse([]byte(`{"input":`+list+"}"), "")
		require.NoError(t, err)
		require.Equal(t, msg.OpenAIResponses, got.Format)
		require.Len(t, got.Messages, len(want.Messages))
		require.Len(t, got.Lone, len(want.Lone))
		for m := range got.Messages {
			require.Equal(t, want.Messages[m].Role, got.Messages[m].Role)
			require.Equal(t, strings.Replace(want.Messages[m].Path, "/input", "/output", 1), got.Messages[m].Path)
			require.Len(t, got.Messages[m].Blocks, len(want.Messages[m].Blocks))
		}
		cut := rapid.IntRange(0, len(got.Messages)).Draw(t, "cut")
		out, err := format.Render(got.WithMessages(got.Messages[cut:]))
		require.NoError(t, err)
		rest, err := format.Render(want.WithMessages(want.Messages[cut:]))
		require.NoError(t, err)
		require.Equal(t, around(strings.TrimSuffix(strings.TrimPrefix(string(rest), `{"input":`), "}")), string(out))
		converted, losses, err := format.Convert(got, msg.Anthropic)
		require.NoError(t, err)
		require.NotNil(t, converted)
		for _, loss := range losses {
			require.NotEqual(t, "/output", loss.Path)
		}
	})
}
