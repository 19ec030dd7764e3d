package anthropic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/format/anthropic"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// One pixel wide, two high: enough of a PNG for its size to be read.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAIAAAA="

var blockRows = []struct {
	name, raw, why string
	want           msg.Block
}{
	{"text", `{"type":"text","text":"a\nb","cache_control":{"type":"ephemeral","ttl":"1h"}}`, "with a breakpoint",
		msg.Block{Kind: msg.KindText, Type: "text", Text: "a\nb", Cache: &msg.Cache{Type: "ephemeral", TTL: "1h"}}},
	{"cache_control null", `{"type":"text","text":"a","cache_control":null}`, "SDKs write null for nothing",
		msg.Block{Kind: msg.KindText, Type: "text", Text: "a"}},
	{"text without text", `{"type":"text"}`, "for Check to report", msg.Block{Kind: msg.KindText, Type: "text"}},
	{"repeated key", `{"type":"text","text":"first","text":"last"}`, "the last one wins, as for the provider",
		msg.Block{Kind: msg.KindText, Type: "text", Text: "last"}},
	{"tool_use", `{"type":"tool_use","id":"t","name":"f","input":{"a": 9007199254740993}}`, "the input without white space",
		msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "t", Name: "f", Text: `{"a":9007199254740993}`}},
	{"tool_use without an id", `{"type":"tool_use","name":"f"}`, "for Check to report",
		msg.Block{Kind: msg.KindToolUse, Type: "tool_use", Name: "f"}},
	{"server_tool_use", `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`, "run by the provider",
		msg.Block{Kind: msg.KindToolUse, Type: "server_tool_use", ID: "s", Name: "web_search", Text: "{}", Server: true}},
	{"mcp_tool_use", `{"type":"mcp_tool_use","id":"s","name":"x","input":{},"server_name":"y"}`, "run by the provider",
		msg.Block{Kind: msg.KindToolUse, Type: "mcp_tool_use", ID: "s", Name: "x", Text: "{}", Server: true}},
	{"tool_result", `{"type":"tool_result","tool_use_id":"t","content":"x","is_error":true}`, "content is a string",
		msg.Block{Kind: msg.KindToolResult, Type: "tool_result", ID: "t", Text: "x", IsError: true}},
	{"tool_result without content", `{"type":"tool_result","tool_use_id":"t"}`, "a tool that says nothing",
		msg.Block{Kind: msg.KindToolResult, Type: "tool_result", ID: "t"}},
	{"tool_result null", `{"type":"tool_result","tool_use_id":"t","content":null}`, "likewise",
		msg.Block{Kind: msg.KindToolResult, Type: "tool_result", ID: "t"}},
	{"thinking", `{"type":"thinking","thinking":"hm","signature":"c2ln"}`, "signed: kept or dropped whole",
		msg.Block{Kind: msg.KindThinking, Type: "thinking", Text: "hm", Signed: true}},
	{"thinking without a signature", `{"type":"thinking","thinking":"hm","signature":""}`, "of another provider",
		msg.Block{Kind: msg.KindThinking, Type: "thinking", Text: "hm"}},
	{"redacted_thinking", `{"type":"redacted_thinking","data":"ZGF0YQ=="}`, "the data is no text",
		msg.Block{Kind: msg.KindThinking, Type: "redacted_thinking", Signed: true}},
	{"image", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + png + `"}}`,
		"its size is in the data",
		msg.Block{Kind: msg.KindImage, Type: "image", Image: &msg.Image{Width: 1, Height: 2, Media: "image/png"}}},
	{"image with escaped slashes", `{"type":"image","source":{"type":"base64","data":"R0lGODlhAwAEAP\/\/"}}`,
		"some writers escape every slash",
		msg.Block{Kind: msg.KindImage, Type: "image", Image: &msg.Image{Width: 3, Height: 4, Media: "image/gif"}}},
	{"image by URL", `{"type":"image","source":{"type":"url","url":"http://localhost/x.png"}}`, "nothing says its size",
		msg.Block{Kind: msg.KindImage, Type: "image", Image: &msg.Image{}}},
	{"document of text", `{"type":"document","title":"T","context":"C","source":{"type":"text","data":"body"}}`,
		"all of it is read",
		msg.Block{Kind: msg.KindDocument, Type: "document", Text: "T\nC\nbody"}},
	{"document of blocks",
		`{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}}`, "likewise",
		msg.Block{Kind: msg.KindDocument, Type: "document", Text: "a\nb"}},
	{"document of a file", `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}}`,
		"no text to see",
		msg.Block{Kind: msg.KindDocument, Type: "document"}},
	{"search_result", `{"type":"search_result","source":"there","title":"T","content":[{"type":"text","text":"found"}]}`,
		"text that the model reads",
		msg.Block{Kind: msg.KindDocument, Type: "search_result", Text: "T\nthere\nfound"}},
	{"container_upload", `{"type":"container_upload","file_id":"f"}`, "a file",
		msg.Block{Kind: msg.KindDocument, Type: "container_upload"}},
	{"compaction", `{"type":"compaction","content":"so far","encrypted_content":"eA=="}`, "the provider's own summary",
		msg.Block{Kind: msg.KindSummary, Type: "compaction", Text: "so far", Signed: true}},
	{"fallback", `{"type":"fallback","x":1}`, "kept and counted",
		msg.Block{Kind: msg.KindOther, Type: "fallback", Text: `{"type":"fallback","x":1}`}},
	{"unknown", `{"type":"hologram","x":[1]}`, "kept and counted",
		msg.Block{Kind: msg.KindOther, Type: "hologram", Text: `{"type":"hologram","x":[1]}`}},
	{"no type", `{"text":"x"}`, "kept and counted", msg.Block{Kind: msg.KindOther, Text: `{"text":"x"}`}},
	{"web_search_tool_result", `{"type":"web_search_tool_result","tool_use_id":"s","content":{"error_code":"x"}}`,
		"reads as its JSON",
		msg.Block{Kind: msg.KindToolResult, Type: "web_search_tool_result", ID: "s", Server: true,
			Text: `{"error_code":"x"}`}},
}

