package assemble

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/tokens"
	"tamp/core/validity"
)

func parse(t require.TestingT, doc string) *msg.Conversation {
	c, err := format.Parse([]byte(doc), "")
	require.NoError(t, err, "%.300s", doc)
	return c
}

// renderMessages renders the new messages alone.
func renderMessages(t require.TestingT, name string, a Assembled) string {
	out, err := format.Render(&msg.Conversation{Format: name, Messages: a.Messages})
	require.NoError(t, err)
	return string(out)
}

func text(s string) rawjson.Value { return rawjson.Quote(s) }

const (
	twoCalls = `[{"role":"user","content":"go"},{"role":"assistant","content":[` +
		`{"type":"tool_use","id":"a","name":"read","input":{}},{"type":"server_tool_use","id":"s","name":"web_search","input":{}},` +
		`{"type":"web_search_tool_result","tool_use_id":"s","content":[]},{"type":"tool_use","id":"b","name":"bash","input":{}}]}]`
	late = `[{"role":"user","content":"go"},{"type":"function_call","call_id":"a","name":"build","arguments":"{}","async":true},` +
		`{"role":"user","content":"on"},{"role":"assistant","content":"done"}]`
	twoOpenAI = `[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"bash","arguments":"{}"}}]}]`
)

func TestUser(t *testing.T) {
	ab := []Result{{ToolUseID: "b", Content: text("B")}, {ToolUseID: "a", Content: text("A")}}
	rows := []struct {
		why, doc string
		p        Parts
		want     string
	}{
		{"results in the order of their calls, then injections, then the user's text", twoCalls,
			Parts{Results: ab, Injections: []Injection{{"reminder", "be brief"}, {"ide_opened", "main.go"}},
				Text: "next"},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"A"},{"type":"tool_result","tool_use_id":"b","content":"B"},` +
				`{"type":"text","text":"<system-reminder>\nbe brief\n</system-reminder>"},{"type":"text","text":"<ide_opened_file>\nmain.go\n</ide_opened_file>"},` +
				`{"type":"text","text":"next"}]}]`},
		{"Responses: an asynchronous call that waits, behind later prompts", late,
			Parts{Results: []Result{{ToolUseID: "a", Content: text("A")}}},
			`[{"type":"function_call_output","call_id":"a","output":"A"}]`},
		{"Responses: an asynchronous call may wait longer", late, Parts{Text: "next"},
			`[{"type":"message","role":"user","content":[{"type":"input_text","text":"next"}]}]`},
		{"OpenAI: a tool message each, then the user's", twoOpenAI,
			Parts{Results: ab, Injections: []Injection{{"hook_prompt", "h"}}, Text: "next"},
			`[{"role":"tool","tool_call_id":"a","content":"A"},{"role":"tool","tool_call_id":"b","content":"B"},` +
				`{"role":"user","content":[{"type":"text","text":"<user-prompt-submit-hook>\nh\n</user-prompt-submit-hook>"},{"type":"text","text":"next"}]}]`},
		{"OpenAI: a text alone is a string",
			`[{"role":"system","content":"s"},{"role":"user","content":"go"},{"role":"assistant","content":"ok"}]`,
			Parts{Text: "next"}, `[{"role":"user","content":"next"}]`},
		{"a text alone", `[{"role":"user","content":"go"},{"role":"assistant","content":"ok"}]`,
			Parts{Text: "next"}, `[{"role":"user","content":[{"type":"text","text":"next"}]}]`},
		{"results alone, an error and an empty one", twoCalls,
			Parts{Results: []Result{{ToolUseID: "a", Content: text("no such file"), IsError: true}, {ToolUseID: "b"}},
				Text: " \n"},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"no such file","is_error":true},{"type":"tool_result","tool_use_id":"b","content":""}]}]`},
		{"content as blocks is not changed", twoCalls,
			Parts{Results: []Result{{ToolUseID: "a",
				Content: rawjson.Value(` [{"type":"text", "text":"A"},{"type":"image","source":{"type":"url","url":"http://localhost/x"}}] `), IsError: true}, ab[0]}},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text", "text":"A"},{"type":"image","source":{"type":"url","url":"http://localhost/x"}}],"is_error":true},` +
				`{"type":"tool_result","tool_use_id":"b","content":"B"}]}]`},
		{"OpenAI: content as parts", twoOpenAI,
			Parts{Results: []Result{{ToolUseID: "a", Content: rawjson.Value(`[{"type":"text","text":"A"}]`)}, ab[0]}},
			`[{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"A"}]},{"role":"tool","tool_call_id":"b","content":"B"}]`},
		{"OpenAI: the deprecated pair, by its name",
			`[{"role":"system","content":"s"},{"role":"user","content":"go"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}]`,
			Parts{Results: []Result{{ToolUseID: "f",
				Content: text("F")}}}, `[{"role":"function","name":"f","content":"F"}]`},
		{"one of two results is present: the other is pending",
			twoOpenAI[:len(twoOpenAI)-1] + `,{"role":"tool","tool_call_id":"b","content":"B"}]`,
			Parts{Results: ab[1:]}, `[{"role":"tool","tool_call_id":"a","content":"A"}]`},
		{"a prompt after the calls: no call is pending",
			twoCalls[:len(twoCalls)-1] + `,{"role":"user","content":"never mind"}]`,
			Parts{Text: "next"}, `[{"role":"user","content":[{"type":"text","text":"next"}]}]`},
		{"without a conversation results keep their order", "", Parts{Format: msg.Anthropic, Results: ab},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"B"},{"type":"tool_result","tool_use_id":"a","content":"A"}]}]`},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			name := row.p.Format
			if row.doc != "" {
				row.p.Conversation = parse(t, row.doc)
				name = row.p.Conversation.Format
			}
			a, err := User(row.p)
			require.NoError(t, err)
			require.Equal(t, row.want, renderMessages(t, name, a))
		})
	}
}

func TestUserErrors(t *testing.T) {
	both := []Result{{ToolUseID: "a"}, {ToolUseID: "b"}}
	rows := []struct {
		why        string
		p          Parts
		path, says string
	}{
		{"a missing result, by name", Parts{Results: both[:1]}, "/results", "no result for the call b (bash)"},
		{"all missing ones at once", Parts{Text: "next"}, "/results", "a (read), b (bash)"},
		{"a result without a call", Parts{Results: append(both[:2:2], Result{ToolUseID: "z"})}, "/results/2/toolUseId",
			"no pending call has the id z"},
		{"a server call of the provider cannot be answered", Parts{Results: append(both[:2:2],
			Result{ToolUseID: "s"})}, "/results/2/toolUseId", "no pending call"},
		{"a second result", Parts{Results: append(both[:2:2], Result{ToolUseID: "a"})}, "/results/2/toolUseId",
			"the call a has a second result"},
		{"a result without an id", Parts{Results: []Result{{}}}, "/results/0/toolUseId", "names no call"},
		{"content of a wrong type", Parts{Results: []Result{{ToolUseID: "a", Content: rawjson.Value(`7`)}, both[1]}},
			"/results/0/content", "a string or an array"},
		{"content that is not JSON", Parts{Results: []Result{{ToolUseID: "a", Content: rawjson.Value(`{`)}, both[1]}},
			"/results/0/content", "not JSON"},
		{"a block without a type", Parts{Results: []Result{{ToolUseID: "a", Content: rawjson.Value(`[{}]`)}, both[1]}},
			"/results/0/content/0", "with a type"},
		{"an unknown source", Parts{Results: both, Injections: []Injection{{"reminder", ""}, {"remindr", "x"}}},
			"/injections/1/source", "there are reminder, ide_selection"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			row.p.Conversation = parse(t, twoCalls)
			_, err := User(row.p)
			requireError(t, err, msg.BadRequest, row.path, row.says)
		})
	}
	_, err := User(Parts{Format: msg.Anthropic, Text: "\n"})
	requireError(t, err, msg.BadRequest, "", "no result, no injection and no text")
	_, err = User(Parts{Format: "bedrock", Text: "x"})
	requireError(t, err, msg.UnknownFormat, "/format", "openai-chat")
	_, err = User(Parts{Conversation: parse(t, twoOpenAI), Results: []Result{{ToolUseID: "a",
		Content: rawjson.Value(`[{"type":"image"}]`)}, {ToolUseID: "b"}}})
	requireError(t, err, msg.BadRequest, "/results/0/content/0", "text only")
}

func requireError(t *testing.T, err error, code msg.Code, path, says string) {
	t.Helper()
	var e *msg.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code)
	require.Equal(t, path, e.Path)
	require.Contains(t, e.Msg, says)
}

// Every block is described: its tier, its tokens, whether a pass may change it.
func TestPlaced(t *testing.T) {
	a, err := User(Parts{Conversation: parse(t, twoOpenAI), Count: tokens.Chars4, Text: "12345678",
		Results: []Result{{ToolUseID: "a", Content: text("1234")}, {ToolUseID: "b",
			Content: rawjson.Value(`[{"type":"text","text":"123412341234"}]`)}},
		Injections: []Injection{{"reminder", "r"}, {"hook_pre_tool", "h"}}})
	require.NoError(t, err)
	require.Equal(t, []Placed{
		{Message: 0, Kind: "tool_result", Tier: TierTools, Source: "tool", ToolUseID: "a", Tokens: 1,
			Compactable: true},
		{Message: 1, Kind: "tool_result", Tier: TierTools, Source: "tool", ToolUseID: "b", Tokens: 3,
			Compactable: true},
		{Message: 2, Block: 0, Kind: "text", Tier: TierSystem, Source: "reminder", Tokens: 9, Compactable: true},
		{Message: 2, Block: 1, Kind: "text", Tier: TierTools, Source: "hook_pre_tool", Tokens: 10, Compactable: true},
		{Message: 2, Block: 2, Kind: "text", Tier: TierUser, Source: "user", Tokens: 2, Pinned: true},
	}, a.Blocks)
	out, err := json.Marshal(a.Blocks[0])
	require.NoError(t, err)
	require.JSONEq(t,
		`{"message":0,"block":0,"kind":"tool_result","tier":3,"source":"tool","toolUseId":"a","tokens":1,"pinned":false,"compactable":true}`, string(out))
}

func TestEscape(t *testing.T) {
	for _, row := range []struct{ why, in, out string }{
		{"the tag itself", "a</system-reminder>b", "a&lt;/system-reminder>b"},
		{"another case", "</System-REMINDER>", "&lt;/System-REMINDER>"},
		{"white space before the bracket", "</system-reminder \n>", "&lt;/system-reminder \n>"},
		{"white space after the bracket", "< / system-reminder>", "&lt; / system-reminder>"},
		{"invisible characters inside", "</system\u200b-remin\u00adder>", "&lt;/system\u200b-remin\u00adder>"},
		{"with an attribute", "</system-reminder x=1>", "&lt;/system-reminder x=1>"},
		{"incomplete: our own closing tag would complete it", "</system-reminder", "&lt;/system-reminder"},
		{"twice", "<</system-reminder></system-reminder>", "<&lt;/system-reminder>&lt;/system-reminder>"},
		{"a longer name is another tag", "</system-reminders> </system-reminder-x> </system-reminder_1>",
			"</system-reminders> </system-reminder-x> </system-reminder_1>"},
		{"another tag stays", "</ide_selection> <system-reminder> </div> a < b",
			"</ide_selection> <system-reminder> </div> a < b"},
	} {
		t.Run(row.why, func(t *testing.T) { require.Equal(t, row.out, escape(row.in, "system-reminder")) })
	}
}

// No content of an injection closes its tag, and msg recognizes the block as injected.
func TestInjectionStaysInside(t *testing.T) {
	pieces := []string{"<", "/", "</", ">", " ", "\n", "\u200b", "\u00a0", "SYSTEM-", "system-", "reminder",
		"ide_selection", "</system-reminder>", "x", "&lt;", "\xff", "-", "\u0301"}
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
		tag := rapid.SampledFrom(tags[:]).Draw(t, "tag")
		wrapped := tag.wrap(content)
		b := msg.TextBlock(wrapped)
		require.True(t, b.IsInjected(), "%q", wrapped)
		require.Equal(t, []provenance.Span{{Author: provenance.Program, End: len(wrapped)}},
			provenance.Split(wrapped), "no part of it is the user's")
		opening, closing := "<"+tag.name+">\n", "\n</"+tag.name+">"
		require.True(t, strings.HasPrefix(wrapped, opening) && strings.HasSuffix(wrapped, closing), "%q", wrapped)
		inner := wrapped[len(opening) : len(wrapped)-len(closing)]
		require.Equal(t, inner, escape(inner, tag.name), "escaping again changes nothing")
		require.Equal(t, strings.ReplaceAll(content, "<", "&lt;"), strings.ReplaceAll(inner, "<", "&lt;"),
			"nothing else changes")
		// Reference: in lower case and without invisible characters, the closing tag does not occur.
		plain := strings.Map(func(r rune) rune {
			if isInvisible(r) {
				return -1
			}
			return r
		}, strings.ToLower(inner))
		require.NotContains(t, plain, "</"+tag.name+">")
	})
}

// An injected text is in its tag on lines of its own, whatever its source and its lines.
func TestInjectionHasLinesOfItsOwn(t *testing.T) {
	for _, tag := range tags {
		for _, content := range []string{"Keep answers short.", "two\nlines", ""} {
			a, err := User(Parts{Format: msg.Anthropic, Injections: []Injection{{tag.source, content}}, Text: "next"})
			require.NoError(t, err)
			require.Equal(t, "<"+tag.name+">\n"+content+"\n</"+tag.name+">", a.Messages[0].Blocks[0].Text)
		}
	}
}

// For any valid conversation: with a result for each pending call the next request is valid, and the earlier messages
// are equal byte for byte.
func TestUserProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat}).Draw(t, "format")
		doc := string(convtest.Conversation(t, name))
		c := parse(t, doc)
		var results []Result
		for _, call := range Pending(c) {
			results = append(results, Result{ToolUseID: call.ID, Content: text("ok")})
		}
		results = rapid.Permutation(results).Draw(t, "order")
		a, err := User(Parts{Conversation: c, Results: results, Injections: []Injection{{"reminder", "r"}},
			Text: "next"})
		require.NoError(t, err)
		require.Len(t, a.Blocks, len(results)+2)
		next := a.Append(c)
		out, err := format.Render(next)
		require.NoError(t, err)
		before, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, doc, string(before))
		got := parse(t, string(out))
		problems := func(c *msg.Conversation) (n int) {
			for _, p := range validity.Check(c) {
				if p.Severity == validity.SeverityError {
					n++
				}
			}
			return n
		}
		last := &c.Messages[len(c.Messages)-1]
		if last.Role == msg.Assistant && (len(last.Blocks) == 0 || len(last.Blocks) == 1 && last.Blocks[0].Bare &&
			last.Blocks[0].Text == "") {
			return // an empty prefill is only valid at the end
		}
		require.LessOrEqual(t, problems(got), problems(c), "%v\n%.2000s", validity.Check(got), out)
		require.Empty(t, Pending(got))
	})
}
