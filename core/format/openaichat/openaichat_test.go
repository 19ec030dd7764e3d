package openaichat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/format/openaichat"
	"tamp/core/msg"
)

const gif = "R0lGODlhAwAEAP8=" // three pixels wide, four high

var messageRows = []struct {
	name, raw, why string
	want           []msg.Block // without Raw
}{
	{"string", `{"role":"user","content":"a"}`, "one bare text",
		[]msg.Block{{Kind: msg.KindText, Type: "text", Path: "/0/content", Text: "a", Bare: true}}},
	{"parts", `{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/gif;base64,` + gif + `"}},
		{"type":"image_url","image_url":"http://localhost/x"},{"type":"input_audio","input_audio":{}},{"type":"file","file":{}},{"type":"refusal","refusal":"no"},{"type":"video"},"bare"]}`, "every part",
		[]msg.Block{{Kind: msg.KindText, Type: "text", Path: "/0/content/0", Text: "a"},
			{Kind: msg.KindImage, Type: "image_url", Path: "/0/content/1",
				Image: &msg.Image{Width: 3, Height: 4, Media: "image/gif", Flaw: "is cut short"}},
			{Kind: msg.KindImage, Type: "image_url", Path: "/0/content/2", Image: &msg.Image{}},
			{Kind: msg.KindDocument, Type: "input_audio", Path: "/0/content/3"},
			{Kind: msg.KindDocument, Type: "file", Path: "/0/content/4"},
			{Kind: msg.KindText, Type: "refusal", Path: "/0/content/5", Text: "no"},
			{Kind: msg.KindOther, Type: "video", Path: "/0/content/6", Text: `{"type":"video"}`},
			{Kind: msg.KindText, Type: "text", Path: "/0/content/7", Text: "bare"}}},
	{"null", `{"role":"assistant","content":null}`, "no block", nil},
	{"nothing", `{"role":"assistant"}`, "no block", nil},
	{"calls", `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},
		{"id":"d","type":"custom","custom":{"name":"g","input":"free text"}},{"id":"e","function":{"name":"h","arguments":"{broken"}},{"id":"o","function":{"name":"k","arguments":{"a":1}}}]}`, "arguments are kept also where they do not parse",
		[]msg.Block{{Kind: msg.KindToolUse, Type: "function", Path: "/0/tool_calls/0", ID: "c", Name: "f", Text: `{"a": 1}`},
			{Kind: msg.KindToolUse, Type: "custom", Path: "/0/tool_calls/1", ID: "d", Name: "g", Text: "free text"},
			{Kind: msg.KindToolUse, Type: "function", Path: "/0/tool_calls/2", ID: "e", Name: "h", Text: "{broken"},
			{Kind: msg.KindToolUse, Type: "function", Path: "/0/tool_calls/3", ID: "o", Name: "k", Text: `{"a":1}`}}},
	{"everything", `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}],"content":"x","refusal":"no","audio":{"id":"a"},"reasoning_content":"hm","reasoning":"hm","function_call":{"name":"f","arguments":"{}"}}`, "in a fixed order",
		[]msg.Block{{Kind: msg.KindThinking, Type: "reasoning_content", Path: "/0/reasoning_content", Text: "hm"},
			{Kind: msg.KindText, Type: "text", Path: "/0/content", Text: "x", Bare: true},
			{Kind: msg.KindText, Type: "refusal", Path: "/0/refusal", Text: "no"},
			{Kind: msg.KindOther, Type: "audio", Path: "/0/audio"},
			{Kind: msg.KindToolUse, Type: "function", Path: "/0/tool_calls/0", ID: "c", Name: "f"},
			{Kind: msg.KindToolUse, Type: "function_call", Path: "/0/function_call", ID: "function:f", Name: "f", Text: "{}"}}},
	{"reasoning", `{"role":"assistant","content":"","reasoning":"hm"}`, "OpenRouter's word",
		[]msg.Block{{Kind: msg.KindThinking, Type: "reasoning", Path: "/0/reasoning", Text: "hm"},
			{Kind: msg.KindText, Type: "text", Path: "/0/content", Bare: true}}},
	{"reasoning details", `{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.summary","summary":"a"},{"type":"reasoning.text","text":"b","signature":"s"}]}`,
		"of OpenRouter, without the text", []msg.Block{{Kind: msg.KindThinking, Type: "reasoning_details",
			Path: "/0/reasoning_details", Text: "a\nb"}}},
	{"thinking blocks", `{"role":"assistant","thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"s"}],"content":"x","reasoning_content":"hm"}`,
		"of LiteLLM, next to the text", []msg.Block{{Kind: msg.KindThinking, Type: "reasoning_content",
			Path: "/0/reasoning_content", Text: "hm"},
			{Kind: msg.KindText, Type: "text", Path: "/0/content", Text: "x", Bare: true}}},
	{"no reasoning", `{"role":"assistant","content":null,"reasoning_details":[],"thinking_blocks":null,"reasoning":{"effort":"low"}}`, "nothing in it", nil},
	{"tool", `{"role":"tool","tool_call_id":"c","name":"f","content":"x"}`, "the message is the block",
		[]msg.Block{{Kind: msg.KindToolResult, Type: "tool", Path: "/0", ID: "c", Name: "f", Text: "x"}}},
	{"tool of parts",
		`{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}]}`, "joined with line breaks",
		[]msg.Block{{Kind: msg.KindToolResult, Type: "tool", Path: "/0", ID: "c", Text: "a\nb", Parts: []msg.Block{
			{Kind: msg.KindText, Type: "text", Path: "/0/content/0", Text: "a", Cache: &msg.Cache{Type: "ephemeral"}},
			{Kind: msg.KindText, Type: "text", Path: "/0/content/1", Text: "b"}}}}},
	{"tool of nothing", `{"role":"tool","tool_call_id":"c","content":""}`, "an empty answer is one",
		[]msg.Block{{Kind: msg.KindToolResult, Type: "tool", Path: "/0", ID: "c"}}},
	{"tool of null", `{"role":"tool","tool_call_id":"c","content":null}`, "likewise",
		[]msg.Block{{Kind: msg.KindToolResult, Type: "tool", Path: "/0", ID: "c"}}},
	{"tool with a list of ids", `{"role":"tool","tool_call_ids":["c"],"content":"x"}`, "as SWE-agent logs it",
		[]msg.Block{{Kind: msg.KindToolResult, Type: "tool", Path: "/0", ID: "c", Text: "x"}}},
	{"function", `{"role":"function","name":"f","content":"x"}`, "the deprecated pair has a name alone",
		[]msg.Block{{Kind: msg.KindToolResult, Type: "function", Path: "/0", ID: "function:f", Name: "f", Text: "x"}}},
}