func TestBlocks(t *testing.T) {
	for _, row := range blockRows {
		t.Run(row.name, func(t *testing.T) {
			data := []byte(`[{"role":"assistant","content":[` + row.raw + `]}]`)
			c, err := format.Reparse(data, msg.Anthropic)
			require.NoError(t, err)
			want := row.want
			want.Raw, want.Path = rawjson.Value(row.raw), "/0/content/0"
			if read := c.Messages[0].Blocks[0].Image; want.Image != nil && read != nil {
				want.Image.Flaw = read.Flaw // they have nothing but their header
			}
			require.Equal(t, []msg.Block{want}, c.Messages[0].Blocks, row.why)
			out, err := anthropic.Render(c)
			require.NoError(t, err)
			require.Equal(t, string(data), string(out))
		})
	}
}

func TestResultParts(t *testing.T) {
	data := `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[
		{"type":"text","text":"one","cache_control":{"type":"ephemeral"}},{"type":"image","source":{"data":"` + png + `"}},{"type":"text","text":"two"}]},
		{"type":"mcp_tool_result","tool_use_id":"m","is_error":false,"content":[{"type":"text","text":"of a server"}]},
		{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","title":"x"}]}]}]}`
	c, err := format.Reparse([]byte(data), msg.Anthropic)
	require.NoError(t, err)
	b := c.Messages[0].Blocks
	require.Equal(t, "one\ntwo", b[0].Text)
	require.Equal(t, "/messages/0/content/0/content/1", b[0].Parts[1].Path)
	require.Equal(t, &msg.Image{Width: 1, Height: 2, Media: "image/png", Flaw: "is cut short"}, b[0].Parts[1].Image)
	require.NotNil(t, b[0].Parts[0].Cache)
	require.True(t, b[0].HasMedia())
	require.Equal(t, "of a server", b[1].Text)
	require.True(t, b[1].Server)
	require.Equal(t, `[{"type":"web_search_result","title":"x"}]`, b[2].Text, "no text in it: its JSON is what is read")
}

