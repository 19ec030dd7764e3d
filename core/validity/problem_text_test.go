package validity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/validity"
)

// A problem names the call by its id and its tool, or by one of them if it has no other.
func TestProblemNamesTheCall(t *testing.T) {
	const before, after = `[{"role":"user","content":"go"},{"role":"assistant","content":null,`,
		`},{"role":"user","content":"stop"}]`
	for call, want := range map[string]string{
		`"tool_calls":[{"id":"c1","type":"function","function":{"name":"run","arguments":"{}"}}]`: "The call c1 (run) has no result behind it.",
		`"function_call":{"name":"run","arguments":"{}"}`:                                         "The call run has no result behind it.",
	} {
		all := parseAll(t, msg.OpenAIChat, before+call+after)
		problems := validity.Check(all[0])
		require.Len(t, problems, 1)
		require.Equal(t, want, problems[0].Message)
	}
}

// A result that came too late is moved, and the report says so; one without a call is removed.
func TestProblemOfALateToolMessage(t *testing.T) {
	const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"run","arguments":"{}"}}]},`
	const result = `{"role":"tool","tool_call_id":"c1","content":"out"}`
	all := parseAll(t, msg.OpenAIChat,
		`[{"role":"user","content":"go"},`+call+`{"role":"user","content":"on"},`+result+`]`,
		`[{"role":"user","content":"go"},`+result+`]`)
	problems := validity.Check(all[0])
	require.Equal(t, "The result of c1 (run) does not stand directly behind its call.", problems[1].Message)
	require.Equal(t, "the message is moved up behind its call", problems[1].Repair)
	problems = validity.Check(all[1])
	require.Equal(t, "The tool message for c1 answers no call of the assistant message before it.", problems[0].Message)
	require.Equal(t, "the message is removed", problems[0].Repair)
}

// A call of an MCP tool wants a result of the type that the provider names.
func TestProblemOfAnMCPCall(t *testing.T) {
	write := func(kind, name string) string {
		return `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"` + kind + `","id":"s1","name":"` +
			name +
			`","input":{}},{"type":"text","text":"x"}]},{"role":"user","content":"on"}]`
	}
	all := parseAll(t, msg.Anthropic, write("mcp_tool_use", "search"), write("server_tool_use", "web_search"))
	for i, want := range []string{"mcp_tool_result", "web_search_tool_result"} {
		problems := validity.Check(all[i])
		require.Len(t, problems, 1)
		require.Contains(t, problems[0].ProviderError, "without a corresponding `"+want+"` block")
	}
}

// A conversation without messages is reported at the list that is empty.
func TestProblemOfAnEmptyListHasItsPath(t *testing.T) {
	for doc, path := range map[string]string{
		`[]`:              "",
		`{"messages":[]}`: "",
		`{"model":"claude-opus-4-5","messages":[]}`:                      "/messages",
		`{"system":"Be brief.","messages":[]}`:                           "/messages",
		`{"tools":[{"name":"run","input_schema":{}}],"messages":[]}`:     "/messages",
		`{"model":"claude-opus-4-5","system":"Be brief.","messages":[]}`: "/messages",
	} {
		problems := validity.Check(parseAll(t, msg.Anthropic, doc)[0])
		require.Len(t, problems, 1, doc)
		require.Equal(t, path, problems[0].Path, doc)
	}
}

// Numbers in each way of writing that JSON has.
func TestNumbersOfJSON(t *testing.T) {
	for _, text := range []string{"0", "-0", "10", "1.5", "-1.50", "1e5", "1E5", "1e+5", "1e-05", "0.0e0", "[1e5]",
		"[-1]"} {
		require.NoError(t, rawjson.Check([]byte(text)), text)
	}
	for _, text := range []string{"00", "-", "+1", ".5", "1.", "1e", "1e-", "1e+-5", "--1", "1.e5", "[-]"} {
		require.Error(t, rawjson.Check([]byte(text)), text)
	}
}

// An orphan is named in the same way.
func TestProblemNamesTheOrphan(t *testing.T) {
	for id, want := range map[string]string{
		"toolu_9": "The result of toolu_9 answers no call before it.",
		"":        "The result of a call without a name answers no call before it.",
	} {
		all := parseAll(t, msg.Anthropic, `[{"role":"user","content":"go"},{"role":"assistant","content":"x"},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":"out"},{"type":"text","text":"on"}]}]`)
		problems := validity.Check(all[0])
		require.Len(t, problems, 1)
		require.Equal(t, want, problems[0].Message)
	}
}

// The provider's words for a server block without an id name the member that is missing.
func TestProblemOfAServerBlockWithoutID(t *testing.T) {
	all := parseAll(t, msg.Anthropic, `[{"role":"user","content":"go"},{"role":"assistant","content":[`+
		`{"type":"server_tool_use","id":"","name":"web_search","input":{}},`+
		`{"type":"web_search_tool_result","tool_use_id":"","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"on"}]`)
	problems := validity.Check(all[0])
	require.Len(t, problems, 2)
	require.Equal(t, "messages.1.content.0.server_tool_use.id: Field required", problems[0].ProviderError)
	require.Equal(t, "messages.1.content.1.web_search_tool_result.tool_use_id: Field required", problems[1].ProviderError)
}
