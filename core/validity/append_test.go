package validity_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

const binding = "claude-opus-5-5"

// request writes a body of a model that binds thinking. A message is a word: u1 is the user's text, a1 the assistant's
// with thinking of the same number, b1 the assistant's without it, h1 the assistant's with thinking alone.
func request(model, words string) string {
	var messages []string
	for _, word := range strings.Fields(words) {
		text := `{"type":"text","text":"` + word[1:] + `"}`
		thinking := `{"type":"thinking","thinking":"` + word[1:] + `","signature":"c2ln` + word[1:] + `"}`
		switch word[0] {
		case 'u':
			messages = append(messages, `{"role":"user","content":[`+text+`]}`)
		case 'a':
			messages = append(messages, `{"role":"assistant","content":[`+thinking+`,`+text+`]}`)
		case 'b':
			messages = append(messages, `{"role":"assistant","content":[`+text+`]}`)
		case 'h':
			messages = append(messages, `{"role":"assistant","content":[`+thinking+`]}`)
		}
	}
	return `{"model":"` + model + `","system":"Be brief.","tools":[{"name":"run","input_schema":{}}],"messages":[` +
		strings.Join(messages, ",") + `]}`
}

// found writes problems as "rule path", those of bound thinking by their paths alone.
func found(problems []validity.Problem) string {
	var out []string
	for _, p := range problems {
		if p.Rule == validity.A9ThinkingBound {
			out = append(out, p.Path)
		} else {
			out = append(out, string(p.Rule)+" "+p.Path)
		}
	}
	return strings.Join(out, ", ")
}

func parseAll(t require.TestingT, name string, texts ...string) []*msg.Conversation {
	var all []*msg.Conversation
	for _, text := range texts {
		c, err := format.Parse([]byte(text), name)
		require.NoError(t, err, text)
		all = append(all, c)
	}
	return all
}

func TestCheckAppend(t *testing.T) {
	rows := []struct{ why, prev, next, want string }{
		{"the same request", "u1 a1 u2", "u1 a1 u2", ""},
		{"an append", "u1 a1 u2", "u1 a1 u2 a2 u3", ""},
		{"an append to the last message: neighbours of one role are one turn", "u1 a1 u2", "u1 a1 u2 u3", ""},
		{"from nothing", "", "u1 a1 u2", ""},
		{"a changed prompt breaks all thinking behind it, the new one too", "u1 a1 u2", "u9 a1 u2 a2 u3",
			"append_only /messages/0/content/0, /messages/1/content/0, /messages/3/content/0"},
		{"a change in the middle leaves what is before it", "u1 a1 u2 a2 u3", "u1 a1 u9 a2 u3",
			"append_only /messages/2/content/0, /messages/3/content/0"},
		{"a change behind all thinking breaks none", "u1 a1 u2", "u1 a1 u9", "append_only /messages/2/content/0"},
		{"a summary of the head breaks the tail", "u1 a1 u2 a2 u3", "u8 a2 u3",
			"append_only /messages/0/content/0, /messages/1/content/0"},
		{"one user message for the whole history is harmless", "u1 a1 u2 a2 u3", "u8", "append_only /messages/0/content/0"},
		{"a shorter request is no append, and breaks no thinking", "u1 a1 u2 a2 u3", "u1 a1 u2",
			"append_only /messages/3/content/1"},
		{"all thinking removed", "u1 a1 u2 a2 u3 a3 u4", "u1 b1 u2 b2 u3 b3 u4", ""},
		{"all thinking removed, and new thinking behind it", "u1 a1 u2 a2 u3", "u1 b1 u2 b2 u3 a3 u4", ""},
		{"a leading run removed", "u1 a1 u2 a2 u3 a3 u4", "u1 b1 u2 a2 u3 a3 u4 a4 u5", ""},
		{"a trailing run removed", "u1 a1 u2 a2 u3 a3 u4", "u1 a1 u2 b2 u3 b3 u4", ""},
		{"both ends removed", "u1 a1 u2 a2 u3 a3 u4", "u1 b1 u2 a2 u3 b3 u4", ""},
		{"one from the middle", "u1 a1 u2 a2 u3 a3 u4", "u1 a1 u2 b2 u3 a3 u4", "/messages/5/content/0"},
		{"a trailing run, with new thinking behind it: the middle after all", "u1 a1 u2 a2 u3", "u1 a1 u2 b2 u3 a3 u4",
			"/messages/5/content/0"},
		{"one put back", "u1 b1 u2 a2 u3", "u1 a1 u2 a2 u3", "/messages/1/content/0, /messages/3/content/0"},
		{"one put back at the end", "u1 a1 u2 b2 u3", "u1 a1 u2 a2 u3", "/messages/3/content/0"},
		{"one changed in its place", "u1 a1 u2", "u1 h9 b1 u2", "/messages/1/content/0"},
		{"a message of thinking alone that went", "u1 h1 b2 u2", "u1 b2 u2", ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			all := parseAll(t, msg.Anthropic, request(binding, row.prev), request(binding, row.next),
				request("claude-sonnet-4-5", row.prev), request("claude-sonnet-4-5", row.next))
			problems := validity.CheckAppend(all[0], all[1])
			require.Equal(t, row.want, found(problems))
			for _, p := range problems {
				if p.Rule == validity.A9ThinkingBound {
					require.Equal(t, validity.SeverityError, p.Severity)
					require.Contains(t, p.ProviderError, "bound to a different conversation")
				} else {
					require.Equal(t, validity.SeverityWarning, p.Severity)
				}
				require.NotEmpty(t, p.Message)
			}
			first, _, _ := strings.Cut(row.want, ", ")
			if !strings.HasPrefix(first, "append_only") {
				first = ""
			}
			require.Equal(t, first, found(validity.CheckAppend(all[2], all[3])), "a model that binds nothing")
		})
	}
}

