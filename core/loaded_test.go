package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
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
	unloaded, line := 0, "searched for again: `mcp__cal__list`"
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
			asked, said := "", ""
			for i := range plan.Requests {
				asked, said = asked+plan.Requests[i].User, said+written[i].Text
			}
			for _, results := range [][]core.SummaryResult{written, nil} {
				for i := range plan.Requests {
					if len(results) < len(plan.Requests) {
						results = append(results, core.SummaryResult{ID: plan.Requests[i].ID, Text: convtest.Vouched(plan.Requests[i].User, "The modules were read.")})
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
					require.True(t, strings.Contains(asked, line), "%s: %s", preset, asked[max(len(asked)-600, 0):])
					require.Contains(t, said, line, preset)
					require.Equal(t, 1, strings.Count(list, line), "%s: %s", preset, list[:min(len(list), 3000)])
				}
			}
		}
	}
	require.GreaterOrEqual(t, unloaded, 8)
}

// The line outlives later compactions, also those that condense the summary that has it.
func TestCondensingNamesLoadedTools(t *testing.T) {
	exchange := func(n int) (messages []string) {
		for i := range 30 {
			id := fmt.Sprintf("t%d_%d", n, i)
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Step %d."},{"type":"tool_use",`+
				`"id":"%s","name":"Read","input":{"file_path":"/src/%s.ts"}}]},{"role":"user","content":[{"type":"tool_result",`+
				`"tool_use_id":"%s","content":"%s"}]}`, i, id, id, id, strings.Repeat("value = compute(x); // of a module\\n", 30)))
		}
		return append(messages, `{"role":"assistant","content":"Done."}`,
			fmt.Sprintf(`{"role":"user","content":"Now part %d of the work: always keep src/api%d.ts as it is."}`, n, n))
	}
	messages := append([]string{`{"role":"user","content":"Use the calendar."}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"s1","name":"ToolSearch","input":{}}]},{"role":"user",` +
			`"content":[{"type":"tool_result","tool_use_id":"s1","content":[{"type":"tool_reference","tool_name":"mcp__cal__list"}]}]}`},
		exchange(0)...)
	c := parse(t, `{"model":"claude-sonnet-4-6","tools":[{"name":"ToolSearch","input_schema":{"type":"object"}},{"name":"mcp__cal__list",`+
		`"input_schema":{"type":"object"},"defer_loading":true}],"messages":[`+strings.Join(messages, ",")+`]}`)
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window, p.Summary.MaxTokens = 12_000, min(p.Summary.MaxTokens, 400)
	condensed, env, state := 0, core.Env{}, core.State("")
	for n := 1; n < 14; n++ {
		plan, err := core.NewPlan(c, state, p, env)
		require.NoError(t, err)
		written, err := core.Summarize(c, state, p, env, plan, nil)
		require.NoError(t, err)
		out, err := core.Apply(c, state, p, env, plan, written)
		require.NoError(t, err)
		for _, action := range out.Actions {
			if action.Kind == "condense" {
				condensed++
			}
		}
		c, state = out.Conversation, out.State
		text, err := format.Render(c)
		require.NoError(t, err)
		if !strings.Contains(string(text), `"tool_name":"mcp__cal__list"`) {
			require.Equal(t, 1, strings.Count(string(text), "searched for again: `mcp__cal__list`"), "exchange %d", n)
		}
		added, reread, err := format.Append(c, []byte("["+strings.Join(exchange(n), ",")+"]"), "", nil)
		require.NoError(t, err)
		if c = c.WithMessages(append(c.Messages[:len(c.Messages):len(c.Messages)], added...)); reread != nil {
			c = reread
		}
	}
	require.Positive(t, condensed)
}
