package tokens_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/tokens"
)

// A deferred tool is not in the prompt until a block refers to it: there its definition counts, wherever the reference
// is.
func TestDeferredTools(t *testing.T) {
	tool := func(member string) string {
		return `{"name":"read_page",` + member + `"description":"` + strings.Repeat("Reads a page. ", 50) +
			`","input_schema":{"type":"object"}}`
	}
	const search = `{"type":"tool_search_tool_regex_20251119","name":"search"}`
	count := func(tools, blocks string) tokens.Counts {
		c, err := format.Parse([]byte(`{"model":"claude-opus-5-5","tools":[`+search+tools+`],"messages":[{"role":"user","content":"Hi."},`+
			`{"role":"assistant","content":[{"type":"text","text":"Yes."}`+blocks+`]}]}`), "anthropic")
		require.NoError(t, err)
		return tokens.NewMeter(nil, c).Conversation(c)
	}
	without, loaded, deferred := count("", ""), count(","+tool(""), ""), count(","+tool(`"defer_loading":true,`), "")
	definition := loaded.Total - without.Total
	require.Greater(t, definition, 150)
	require.Equal(t, without.Total, deferred.Total)
	for _, block := range []string{
		`{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"tool_search_tool_search_result",` +
			`"tool_references":[{"type":"tool_reference","tool_name":"%"}]}}`,
		`{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"%"}]}`,
	} {
		block = `,{"type":"text","text":"See."},` + block
		named := count(","+tool(`"defer_loading":true,`), strings.Replace(block, "%", "read_page", 1))
		other := count(","+tool(`"defer_loading":true,`), strings.Replace(block, "%", "copy_page", 1))
		require.Equal(t, definition, named.Messages[1].Tokens-other.Messages[1].Tokens, block)
	}

	c, err := format.Parse([]byte(`{"model":"gpt-6.1-sol","tools":[{"type":"function","name":"f","defer_loading":true,`+
		`"parameters":{}}],"input":[{"role":"user","content":"Hi."}]}`), "openai-responses")
	require.NoError(t, err)
	require.Zero(t, tokens.NewMeter(nil, c).Conversation(c).Tools)
}