func TestMessages(t *testing.T) {
	for _, row := range messageRows {
		t.Run(row.name, func(t *testing.T) {
			c, err := format.Reparse([]byte("["+row.raw+"]"), msg.OpenAIChat)
			require.NoError(t, err)
			got := c.Messages[0].Blocks
			for i := range got {
				require.NotEmpty(t, got[i].Raw)
				got[i].Raw = nil
				for k := range got[i].Parts {
					got[i].Parts[k].Raw = nil
				}
			}
			require.Equal(t, row.want, got, row.why)
		})
	}
}

func TestBody(t *testing.T) {
	c, err := format.Reparse([]byte(`{"model":"m","tools":[{"type":"function","function":{"name":"f"}},{"type":"custom","custom":{"name":"g"}}],"functions":[{"name":"h"}],
		"messages":[{"id":"x","role":"developer","content":"a"}]}`), msg.OpenAIChat)
	require.NoError(t, err)
	require.Equal(t, "m", c.Model)
	require.Equal(t, []string{"f", "g", "h"}, []string{c.Tools[0].Name, c.Tools[1].Name, c.Tools[2].Name})
	require.Equal(t, "/functions/0", c.Tools[2].Path)
	require.Equal(t, "x", c.Messages[0].ID)
	require.Equal(t, msg.Developer, c.Messages[0].Role)
}

