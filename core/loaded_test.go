package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
)

// A summary that replaces the only references to tools that a search had loaded names them, whether a model wrote it
// or not; one whose references stay does not.
func TestSummariesNameLoadedTools(t *testing.T) {
	search := func(id, name string, server bool) string {
		if server {
			return `{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_` + id + `","name":"tool_search_tool_regex",` +
				`"input":{}},{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_` + id + `","content":{"type":` +
				`"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"` + name + `"}]}}]}`
		}
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"ToolSearch","input":{}}]},{"role":"user",` +
			`"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":[{"type":"tool_reference","tool_name":"` + name + `"}]}]}`
	}
	tool := func(name string) string {
		return `{"name":"` + name + `","input_schema":{"type":"object"},"defer_loading":true}`
	}
	unloaded := 0
	for _, server := range []bool{false, true} {
		messages := []string{`{"role":"user","content":"Use the calendar."}`, search("s1", "mcp__cal__list", server),
			search("s2", "mcp__cal__stays", server)}
		for i := range 30 {
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Step %d."},{"type":"tool_use",`+
				`"id":"t%d","name":"Read","input":{"file_path":"/src/a%d.ts"}}]},{"role":"user","content":[{"type":"tool_result",`+
				`"tool_use_id":"t%d","content":"%s"}]}`, i, i, i, i, strings.Repeat("value = compute(x); // of a module\\n", 60)))
		}
		messages = append(messages, search("s3", "mcp__cal__stays", server), `{"role":"assistant","content":"Done."}`,
			`{"role":"user","content":"Now the next one."}`)
		doc := `{"model":"claude-sonnet-4-6","tools":[{"name":"ToolSearch","input_schema":{"type":"object"}},` + tool("mcp__cal__list") +
			"," + tool("mcp__cal__stays") + `],"messages":[` + strings.Join(messages, ",") + `]}`
		c := parse(t, doc)
		for _, preset := range []string{"balanced", "turns", "hierarchical", "critical"} {
			p, err := policy.Preset(preset)
			require.NoError(t, err)
			p.Trigger.Window = 12_000
			env := core.Env{Force: true}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			written, err := core.Summarize(c, "", p, env, plan, nil)
			require.NoError(t, err)
			for _, results := range [][]core.SummaryResult{written, nil} {
				for i := range plan.Requests {
					if len(results) < len(plan.Requests) {
						results = append(results, core.SummaryResult{ID: plan.Requests[i].ID, Text: "The modules were read."})
					}
				}
				out, err := core.Apply(c, "", p, env, plan, results)
				require.NoError(t, err)
				text, err := format.Render(out.Conversation)
				require.NoError(t, err)
				list := string(text[strings.Index(string(text), `"messages"`):])
				if !strings.Contains(list, `"tool_name":"mcp__cal__list"`) {
					unloaded++
					require.Contains(t, list, "mcp__cal__list", preset)
					require.NotContains(t, list, "`mcp__cal__stays`", preset)
				}
			}
		}
	}
	require.GreaterOrEqual(t, unloaded, 8)
}