func TestBody(t *testing.T) {
	data := `{"model":"claude-x","system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],
		"tools":[{"name":"f","input_schema":{},"cache_control":{"type":"ephemeral"}},{"type":"bash_20250124","name":"bash"}],
		"messages":[{"role":"user","content":"hi"},{"role":"narrator","content":null},
		{"id":"msg_1","role":"assistant","content":[],"usage":{"input_tokens":1,"cache_read_input_tokens":2,"cache_creation_input_tokens":3,"output_tokens":4,"x":1.5}}]}`
	c, err := format.Reparse([]byte(data), msg.Anthropic)
	require.NoError(t, err)
	require.Equal(t, "claude-x", c.Model)
	require.Equal(t, []string{"a", "b"}, []string{c.System[0].Text, c.System[1].Text})
	require.Equal(t, "/system/1", c.System[1].Path)
	require.Equal(t, []string{"f", "bash", "/tools/1"}, []string{c.Tools[0].Name, c.Tools[1].Name, c.Tools[1].Path})
	require.NotNil(t, c.Tools[0].Cache)
	m := c.Messages
	require.True(t, m[0].Blocks[0].Bare)
	require.Equal(t, "/messages/0/content", m[0].Blocks[0].Path)
	require.Equal(t, msg.Role("narrator"), m[1].Role, "unknown roles are kept, for Check to report")
	require.Equal(t, "msg_1", m[2].ID)
	require.Equal(t, &msg.Usage{Input: 1, CacheRead: 2, CacheWrite: 3, Output: 4}, m[2].Usage)
}

func TestWrongShapes(t *testing.T) {
	for _, row := range []struct{ name, data, path, want string }{
		{"no object", `5`, "", "it is a number"},
		{"no messages", `{"model":"x"}`, "", "has no messages"},
		{"messages is an object", `{"messages":{}}`, "/messages", "must be an array"},
		{"message is a string", `["hi"]`, "/0", "it is a string"},
		{"no role", `{"messages":[{"content":"x"}]}`, "/messages/0", "no role"},
		{"role is a number", `[{"role":1,"content":"x"}]`, "/0/role", "role is a number"},
		{"role is null", `[{"role":null,"content":"x"}]`, "/0/role", "role is null"},
		{"content is a number", `[{"role":"user","content":1}]`, "/0/content", "content is a number"},
		{"content is an object", `[{"role":"user","content":{"type":"text"}}]`, "/0/content", "content is an object"},
		{"block is a string", `[{"role":"user","content":["x"]}]`, "/0/content/0", "it is a string"},
		{"type is a number", `[{"role":"user","content":[{"type":1}]}]`, "/0/content/0/type", "type is a number"},
		{"text is a number", `[{"role":"user","content":[{"type":"text","text":1}]}]`, "/0/content/0/text",
			"text is a number"},
		{"id is a number", `[{"role":"assistant","content":[{"type":"tool_use","id":1}]}]`, "/0/content/0/id",
			"id is a number"},
		{"result's content is a number", `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":1}]}]`,
			"/0/content/0/content", "content is a number"},
		{"result's part is null", `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[null]}]}]`,
			"/0/content/0/content/0", "it is null"},
		{"result's id is a list", `[{"role":"user","content":[{"type":"tool_result","tool_use_id":[]}]}]`,
			"/0/content/0/tool_use_id", "an array"},
		{"system is a number", `{"system":1,"messages":[]}`, "/system", "it is a number"},
		{"system holds numbers", `{"system":[1],"messages":[]}`, "/system/0", "it is a number"},
		{"tools is a string", `{"tools":"x","messages":[]}`, "/tools", "they are a string"},
		{"tool is a string", `{"tools":["x"],"messages":[]}`, "/tools/0", "it is a string"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := format.Reparse([]byte(row.data), msg.Anthropic)
			var known *msg.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, msg.BadMessage, known.Code)
			require.Equal(t, row.path, known.Path)
			require.ErrorContains(t, err, row.want)
		})
	}
}