func TestWrongShapes(t *testing.T) {
	for _, row := range []struct{ name, data, path, want string }{
		{"message is null", `[null]`, "/0", "it is null"},
		{"no role", `[{"content":"x"}]`, "/0", "no role"},
		{"content is a number", `[{"role":"user","content":1}]`, "/0/content", "content is a number"},
		{"part is a number", `{"messages":[{"role":"user","content":[1]}]}`, "/messages/0/content/0", "it is a number"},
		{"part's text is an object", `[{"role":"user","content":[{"type":"text","text":{}}]}]`, "/0/content/0/text",
			"text is an object"},
		{"part's type is a number", `[{"role":"user","content":[{"type":1}]}]`, "/0/content/0/type", "type is a number"},
		{"tool_calls is an object", `[{"role":"assistant","tool_calls":{}}]`, "/0/tool_calls", "must be an array of calls"},
		{"call is a string", `[{"role":"assistant","tool_calls":["f"]}]`, "/0/tool_calls/0", "it is a string"},
		{"call's type is a number", `[{"role":"assistant","tool_calls":[{"type":1}]}]`, "/0/tool_calls/0/type",
			"type is a number"},
		{"call's id is a number", `[{"role":"assistant","tool_calls":[{"id":1}]}]`, "/0/tool_calls/0/id", "id is a number"},
		{"function is a string", `[{"role":"assistant","tool_calls":[{"function":"f"}]}]`, "/0/tool_calls/0/function",
			"it is a string"},
		{"arguments are a list", `[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":[]}}]}]`,
			"/0/tool_calls/0/function/arguments", "an array"},
		{"name is a number", `[{"role":"assistant","tool_calls":[{"function":{"name":1}}]}]`, "/0/tool_calls/0/function/name",
			"name is a number"},
		{"function_call is a string", `[{"role":"assistant","function_call":"f"}]`, "/0/function_call", "it is a string"},
		{"refusal is a number", `[{"role":"assistant","refusal":1}]`, "/0/refusal", "refusal is a number"},
		{"reasoning_content is a number", `[{"role":"assistant","reasoning_content":1}]`, "/0/reasoning_content",
			"is a number"},
		{"tool_call_id is a number", `[{"role":"tool","tool_call_id":1}]`, "/0/tool_call_id", "is a number"},
		{"tool's name is a number", `[{"role":"tool","name":1}]`, "/0/name", "is a number"},
		{"tool's content is an object", `[{"role":"tool","content":{}}]`, "/0/content", "is an object"},
		{"tools is a number", `{"tools":1,"messages":[]}`, "/tools", "they are a number"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := format.Reparse([]byte(row.data), msg.OpenAIChat)
			var known *msg.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, msg.BadMessage, known.Code)
			require.Equal(t, row.path, known.Path)
			require.ErrorContains(t, err, row.want)
		})
	}
}

