package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// A request that only writes the cache (max_tokens 0), and blocks that Tamp does not edit: listings of MCP tools,
// fallbacks, blocks of unknown types. They are accepted and counted, and come back byte for byte in a message that a
// compaction keeps.
func TestOpaqueBlocks(t *testing.T) {
	const answer = `{"role":"assistant","content":[{"type":"mcp_tool_listing","server_name":"s","tools":[{"name":"a","n":1.50}]},` +
		`{"type":"text","text":"x"},{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}},{"type":"text","text":"Yes."},` +
		`{"type":"hologram","depth":[1.0]}]}`
	round := `{"role":"assistant","content":[{"type":"tool_use","id":"ID","name":"Read","input":{}}]},{"role":"user","content":` +
		`[{"type":"tool_result","tool_use_id":"ID","content":"` + strings.Repeat("a line of a file\\n", 400) + `"}]},`
	doc := `{"model":"claude-opus-5-5","max_tokens":0,"messages":[{"role":"user","content":"Go."},` +
		strings.ReplaceAll(round, "ID", "t1") + strings.ReplaceAll(round, "ID", "t2") + answer + `,{"role":"user","content":"And?"}]}`
	c := parse(t, doc)
	require.Empty(t, validity.Check(c))
	counts := tokens.NewMeter(nil, c).Conversation(c)
	for b, n := range counts.Messages[5].Blocks {
		require.Equal(t, b == 2, n == 0, "only the fallback block is not in the prompt")
	}
	for _, name := range policy.Names() {
		p, err := policy.Preset(name)
		require.NoError(t, err)
		env := core.Env{Force: true}
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		results, err := core.Summarize(c, "", p, env, plan, nil)
		require.NoError(t, err)
		out, err := core.Apply(c, "", p, env, plan, results)
		require.NoError(t, err)
		text, err := format.Render(out.Conversation)
		require.NoError(t, err)
		require.Contains(t, string(text), `"max_tokens":0`)
		if strings.Contains(string(text), "Yes.") && strings.Contains(string(text), "tool_use") {
			require.Contains(t, string(text), answer, name)
		}
		require.Equal(t, strings.Contains(string(text), `"fallback"`), strings.Contains(string(text), answer), name)
	}
}