// The system prompt can change like any content.
func TestSystemEdits(t *testing.T) {
	for _, row := range []struct {
		name, data, want string
		edit             func(*msg.Conversation)
	}{
		{"string", `{"system":"a","messages":[]}`, `{"system":"b","messages":[]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{c.System[0].WithText("b")} }},
		{"array", `{"system":[{"type":"text","text":"a","x":1}],"messages":[]}`,
			`{"system":[{"type":"text","text":"b","x":1}],"messages":[]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{c.System[0].WithText("b")} }},
		{"gone", `{"system":"a","messages":[]}`, `{"messages":[]}`, func(c *msg.Conversation) { c.System = nil }},
		{"new", `{"messages":[]}`, `{"messages":[],"system":[{"type":"text","text":"b"}]}`,
			func(c *msg.Conversation) { c.System = []msg.Block{msg.TextBlock("b")} }},
		{"null stays", `{"system":null,"messages":[]}`, `{"system":null,"messages":[]}`, func(c *msg.Conversation) {}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := format.Reparse([]byte(row.data), msg.Anthropic)
			require.NoError(t, err)
			row.edit(c)
			out, err := anthropic.Render(c)
			require.NoError(t, err)
			require.Equal(t, row.want, string(out))
		})
	}
	c, err := format.Reparse([]byte(`[]`), msg.Anthropic)
	require.NoError(t, err)
	c.System = []msg.Block{msg.TextBlock("x")}
	_, err = anthropic.Render(c)
	require.ErrorContains(t, err, "no place for a system prompt")
}

// New messages take the plainest shape, moved blocks take their own.
func TestNewMessages(t *testing.T) {
	c, err := format.Reparse([]byte(`[{"role":"user","content":"bare"},{"role":"user","content":null},{"role":"user"},
{"role":"assistant","content":[{"type":"compaction","content":"s"}]}]`), msg.Anthropic)
	require.NoError(t, err)
	made := []msg.Block{
		msg.TextBlock("t"), {Kind: msg.KindSummary, Text: "s"}, {Kind: msg.KindToolUse, ID: "i", Name: "n"},
		{Kind: msg.KindToolResult, ID: "i", Text: "r", IsError: true, Cache: &msg.Cache{Type: "ephemeral", TTL: "5m"}},
		c.Messages[0].Blocks[0],
	}
	m := c.Messages
	out, err := anthropic.Render(c.WithMessages([]msg.Message{
		m[0].WithBlocks(nil), m[1].WithBlocks(nil), m[2].WithBlocks(nil), m[2].WithBlocks([]msg.Block{msg.TextBlock("x")}),
		m[1].WithBlocks([]msg.Block{{Kind: msg.KindText, Text: "b", Bare: true}}),
		m[3].WithBlocks([]msg.Block{m[3].Blocks[0].WithText("u")}),
		{Role: msg.User, Blocks: made, Changed: true},
	}))
	require.NoError(t, err)
	require.Equal(t, `[{"role":"user","content":[]},{"role":"user","content":null},{"role":"user"},`+
		`{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"user","content":"b"},`+"\n"+
		`{"role":"assistant","content":[{"type":"compaction","content":"u"}]},{"role":"user","content":[{"type":"text","text":"t"},{"type":"text","text":"s"},`+
		`{"type":"tool_use","id":"i","name":"n","input":{}},{"type":"tool_result","tool_use_id":"i","content":"r","is_error":true,"cache_control":{"type":"ephemeral","ttl":"5m"}},`+
		`{"type":"text","text":"bare"}]}]`, string(out))
}

// A block that the format cannot express is refused.
func TestRefusedEdits(t *testing.T) {
	c, err := format.Reparse([]byte(`[{"role":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"tool_use","id":"i","name":"n","input":{}},{"type":"hologram"}]}]`), msg.Anthropic)
	require.NoError(t, err)
	b := c.Messages[0].Blocks
	for name, block := range map[string]msg.Block{
		"text of thinking": b[0].WithText("y"), "id of thinking": b[0].WithID("y"),
		"input that is no object": b[1].WithInput("5"),
		"input that is no JSON":   b[1].WithInput("{"), "text of what is unknown": b[2].WithText("y"),
		"text of a call": b[1].WithText("y"),
		"a new image":    {Kind: msg.KindImage}, "a new call without an object": {Kind: msg.KindToolUse, Text: "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := anthropic.Render(c.WithMessages([]msg.Message{c.Messages[0].WithBlocks([]msg.Block{block})}))
			require.ErrorContains(t, err, "cannot write")
			require.IsType(t, &msg.Error{}, err)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, row := range blockRows {
		f.Add([]byte(`{"system":"x","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[` + row.raw +
			`]}]}`))
	}
	f.Add([]byte(" [ ] "))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := format.Reparse(data, msg.Anthropic)
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		out, err := anthropic.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
		for i := range c.Messages { // marking everything as changed changes nothing
			c.Messages[i].Changed = true
		}
		out, err = anthropic.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
	})
}
