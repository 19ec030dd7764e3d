package summarize

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestUnwrapped(t *testing.T) {
	for _, row := range []struct {
		why, text, want string
		isError         bool
	}{
		{"the object of the protocol", `{"_meta":null,"content":[{"type":"text","text":"12 rows\nin \"orders\""}],"isError":false}`,
			"12 rows\nin \"orders\"", false},
		{"two texts", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb", false},
		{"a failure", `{"content":[{"type":"text","text":"no table"}],"isError":true}`, "no table", true},
		{"as the Python SDK prints it", `meta=None content=[TextContent(type='text', text='a\n\'b\' \x1b \\n', annotations=None)] ` +
			`isError=False`, "a\n'b' \\x1b \\n", false},
		{"two texts of the SDK", `content=[TextContent(type='text', text='a', annotations=None), ` +
			`TextContent(type='text', text="it's", annotations=None)] isError=True`, "a\nit's", true},
		{"one in the other", `meta=None content=[TextContent(type='text', text='{\n "content": [{"type": "text", "text": "{\\"row\\": 1}"}]}', ` +
			`annotations=None)] isError=False`, `{"row": 1}`, false},
		{"an error of Claude Code", "<tool_use_error>File has not been read yet.</tool_use_error>", "File has not been read yet.", false},
		{"an image", `{"content":[{"type":"image","data":""}]}`, "", false},
		{"no content", `{"content":[]}`, "", false},
		{"other content", `{"content":"text"}`, "", false},
		{"no JSON", `{"content":[{"type":"text","text":text}`, "", false},
		{"no string", `content=[TextContent(type='text', text=a`, "", false},
		{"a cut frame", `{"content":[{"type":"text","text":"a \"text\": b"}, {"type":"text", "text" : "c"}`, "a \"text\": b\nc", false},
		{"a cut text", `{"content":[{"type":"text","text":"12 rows\nin \"orders`, "12 rows\nin \"orders", false},
		{"a cut escape", `{"content":[{"type":"text","text":"a\u00e`, "a", false},
		{"a cut text of the SDK", `content=[TextContent(type='text', text='a\nb`, "a\nb", false},
		{"cut, one in the other", `meta=None content=[TextContent(type='text', text='{\n "content": [{"type": "text", "text": "{\\"row\\": 1, \\"na`,
			`{"row": 1, "na`, false},
		{"a text about it", "The SDK prints a result of one text as\ncontent=[TextContent(type='text', text='a')]", "", false},
		{"nothing", "", "", false},
	} {
		b := &msg.Block{Kind: msg.KindToolResult, Text: row.text}
		got := unwrapped(b)
		if row.want == "" {
			require.Same(t, b, got, row.why)
			continue
		}
		require.Equal(t, row.want, got.Text, row.why)
		require.Equal(t, row.isError, got.IsError, row.why)
		require.Equal(t, row.text, b.Text, row.why)
	}
}
