package summarize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// A message that Tamp changed is written with the blocks that it did not change as they came.
func TestJSONOfChangedMessages(t *testing.T) {
	data := strings.Repeat("iVBORw0K", 500)
	image := `{"type":"image","source":{"type":"base64","data":"`
	c, err := format.Parse([]byte(`[{"role":"user","content":[{"type":"text","text":"a"},`+image+data+`"}},`+
		`{"type":"text","text":"b","x":1}]},{"role":"user","content":"c"}]`), msg.Anthropic)
	require.NoError(t, err)
	blocks := append([]msg.Block{}, c.Messages[0].Blocks...)
	blocks[0] = msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "t1", Text: "{}"}
	first := c.Messages[0].WithBlocks(blocks)
	kept := image + `(data)"}}, {"type":"text","text":"b","x":1}]}`
	require.Equal(t, `[{"role": "user", "content": [{"type": "tool_use", "id": "t1", "content": "{}"}, `+kept+
		`, {"role":"user","content":"c"}]`, summarize.JSON(c.Format, []msg.Message{first, c.Messages[1]}))
	require.Equal(t, `[{"role": "user", "content": [{"type": "text", "content": "d"}]}]`,
		summarize.JSON(c.Format, []msg.Message{{Role: msg.User, Blocks: []msg.Block{{Type: "text", Text: "d"}}}}))
	require.Equal(t, "[]", summarize.JSON(c.Format, nil))
	require.Equal(t, 2, summarize.JSONLength(c.Format, nil))
	for n, word := range map[int]string{999: strings.Repeat("a", 999), 1000: "(data)", 1001: "(data)"} {
		text := strings.Repeat("a", n)
		c, err := format.Parse([]byte(`[{"role":"user","content":[{"type":"text","text":"`+text+` `+text+`"},`+image+`"}}]}]`), "")
		require.NoError(t, err)
		require.Contains(t, summarize.JSON(c.Format, c.Messages), `"text":"`+word+` `+word+`"`)
	}
}