// The parts outside of the messages, and different JSON that is the same to the provider.
func TestCheckAppendBesideTheMessages(t *testing.T) {
	base := request(binding, "u1 a1 u2")
	rows := []struct{ why, old, new, want string }{
		{"another system prompt", `Be brief.`, `Be brief. It is 12:01.`, "append_only /system, /messages/1/content/0"},
		{"no system prompt any more", `"system":"Be brief.",`, ``, "append_only /system, /messages/1/content/0"},
		{"a tool more", `"tools":[`, `"tools":[{"name":"a","input_schema":{}},`,
			"append_only /tools/0, /messages/1/content/0"},
		{"a tool more at the end", `"input_schema":{}}]`, `"input_schema":{}},{"name":"z","input_schema":{}}]`,
			"append_only /tools/1, /messages/1/content/0"},
		{"the same text in another role", `{"role":"user","content":[{"type":"text","text":"1"}`,
			`{"role":"assistant","content":[{"type":"text","text":"1"}`,
			"append_only /messages/0/content/0, /messages/1/content/0"},
		{"another schema", `"input_schema":{}`, `"input_schema":{"type":"object"}`,
			"append_only /tools/0, /messages/1/content/0"},
		{"no tools any more", `"tools":[{"name":"run","input_schema":{}}],`, ``, "append_only /tools, /messages/1/content/0"},
		{"a field that we do not know", `"text":"1"}`, `"text":"1","citations":[]}`,
			"append_only /messages/0/content/0, /messages/1/content/0"},
		{"a breakpoint that moved", `"text":"2"}`, `"text":"2","cache_control":{"type":"ephemeral"}}`, ""},
		{"a breakpoint on a tool", `"input_schema":{}`, `"cache_control":{"type":"ephemeral"},"input_schema":{}`, ""},
		{"white space in a tool", `"input_schema":{}`, "\"input_schema\" : { }, \"cache_control\":{\"type\":\"ephemeral\"} ", ""},
		{"a string for one text", `"content":[{"type":"text","text":"2"}]`, `"content":"2"`, ""},
		{"white space and escapes", `{"type":"text","text":"1"}`, "{ \"text\" : \"\\u0031\" ,\n\"type\":\"text\" }", ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			next := strings.Replace(base, row.old, row.new, 1)
			require.NotEqual(t, base, next)
			all := parseAll(t, msg.Anthropic, base, next)
			require.Equal(t, row.want, found(validity.CheckAppend(all[0], all[1])))
		})
	}
	call := func(input string) string {
		return `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":` + input + `}]}]`
	}
	all := parseAll(t, "", call(`{"a":[1, 2],"b":3}`), call(`{ "a":[1,2], "b":3 }`), call(`{"b":3,"a":[1,2]}`),
		call(`{"a":[1,2],"b":3.0}`))
	require.Empty(t, validity.CheckAppend(all[0], all[1]), "white space in an input")
	require.Equal(t, "append_only /1/content/0", found(validity.CheckAppend(all[0], all[2])),
		"the order of an input's members counts")
	require.Equal(t, "append_only /1/content/0", found(validity.CheckAppend(all[0], all[3])))
	openAI := parseAll(t, msg.OpenAIChat, `[{"role":"user","content":"a"},{"role":"user","content":"b"}]`,
		`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`)
	require.NotEmpty(t, validity.CheckAppend(openAI[0], openAI[1]), "OpenAI joins nothing")
	require.Equal(t, "append_only ", found(validity.CheckAppend(all[0], openAI[0])), "another format")
	const thought = `"reasoning_content":"Hm.",`
	first, second := `[{"role":"user","content":"a"},{"role":"assistant",`+thought+`"content":"b"}`,
		`,{"role":"user","content":"c"},{"role":"assistant",`+thought+`"content":"d"}]`
	openAI = parseAll(t, msg.OpenAIChat, first+second, strings.Replace(first, thought, "", 1)+second)
	openAI[0].Model, openAI[1].Model = binding, binding
	require.Empty(t, validity.CheckAppend(openAI[0], openAI[1]),
		"OpenAI, a leading run of thinking removed: the message begins with its text")
}