// Each edit changes one value and leaves the rest of the message alone.
func TestEdits(t *testing.T) {
	drop := func(k int) func([]msg.Block) []msg.Block {
		return func(b []msg.Block) []msg.Block { return append(append([]msg.Block(nil), b[:k]...), b[k+1:]...) }
	}
	change := func(k int, edit func(msg.Block) msg.Block) func([]msg.Block) []msg.Block {
		return func(b []msg.Block) []msg.Block {
			b = append([]msg.Block(nil), b...)
			b[k] = edit(b[k])
			return b
		}
	}
	text := func(b msg.Block) msg.Block { return b.WithText("new") }
	input := func(b msg.Block) msg.Block { return b.WithInput(`{"x":"\""}`) }
	id := func(b msg.Block) msg.Block { return b.WithID("new") }
	for _, row := range []struct {
		name, raw, want string
		edit            func([]msg.Block) []msg.Block
	}{
		{"string content", `{"a":1,"role":"user","content":"x","b":2}`, `{"a":1,"role":"user","content":"new","b":2}`,
			change(0, text)},
		{"text part", `{"role":"user","content":[{"type":"text","text":"x","y":1}]}`,
			`{"role":"user","content":[{"type":"text","text":"new","y":1}]}`, change(0, text)},
		{"refusal part", `{"role":"assistant","content":[{"type":"refusal","refusal":"x"}]}`,
			`{"role":"assistant","content":[{"type":"refusal","refusal":"new"}]}`, change(0, text)},
		{"bare part", `{"role":"user","content":["x","y"]}`, `{"role":"user","content":[{"type":"text","text":"new"},"y"]}`,
			change(0, text)},
		{"refusal", `{"role":"assistant","refusal":"x"}`, `{"role":"assistant","refusal":"new"}`, change(0, text)},
		{"refusal gone", `{"role":"assistant","content":null,"refusal":"x"}`, `{"role":"assistant","content":null}`, drop(0)},
		{"signed reasoning gone", `{"role":"assistant","reasoning":"x","reasoning_details":[{"type":"reasoning.text","text":"x","signature":"s"}],"content":"y"}`,
			`{"role":"assistant","content":"y"}`, drop(0)},
		{"thinking blocks gone", `{"role":"assistant","thinking_blocks":[{"thinking":"x"}],"content":"y","reasoning_content":"x"}`,
			`{"role":"assistant","content":"y"}`, drop(0)},
		{"reasoning gone", `{"role":"assistant","reasoning_content":"x","content":"y"}`, `{"role":"assistant","content":"y"}`,
			drop(0)},
		{"audio gone", `{"role":"assistant","audio":{"id":"x"},"content":null}`, `{"role":"assistant","content":null}`,
			drop(0)},
		{"content gone", `{"role":"assistant","content":"x","tool_calls":[{"id":"c","function":{"name":"f","arguments":""}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":""}}]}`, drop(0)},
		{"last part gone", `{"role":"user","content":[{"type":"text","text":"x"}]}`, `{"role":"user","content":null}`,
			drop(0)},
		{"empty content stays", `{"role":"user","content":[]}`, `{"role":"user","content":[]}`,
			func(b []msg.Block) []msg.Block { return b }},
		{"last call gone", `{"role":"assistant","content":"x","tool_calls":[{"id":"c","function":{}}]}`,
			`{"role":"assistant","content":"x"}`, drop(1)},
		{"one call gone", `{"role":"assistant","tool_calls":[{"id":"c"}, {"id":"d"}]}`,
			`{"role":"assistant","tool_calls":[{"id":"d"}]}`, drop(0)},
		{"empty calls go", `{"role":"assistant","content":"x","tool_calls":[]}`,
			`{"role":"assistant","content":"new"}`, change(0, text)},
		{"arguments", `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{bad"},"z":1}]}`,
			`{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"x\":\"\\\"\"}"},"z":1}]}`,
			change(0, input)},
		{"arguments that are an object",
			`{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"a":1}}}]}`,
			`{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"x":"\""}}}]}`, change(0, input)},
		{"arguments of no function", `{"role":"assistant","tool_calls":[{"id":"c"}]}`,
			`{"role":"assistant","tool_calls":[{"id":"c","function":{"arguments":"{\"x\":\"\\\"\"}"}}]}`, change(0, input)},
		{"custom input", `{"role":"assistant","tool_calls":[{"id":"c","type":"custom","custom":{"name":"f","input":"x"}}]}`,
			`{"role":"assistant","tool_calls":[{"id":"c","type":"custom","custom":{"name":"f","input":"{\"x\":\"\\\"\"}"}}]}`,
			change(0, input)},
		{"id of a call", `{"role":"assistant","tool_calls":[{"id":"c","function":{}}]}`,
			`{"role":"assistant","tool_calls":[{"id":"new","function":{}}]}`, change(0, id)},
		{"function_call", `{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"x"}}`,
			`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{\"x\":\"\\\"\"}"}}`, change(0, input)},
		{"function_call gone", `{"role":"assistant","content":null,"function_call":{"name":"f"}}`,
			`{"role":"assistant","content":null}`, drop(0)},
		{"tool", `{"role":"tool","z":1,"tool_call_id":"c","content":[{"type":"text","text":"x"}]}`,
			`{"role":"tool","z":1,"tool_call_id":"c","content":"new"}`, change(0, text)},
		{"id of a result", `{"role":"tool","tool_call_id":"c","content":"x"}`,
			`{"role":"tool","tool_call_id":"new","content":"x"}`, change(0, id)},
		{"id in a list", `{"role":"tool","tool_call_ids":["c"],"content":"x"}`,
			`{"role":"tool","content":"x","tool_call_id":"new"}`, change(0, id)},
		{"function result", `{"role":"function","name":"f","content":"x"}`, `{"role":"function","name":"f","content":"new"}`,
			change(0, text)},
		{"a block next to a string", `{"role":"user","content":"x\u00e9"}`,
			`{"role":"user","content":[{"type":"text","text":"x\u00e9"},{"type":"text","text":"y"}]}`,
			func(b []msg.Block) []msg.Block { return []msg.Block{b[0], msg.TextBlock("y")} }},
		{"new reasoning and calls", `{"role":"assistant","content":null}`,
			`{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"i","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
			func([]msg.Block) []msg.Block {
				return []msg.Block{{Kind: msg.KindThinking, Text: "hm"}, {Kind: msg.KindToolUse, ID: "i", Name: "f"}}
			}},
		{"a new result", `{"role":"tool","tool_call_id":"c","content":"x"}`,
			`{"role":"tool","tool_call_id":"n","content":"y"}`,
			func([]msg.Block) []msg.Block { return []msg.Block{{Kind: msg.KindToolResult, ID: "n", Text: "y"}} }},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := format.Reparse([]byte("["+row.raw+"]"), msg.OpenAIChat)
			require.NoError(t, err)
			before := c.Messages[0]
			out, err := openaichat.Render(c.WithMessages([]msg.Message{before.WithBlocks(row.edit(before.Blocks))}))
			require.NoError(t, err)
			require.Equal(t, "["+row.want+"]", string(out))
		})
	}
}

// A new message with several results becomes a tool message each.
func TestNewMessages(t *testing.T) {
	c, err := format.Reparse([]byte(`[{"role":"tool","tool_call_id":"c","content":"x","z":1}]`), msg.OpenAIChat)
	require.NoError(t, err)
	out, err := openaichat.Render(c.WithMessages([]msg.Message{
		{Role: msg.Tool, Blocks: []msg.Block{c.Messages[0].Blocks[0].WithText("y"),
			{Kind: msg.KindToolResult, ID: "d", Text: "z"}}},
		{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "e"}, msg.TextBlock("t")}},
		{Role: msg.Function, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "function:f", Text: "r"}}},
		{Role: msg.Assistant},
		msg.TextMessage(msg.User, "u"),
	}))
	require.NoError(t, err)
	require.Equal(t, `[{"role":"tool","tool_call_id":"c","content":"y","z":1},{"role":"tool","tool_call_id":"d","content":"z"},{"role":"tool","tool_call_id":"e","content":""},`+
		`{"role":"user","content":[{"type":"text","text":"t"}]},{"role":"function","name":"f","content":"r"},{"role":"assistant","content":null},{"role":"user","content":"u"}]`, string(out))
}

func TestRefusedEdits(t *testing.T) {
	c, err := format.Reparse([]byte(`[{"role":"assistant","content":[{"type":"image_url","image_url":{}}],"tool_calls":[{"id":"c","function":{}}],"function_call":{"name":"f"}},
		{"role":"function","name":"f","content":""}]`), msg.OpenAIChat)
	require.NoError(t, err)
	a, f := c.Messages[0], c.Messages[1]
	for name, m := range map[string]msg.Message{
		"text of an image":             a.WithBlocks([]msg.Block{a.Blocks[0].WithText("x")}),
		"id of an image":               a.WithBlocks([]msg.Block{a.Blocks[0].WithID("x")}),
		"text of a call":               a.WithBlocks([]msg.Block{a.Blocks[1].WithText("x")}),
		"id of a function_call":        a.WithBlocks([]msg.Block{a.Blocks[2].WithID("x")}),
		"id of a function's result":    f.WithBlocks([]msg.Block{f.Blocks[0].WithID("x")}),
		"a result within an assistant": a.WithBlocks([]msg.Block{f.Blocks[0]}),
		"text in a function's message": f.WithBlocks([]msg.Block{msg.TextBlock("x")}),
		"no block in a result":         f.WithBlocks(nil),
		"a new image":                  {Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindImage}}},
		"a moved result with a new id": {Role: msg.Function, Blocks: []msg.Block{f.Blocks[0].WithID("x")}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := openaichat.Render(c.WithMessages([]msg.Message{m}))
			require.ErrorContains(t, err, "cannot write")
			require.IsType(t, &msg.Error{}, err)
		})
	}
	c.System = []msg.Block{msg.TextBlock("x")}
	_, err = openaichat.Render(c)
	require.ErrorContains(t, err, "make it a system message")
}

func FuzzParse(f *testing.F) {
	for _, row := range messageRows {
		f.Add([]byte(`{"model":"m","messages":[` + row.raw + `]}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := format.Reparse(data, msg.OpenAIChat)
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		out, err := openaichat.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
		for i := range c.Messages { // marking everything as changed changes nothing
			c.Messages[i].Changed = true
		}
		out, err = openaichat.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
	})
}
