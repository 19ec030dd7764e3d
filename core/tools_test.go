package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
)

// The definitions have the schema of each provider.
func TestTools(t *testing.T) {
	for _, name := range []string{msg.Anthropic, msg.ClaudeCode, msg.OpenAIChat} {
		tools, err := core.Tools(name)
		require.NoError(t, err)
		require.Len(t, tools, 2)
		for i, want := range []string{"compact", "recall"} {
			require.NoError(t, msg.Validate(tools[i]))
			var tool struct {
				Type, Name, Description string
				InputSchema             map[string]any `json:"input_schema"`
				Function                struct {
					Name, Description string
					Parameters        map[string]any
				}
			}
			require.NoError(t, json.Unmarshal(tools[i], &tool))
			if name == msg.OpenAIChat {
				require.Equal(t, "function", tool.Type)
				tool.Name, tool.Description, tool.InputSchema = tool.Function.Name, tool.Function.Description,
					tool.Function.Parameters
			}
			require.Equal(t, want, tool.Name)
			require.NotEmpty(t, tool.Description)
			require.Equal(t, "object", tool.InputSchema["type"])
		}
	}
	_, err := core.Tools("bedrock")
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, msg.UnknownFormat, e.Code)
	require.Equal(t, "/format", e.Path)
	require.Contains(t, e.Msg, "anthropic")
}

func TestCompactCall(t *testing.T) {
	call := func(input, extra string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"compact","input":` + input + `}` + extra +
			`]}`
	}
	other := `,{"type":"tool_use","id":"r","name":"read","input":{}}`
	result := func(id string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"ok"}]}`
	}
	rows := []struct {
		why, focus string
		want       bool
		messages   []string
	}{
		{"answered and due", "the API", true, []string{call(`{"focus":" the API "}`, ""), result("c")}},
		{"without a focus", "", true, []string{call(`{}`, ""), result("c")}},
		{"a focus of the wrong type", "", true, []string{call(`{"focus":7}`, ""), result("c")}},
		{"not answered yet", "", false, []string{call(`{"focus":"x"}`, "")}},
		{"one result of two is missing", "", false, []string{call(`{"focus":"x"}`, other), result("c")}},
		{"both results are there", "x", true, []string{call(`{"focus":"x"}`, other), result("c"), result("r")}},
		{"the model went on already", "", false, []string{call(`{"focus":"x"}`, ""), result("c"),
			`{"role":"assistant","content":"done"}`}},
		{"another tool", "", false,
			[]string{`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"compactor","input":{}}]}`,
				result("c")}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			focus, ok := core.CompactCall(parse(t, `[{"role":"user","content":"go"},`+strings.Join(row.messages,
				",")+`]`))
			require.Equal(t, row.want, ok)
			require.Equal(t, row.focus, focus)
		})
	}
	openAI := `[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"compact","arguments":ARGS}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]`
	for args, want := range map[string]string{`"{\"focus\":\"tests\"}"`: "tests", `"{\"focus\": \"cut of"`: "",
		`""`: ""} {
		focus, ok := core.CompactCall(parse(t, strings.Replace(openAI, "ARGS", args, 1)))
		require.True(t, ok)
		require.Equal(t, want, focus)
	}
}
