package replay

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
)

// The compactions of the agent are placed between the calls of the log, and its own window is that of the replay.
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
	require.Equal(t, 258_400, r.Window)
	require.Equal(t, core.WindowOfLog, r.WindowSource)
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

// The window of a replay, of an inspection and of a plan is one number, by the strongest evidence that there is.
func TestOneWindow(t *testing.T) {
	const boundary = `{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,` +
		`"compactMetadata":{"trigger":%q,"preTokens":%d}}` + "\n"
	log := func(model, trigger string, before, prompt int) string {
		return fmt.Sprintf(boundary, trigger, before) +
			`{"type":"user","uuid":"u","parentUuid":"b","message":{"role":"user","content":"x"}}` + "\n" +
			fmt.Sprintf(`{"type":"assistant","uuid":"a","parentUuid":"u","message":{"id":"m","role":"assistant","model":%q,`+
				`"content":[{"type":"text","text":"y"}],"usage":{"input_tokens":%d,"output_tokens":1}}}`, model, prompt)
	}
	for name, row := range map[string]struct {
		log, model string // model: asked for
		set        int    // trigger.window
		window     int
		source     string
	}{
		"compaction below":       {log("claude-opus-4-6", "auto", 167_370, 30_000), "", 0, 200_000, core.WindowOfCompaction},
		"a larger call since":    {log("claude-opus-4-6", "auto", 167_370, 210_000), "", 0, 1_000_000, core.WindowOfCatalog},
		"compaction by the user": {log("claude-opus-4-6", "manual", 90_000, 30_000), "", 0, 1_000_000, core.WindowOfCatalog},
		"compaction above":       {log("claude-opus-4-6", "auto", 967_000, 30_000), "", 0, 1_000_000, core.WindowOfCatalog},
		"a small model":          {log("claude-haiku-4-5", "auto", 167_370, 30_000), "", 0, 200_000, core.WindowOfCatalog},
		"another model": {log("claude-opus-4-6", "auto", 167_370, 30_000), "claude-sonnet-4-6", 0, 1_000_000,
			core.WindowOfCatalog},
		"no known model": {log("someone-s-model", "manual", 9, 9), "", 0, 200_000, core.WindowAssumed},
		"set":            {log("claude-opus-4-6", "auto", 167_370, 30_000), "", 50_000, 50_000, core.WindowOfPolicy},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := policy.Preset("balanced")
			require.NoError(t, err)
			p.Trigger.Window = row.set
			c, err := format.Parse([]byte(row.log), "")
			require.NoError(t, err)
			r, err := Replay(c, p, Options{Model: row.model})
			require.NoError(t, err)
			require.Equal(t, row.window, r.Window)
			require.Equal(t, row.source, r.WindowSource)
			if row.model != "" {
				return
			}
			seen, err := core.Inspect(c, "", p, core.Env{})
			require.NoError(t, err)
			require.Equal(t, row.window, seen.Window)
			require.Equal(t, row.source, seen.WindowSource)
			require.Equal(t, row.window, core.Window(&p, c))
		})
	}
}
