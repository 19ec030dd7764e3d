package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Append reads only what is new, except if the format changes or two records are one message.
func TestAppendReadsOnlyWhatIsNew(t *testing.T) {
	const user, answer = `{"role":"user","content":"x"}`, `{"role":"assistant","content":"y"}`
	const use = `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}`
	const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}`
	const calls = `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const item = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
	const model = `{"role":"model","parts":[{"text":"y"}]}`
	for _, row := range []struct {
		name, whole, more, asked, becomes string
		added                             int // -1: all is read again
	}{
		{"text in an uncertain format", "[" + user + "]", "[" + answer + "," + user + "]", "", msg.Anthropic, 2},
		{"as lines", "[" + user + "]", answer + "\n\n " + user + " \n", "", msg.Anthropic, 2},
		{"nothing", "[" + user + "]", "[]", "", msg.Anthropic, 0},
		{"a call in an uncertain format", "[" + user + "]", "[" + use + "]", "", msg.Anthropic, -1},
		{"a call in the named format", "[" + user + "]", "[" + use + "]", msg.Anthropic, msg.Anthropic, 1},
		{"a call that changes the format", "[" + user + "]", "[" + calls + "]", "", msg.OpenAIChat, -1},
		{"a result in a certain format", "[" + user + "," + use + "]", "[" + result + "]", "", msg.Anthropic, 1},
		{"text in a certain format", "[" + user + "," + use + "]", "[" + user + "]", "", msg.Anthropic, 1},
		{"a format by its result", "[" + result + "]", "[" + use + "]", "", msg.Anthropic, 1},
		{"two answers", "[" + user + "," + use + "]", "[" + answer + "]", "", msg.Anthropic, 1},
		{"an item of the same answer", `[` + user + `,` + item + `]`, "[" + item + "]", msg.OpenAIResponses, msg.OpenAIResponses, -1},
		{"an item after a prompt", `[` + item + `,` + user + `]`, "[" + item + "," + user + "]", msg.OpenAIResponses,
			msg.OpenAIResponses, 2},
		{"two contents", `{"contents":[` + model + `]}`, "[" + model + "]", msg.Gemini, msg.Gemini, 1},
	} {
		c, err := format.Parse([]byte(row.whole), row.asked)
		require.NoError(t, err, row.name)
		added, reread, err := format.Append(c, []byte(row.more), row.asked, nil)
		require.NoError(t, err, row.name)
		if row.added < 0 {
			require.NotNil(t, reread, row.name)
			require.Empty(t, added, row.name)
			c = reread
		} else {
			require.Nil(t, reread, row.name)
			require.Len(t, added, row.added, row.name)
			c = c.WithMessages(append(c.Messages[:len(c.Messages):len(c.Messages)], added...))
		}
		require.Equal(t, row.becomes, c.Format, row.name)
		written, err := format.Render(c)
		require.NoError(t, err, row.name)
		again, err := format.Parse(written, row.asked)
		require.NoError(t, err, row.name)
		require.Equal(t, plain(again.Messages), plain(c.Messages), row.name)
	}
}

// What is no list of messages of the format is an error, and c stays.
func TestAppendRefuses(t *testing.T) {
	const user, log = `[{"role":"user","content":"x"}]`,
		`{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}`
	for _, row := range []struct{ whole, name, more, says string }{
		{user, msg.Anthropic, `[`, "cannot parse JSON"},
		{user, msg.Anthropic, `{"role":"user","content":"x"}` + "\n{", "cannot parse JSON"},
		{user, msg.Anthropic, `[7]`, "it is a number"},
		{user, msg.Anthropic, `7`, "a number"},
		{user, "", `[7]`, "a number"},
		{user, "", `[{"a":1}]`, "cannot"},
		{user, "", `[{"role":"user","content":7}]`, "content is a number"},
		{user, msg.Anthropic, `[{"role":"model","parts":[]}]`, "Gemini"},
		{user, msg.Anthropic, strings.Repeat("[", 2000), "deeper"},
		{log, msg.ClaudeCode, `[`, "cannot parse JSON"},
		{`[{"id":"1","role":"user","parts":[{"type":"text","text":"x"}]}]`, msg.AISDKUI, `[7]`, "it is a number"},
	} {
		c, err := format.Parse([]byte(row.whole), row.name)
		require.NoError(t, err)
		added, reread, err := format.Append(c, []byte(row.more), row.name, nil)
		require.ErrorContains(t, err, row.says, row.more)
		require.Nil(t, added)
		require.Nil(t, reread)
		same, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, row.whole, string(same))
	}
	_, _, err := format.Append(&msg.Conversation{Format: "none"}, []byte("[]"), "", nil)
	require.Equal(t, msg.UnknownFormat, err.(*msg.Error).Code)
}

