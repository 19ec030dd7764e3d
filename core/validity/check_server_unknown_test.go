package validity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// The result of a server tool that is not known is judged by its pair, whatever the type of its call.
func TestUnknownServerTools(t *testing.T) {
	const result = `{"type":"memory_tool_result","tool_use_id":"s1","content":{"type":"x"}}`
	for blocks, problems := range map[string][]Rule{
		`{"type":"server_tool_use","id":"s1","name":"memory","input":{}},` + result: nil,
		`{"type":"memory_use","id":"s1","name":"memory","input":{}},` + result:      nil,
		`{"type":"text","text":"a"},` + result:                                      {A7ServerTool},
		`{"type":"memory_use","id":"s2","name":"memory","input":{}},` + result:      {A7ServerTool},
	} {
		c, err := format.Parse([]byte(`[{"role":"user","content":"x"},{"role":"assistant","content":[`+blocks+`,{"type":"text","text":"b"}]},`+
			`{"role":"user","content":"y"}]`), msg.Anthropic)
		require.NoError(t, err)
		var rules []Rule
		for _, p := range Check(c) {
			rules = append(rules, p.Rule)
		}
		require.Equal(t, problems, rules, blocks)
		repaired, _ := Repair(c)
		require.Empty(t, Check(repaired), blocks)
	}
}
