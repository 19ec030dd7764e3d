package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
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
	outcomes(t, c, func(name, text string) {
		require.Contains(t, text, `"max_tokens":0`)
		require.Contains(t, text, answer, name)
	})
}

// outcomes gives the document after a compaction by each preset.
func outcomes(t *testing.T, c *msg.Conversation, check func(name, text string)) {
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
		require.True(t, validity.Valid(validity.Check(out.Conversation)), name)
		check(name, string(text))
	}
}

// A listing of MCP tools stays where it is however old its answer is, with the calls that came with it.
func TestListingsOfToolsStay(t *testing.T) {
	const listing = `{"type":"mcp_tool_listing","mcp_server_name":"s","tools":[{"name":"a","n":1.50}]}`
	call := func(id string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"Read","input":{"path":"` + id + `.go"}}`
	}
	result := func(id string) string {
		return `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` +
			strings.Repeat("a line of "+id+"\\n", 200) + `"}]}`
	}
	for _, with := range []string{"", `,{"type":"mcp_tool_use","id":"mcptoolu_1","name":"a","server_name":"s","input":{}},` +
		`{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[{"type":"text","text":"x"}]}`,
		"," + call("t0")} {
		doc := `{"model":"claude-opus-4-5","max_tokens":9,"messages":[{"role":"user","content":"Go."},{"role":"assistant",` +
			`"content":[` + listing + `,{"type":"text","text":"First."}` + with + `]}`
		if strings.Contains(with, "t0") {
			doc += result("t0")
		} else {
			doc += `,{"role":"user","content":"Go on."}`
		}
		for i := range 30 {
			id := fmt.Sprintf("t%d", i+1)
			doc += `,{"role":"assistant","content":[{"type":"text","text":"Next."},` + call(id) + `]}` + result(id)
		}
		c := parse(t, doc+`,{"role":"assistant","content":"Done."},{"role":"user","content":"And?"}]}`)
		require.True(t, validity.Valid(validity.Check(c)))
		outcomes(t, c, func(name, text string) { require.Contains(t, text, listing, name) })
	}
}