// Of any conversation: growing is an append, and any other difference that the comparison sees is named once, inside
// the conversation. The slow and obvious twin says where.
func TestCheckAppendProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c, err := format.Parse(convtest.Conversation(t, name), name)
		require.NoError(t, err)
		c.Model = binding
		cut := rapid.IntRange(0, len(c.Messages)).Draw(t, "cut")
		head := c.WithMessages(c.Messages[:cut])
		require.Empty(t, validity.CheckAppend(head, c))
		if cut == 0 {
			return
		}
		m := rapid.IntRange(0, cut-1).Draw(t, "message")
		if len(c.Messages[m].Blocks) == 0 {
			return
		}
		b := rapid.IntRange(0, len(c.Messages[m].Blocks)-1).Draw(t, "block")
		if c.Messages[m].Blocks[b].Kind == msg.KindThinking {
			return
		}
		messages := append([]msg.Message{}, c.Messages...)
		blocks := append([]msg.Block{}, messages[m].Blocks...)
		blocks[b].Text += " more" + strconv.Itoa(b)
		blocks[b].Changed = msg.ChangedText
		messages[m] = messages[m].WithBlocks(blocks)
		problems := validity.CheckAppend(head, c.WithMessages(messages))
		require.NotEmpty(t, problems)
		require.Equal(t, msg.Ref{Message: m, Block: b}, problems[0].Ref)
		want := 0
		for k := m; k < len(messages); k++ {
			for i := range messages[k].Blocks {
				if messages[k].Blocks[i].Kind == msg.KindThinking && (k > m || i > b) && msg.API(name) != msg.OpenAIResponses {
					want++
				}
			}
		}
		require.Len(t, problems[1:], want)
	})
}
