package replay

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/policy"
)

// The compactions of the agent are placed between the calls of the log, and its own window changes no limit.
func TestAgentOfALog(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	call := `{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":"x"}}
{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"y"}]}}
`
	const compacted = `{"timestamp":"t","type":"compacted","payload":{"message":"S","replacement_history":[]}}
`
	log := `{"timestamp":"t","type":"turn_context","payload":{"model":"gpt-6.1-sol"}}
` + call + call + compacted + call + compacted + compacted + call +
		`{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"model_context_window":258400}}}`
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	r, err := Replay(c, p, Options{})
	require.NoError(t, err)
	require.Equal(t, 4, r.Totals.Calls)
	require.Equal(t, 1_050_000, r.Window)
	require.Equal(t, 258_400, r.Agent.Window)
	var places []int
	for _, compaction := range r.Agent.Compactions {
		require.Equal(t, "compacted", compaction.Name)
		places = append(places, compaction.Calls)
	}
	require.Equal(t, []int{2, 3, 3}, places)
	a, err := Audit(c, p, Options{})
	require.NoError(t, err)
	require.Equal(t, r.Agent, a.Agent)
}
