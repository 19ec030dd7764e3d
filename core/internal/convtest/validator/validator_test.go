package validator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest/validator"
)

const (
	call   = `{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]}`
	result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"of 1"}]}`
	hi     = `{"role":"user","content":"hi"}`
	done   = `{"role":"assistant","content":"done"}`
	calls  = `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]}`
	answer  = `{"role":"tool","tool_call_id":"1","content":"of 1"}`
	search  = `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`
	found   = `{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`
	five    = `"cache_control":{"type":"ephemeral"}`
	hour    = `"cache_control":{"type":"ephemeral","ttl":"1h"}`
	compact = `{"type":"compaction","content":"so far"}`
)

func text(members ...string) string {
	return `{"type":"text","text":"x"` + strings.Join(append([]string{""}, members...), ",") + `}`
}

func user(blocks ...string) string      { return message("user", blocks...) }
func assistant(blocks ...string) string { return message("assistant", blocks...) }
func message(role string, blocks ...string) string {
	return `{"role":"` + role + `","content":[` + strings.Join(blocks, ",") + `]}`
}

var rows = []struct {
	format, name string
	messages     []string
	rules        string
}{
	{"anthropic", "a round", []string{hi, call, result, done}, ""},
	{"anthropic", "neighbors of one role are one message", []string{hi, call, result, user(text()), done}, ""},
	{"anthropic", "a system message within the round", []string{hi, call, message("system", text()), result},
		"A18_system"},
	{"anthropic", "a system message behind the assistant", []string{hi, done, message("system", text())},
		"A18_system"},
	{"anthropic", "a system message before the user", []string{hi, message("system", text()), hi}, "A18_system"},
	{"anthropic", "a system message in its place", []string{hi, message("system", text()), done, hi,
		message("system", text())}, ""},
	{"anthropic", "a prefill that holds nothing yet", []string{hi, `{"role":"assistant","content":""}`}, ""},
	{"anthropic", "no messages", nil, "A1_empty"},
	{"anthropic", "an empty message", []string{`{"role":"user","content":""}`, done}, "A1_empty"},
	{"anthropic", "no content", []string{hi, `{"role":"assistant"}`}, "A1_empty"},
	{"anthropic", "an empty text", []string{user(`{"type":"text","text":""}`, text())}, "A1_empty"},
	{"anthropic", "the assistant first", []string{done, hi}, "A1_role"},
	{"anthropic", "a compaction first", []string{assistant(compact), hi}, ""},
	{"anthropic", "an unknown role", []string{hi, message("robot", text())}, "A1_role"},
	{"anthropic", "a user who thinks", []string{user(`{"type":"thinking","thinking":"x","signature":"s"}`)}, "A1_role"},
	{"anthropic", "no result", []string{hi, call, hi}, "A2_unanswered"},
	{"anthropic", "a result that may still come", []string{hi, call}, "A2_unanswered last"},
	{"anthropic", "an orphan", []string{result, done}, "A3_orphan"},
	{"anthropic", "the assistant's result", []string{hi, strings.Replace(result, "user", "assistant", 1)}, "A3_orphan"},
	{"anthropic", "a result two messages late", []string{hi, call, hi, done, result}, "A2_unanswered A3_orphan"},
	{"anthropic", "a result behind text", []string{hi, call, user(text()), result}, "A4_order"},
	{"anthropic", "an id again", []string{hi, call, result, call, result}, "A5_duplicate"},
	{"anthropic", "two results", []string{hi, call, result, result}, "A5_duplicate"},
	{"anthropic", "an id that is none", []string{hi, strings.Replace(call, `"1"`, `7`, 1), user(text())},
		"A5_duplicate A2_unanswered"},
	{"anthropic", "a search", []string{hi, assistant(search, found)}, ""},
	{"anthropic", "a search without a result", []string{hi, assistant(search), hi}, "A7_server_tool"},
	{"anthropic", "a result without a search", []string{hi, assistant(found), hi}, "A7_server_tool"},
	{"anthropic", "four breakpoints", []string{user(text(hour), text(five), text(five), text(five))}, ""},
	{"anthropic", "five breakpoints", []string{user(text(five), text(five), text(five), text(five), text(five))},
		"A11_cache_control"},
	{"anthropic", "an hour late", []string{user(text(five), text(hour))}, "A11_cache_control"},
	{"anthropic", "a breakpoint on thinking", []string{hi,
		assistant(`{"type":"thinking","thinking":"x","signature":"s",` + five + `}`)}, "A11_cache_control"},
	{"anthropic", "a compaction behind text", []string{hi, assistant(text(), compact)}, "A12_compaction"},
	{"anthropic", "two compactions", []string{assistant(compact), hi, assistant(compact)}, "A12_compaction"},

	{"openai-chat", "a round", []string{hi, calls, answer, calls, answer, done}, ""},
	{"openai-chat", "no messages", nil, "O3_empty"},
	{"openai-chat", "no answer", []string{hi, calls, hi}, "O1_unanswered"},
	{"openai-chat", "an answer that may still come", []string{hi, calls}, "O1_unanswered last"},
	{"openai-chat", "an orphan", []string{hi, answer}, "O2_orphan"},
	{"openai-chat", "an answer too late", []string{hi, calls, hi, answer}, "O1_unanswered O2_orphan"},
	{"openai-chat", "nothing said", []string{hi, `{"role":"assistant","content":null}`}, "O3_empty"},
	{"openai-chat", "a refusal", []string{hi, `{"role":"assistant","content":null,"refusal":"no"}`}, ""},
	{"openai-chat", "no result", []string{hi, calls, strings.Replace(answer, `"of 1"`, `null`, 1)}, "O3_empty"},
	{"openai-chat", "an unknown role", []string{hi, message("robot", text())}, "O4_role"},
	{"openai-chat", "two answers", []string{hi, calls, answer, answer}, "O5_duplicate"},
	{"openai-chat", "the deprecated pair", []string{hi,
		`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}`,
		`{"role":"function","name":"f","content":null}`}, ""},
}

func TestCheck(t *testing.T) {
	for _, row := range rows {
		t.Run(row.format+"/"+row.name, func(t *testing.T) {
			list := "[" + strings.Join(row.messages, ",") + "]"
			for _, document := range []string{list, `{"messages":` + list + "}"} {
				request, err := validator.Decode(row.format, []byte(document))
				require.NoError(t, err)
				require.Equal(t, row.rules, rules(request.Check()))
			}
		})
	}
}

// rules lists the rules of violations, each once.
func rules(violations []validator.Violation) string {
	var names []string
	for _, b := range violations {
		name := b.Rule
		if b.Last {
			name += " last"
		}
		if n := len(names); n == 0 || names[n-1] != name {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func TestBreakpointsOfTheWholeBody(t *testing.T) {
	request, err := validator.Decode("anthropic", []byte(`{"system":[`+text(five)+`],"tools":[{"name":"f",`+five+`}],`+
		`"cache_control":{"type":"ephemeral"},"messages":[`+user(text(five),
		`{"type":"tool_result","tool_use_id":"1","content":[`+text(five)+`]}`)+`]}`))
	require.NoError(t, err)
	require.Contains(t, rules(request.Check()), "A11_cache_control")
}

// A log is the path from the newest leaf to the root; lines of one message.id are one message, and results on branches
// count.
func TestLog(t *testing.T) {
	line := func(uuid, parent, kind, message string) string {
		return `{"uuid":"` + uuid + `","parentUuid":"` + parent + `","type":"` + kind + `","message":` + message + `}`
	}
	said := func(block string) string {
		return `{"id":"m","role":"assistant","model":"claude-opus-5-5","content":[` + block + `]}`
	}
	use := func(id string) string { return `{"type":"tool_use","id":"` + id + `","name":"f","input":{}}` }
	of := func(id string) string { return user(`{"type":"tool_result","tool_use_id":"` + id + `"}`) }
	document := []byte(strings.Join([]string{
		line("a", "", "user", hi), line("old", "a", "assistant", said(text())), `{"type":"summary"}`,
		line("b", "a", "assistant", said(use("1"))), line("c", "b", "assistant", said(use("2"))),
		line("d", "b", "user", of("1")), line("e", "c", "user", of("2")), line("f", "e", "system", "null"),
		line("g", "f", "assistant", done),
	}, "\n"))
	request, err := validator.Decode("claude-code", document)
	require.NoError(t, err)
	require.Empty(t, request.Check())
	require.Equal(t, "claude-opus-5-5", request.Model)
	require.Equal(t, "g", validator.Leaf(document))
	var roles []string
	for _, m := range request.Messages {
		roles = append(roles, m.Role)
	}
	require.Equal(t, "user assistant user user assistant", strings.Join(roles, " "))

	document = []byte(strings.Join([]string{
		line("a", "", "user", hi), line("b", "a", "assistant", said(use("1"))), line("c", "b", "user", hi)}, "\n"))
	request, err = validator.Decode("claude-code", document)
	require.NoError(t, err)
	require.Equal(t, "A2_unanswered", rules(request.Check()))
}

func TestCompare(t *testing.T) {
	thought := func(name string) string { return `{"type":"thinking","thinking":"x","signature":"` + name + `"}` }
	use := `{"type":"tool_use","id":"1","name":"run","input":{"a":1}}`
	body := func(model string, messages ...string) *validator.Request {
		request, err := validator.Decode("anthropic",
			[]byte(`{"model":"`+model+`","messages":[`+strings.Join(messages, ",")+`]}`))
		require.NoError(t, err)
		return request
	}
	three := []string{hi, assistant(thought("1"), text()), hi, assistant(thought("2"), text()), hi,
		assistant(thought("3"), text())}
	open := []string{hi, assistant(thought("1"), use), result}
	noInput, cleared := strings.Replace(use, `{"a":1}`, `{}`, 1), strings.Replace(result, "of 1", "cleared", 1)
	for _, row := range []struct {
		why      string
		was, is  []string
		any, new string // the rules that it breaks on an earlier model, and on one that binds thinking
	}{
		{"nothing changed", three, three, "", ""},
		{"a breakpoint moved", three, append([]string{user(`{"type":"text","text":"hi",` + five + `}`)}, three[1:]...),
			"", ""},
		{"a leading run went", three, []string{hi, assistant(text()), hi, three[3], hi, three[5]}, "", ""},
		{"a trailing run went", three, []string{hi, three[1], hi, assistant(text()), hi, assistant(text())}, "", ""},
		{"one from the middle went", three, []string{hi, three[1], hi, assistant(text()), hi, three[5]},
			"", "A9_thinking_bound"},
		{"both ends went", three, []string{hi, assistant(text()), hi, three[3], hi, assistant(text())}, "", ""},
		{"all went", three, []string{hi, assistant(text()), hi, assistant(text()), hi, assistant(text())}, "", ""},
		{"text before it changed", three, append([]string{user(text())}, three[1:]...), "", "A9_thinking_bound"},
		{"the head went", three, []string{hi, three[3], hi, three[5]}, "", "A9_thinking_bound"},
		{"text behind it changed", three, []string{hi, three[1], hi, assistant(`{"type":"text","text":"y"}`), hi, done},
			"", ""},
		{"one came", []string{hi, assistant(text())}, []string{hi, assistant(thought("1"), text())},
			"", "A9_thinking_bound"},
		{"an open round as it was", open, open, "", ""},
		{"an input of the open round changed", open, []string{hi, assistant(thought("1"), noInput), result},
			"A9_thinking_open", "A9_thinking_open"},
		{"thinking of the open round went", open, []string{hi, assistant(use), result}, "A9_thinking_open", ""},
		{"thinking and a text of the open round went", []string{hi, assistant(thought("1"), text(), use), result},
			[]string{hi, assistant(use), result}, "A9_thinking_open", "A9_thinking_open"},
		{"one of two thinking blocks of the open round went", []string{hi, assistant(thought("1"), thought("2"), use), result},
			[]string{hi, assistant(thought("1"), use), result}, "A9_thinking_open", "A9_thinking_open"},
		{"the whole history went", open, []string{hi}, "", ""},
		{"a result of the open round changed", open, []string{open[0], open[1], cleared}, "", ""},
	} {
		for _, model := range []string{"claude-opus-4-5", "claude-opus-4-20250514", "claude-sonnet-5", "claude-fable-5-0"} {
			violations := validator.Compare(body(model, row.was...), body(model, row.is...))
			require.Equal(t, row.any, rules(violations), "%s on %s", row.why, model)
		}
		for _, model := range []string{"claude-opus-5-5", "claude-fable-5-1", "anthropic/claude-opus-5.5",
			"claude-sonnet-6"} {
			violations := validator.Compare(body(model, row.was...), body(model, row.is...))
			require.Equal(t, row.new, rules(violations), "%s on %s", row.why, model)
		}
	}
}