// A log goes on with lines or with an array of them, whether it ended in a line break or was empty.
func TestAppendToALog(t *testing.T) {
	const one = `{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}`
	const two = `{"type":"user","uuid":"b","parentUuid":"a","message":{"role":"user","content":"ho"}}`
	want := one + "\n" + two + "\n"
	for _, head := range []string{one, one + "\n"} {
		for _, more := range []string{two + "\n", "\xEF\xBB\xBF" + two + "\n", "[" + two + "]",
			" [" + strings.ReplaceAll(two, ",", ",\n") + "]\n"} {
			c, err := format.Parse([]byte(head), msg.ClaudeCode)
			require.NoError(t, err)
			_, c, err = format.Append(c, []byte(more), "", nil)
			require.NoError(t, err)
			require.Len(t, c.Messages, 2)
			text, err := format.Render(c)
			require.NoError(t, err)
			require.Equal(t, want, string(text))
		}
	}
	_, c, err := format.Append(&msg.Conversation{Format: msg.ClaudeCode}, []byte(one), "", nil)
	require.NoError(t, err)
	text, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, one, string(text))
	c, err = format.Parse([]byte(one), "")
	require.NoError(t, err)
	_, same, err := format.Append(c, []byte(" \n"), "", nil)
	require.NoError(t, err)
	require.Len(t, same.Messages, 1)
}

// LastRecord is the last record of a client's history, and Given what replaces it.
func TestLastRecord(t *testing.T) {
	const ui = `{"id":"1","role":"user","parts":[{"type":"text","text":"x"}]}`
	const grown = `{"id":"1","role":"user","parts":[{"type":"text","text":"x y"}]}`
	const code = `{"info":{"id":"2","role":"user"},"parts":[{"type":"text","text":"x"}]}`
	for _, row := range []struct{ doc, name, want string }{
		{"[" + grown + "," + ui + "]", msg.AISDKUI, ui},
		{"[]", msg.AISDKUI, ""},
		{`{"info":{"id":"s"},"messages":[` + code + `]}`, msg.OpenCode, code},
		{`[{"role":"user","content":"x"}]`, msg.Anthropic, ""},
		{`{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}`, msg.ClaudeCode, ""},
	} {
		c, err := format.Parse([]byte(row.doc), row.name)
		require.NoError(t, err)
		require.Equal(t, row.want, string(format.LastRecord(c)), row.doc)
	}
	for _, row := range []struct {
		given, data string
		same        bool
	}{
		{ui, grown, true}, {ui, "[" + grown + "]", true}, {ui, "[]", false}, {ui, grown + "\n" + grown, false},
		{ui, strings.Replace(grown, `"1"`, `"2"`, 1), false}, {ui, strings.Replace(grown, "user", "assistant", 1), false},
		{code, code, true}, {code, strings.Replace(code, "user", "assistant", 1), false},
		{code, strings.Replace(code, `"2"`, `"3"`, 1), false}, {`{"role":"user"}`, `{"role":"user"}`, false},
		{`{"id":"","role":"user"}`, `{"id":"","role":"user"}`, false},
	} {
		got := format.Given(rawjson.Value(row.given), []byte(row.data))
		require.Equal(t, row.same, got != nil, row.data)
		if row.same {
			require.Equal(t, strings.Trim(row.data, "[]"), string(got))
		}
	}
}

// A record that has grown without a new part adds nothing; a part of the same call is replaced, one that moved stays.
func TestAppendOfPartsThatWereThere(t *testing.T) {
	const head = `{"id":"s","role":"user","parts":[{"type":"text","text":"earlier"}]}`
	record := func(parts string) string { return `{"id":"a","role":"assistant","parts":[` + parts + `]}` }
	const a, b, c = `{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`, `{"type":"text","text":"c"}`
	for _, row := range []struct{ left, given, grown, want string }{
		{"", a, a, ""},
		{"", a + "," + b, b + "," + a, ""},
		{"", a, a + "," + b, b},
		{"", a + "," + b, b + "," + a + "," + c, c},
		{"", a + "," + a, a + "," + a + "," + a, a},
		{a, a, a + "," + b, a + "," + b},
		{c, a, a + "," + b, c + "," + b},
		{a, a, b, b}, // a changed to b
	} {
		left, want := head, "["+head
		if row.left != "" {
			left += "," + record(row.left)
		}
		if row.want != "" {
			want += "," + record(row.want)
		}
		conversation, err := format.Parse([]byte("["+left+"]"), msg.AISDKUI)
		require.NoError(t, err)
		_, grown, err := format.Append(conversation, []byte("["+record(row.grown)+"]"), "", rawjson.Value(record(row.given)))
		require.NoError(t, err)
		text, err := format.Render(grown)
		require.NoError(t, err)
		require.Equal(t, want+"]", string(text), "%v", row)
	}
}
