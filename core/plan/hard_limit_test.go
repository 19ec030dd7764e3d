package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Without hardPermille and reserveOutput the window is the hard limit: a conversation that fits into it and cannot be
// compacted is no error, whether its trigger fires or the user compacts; one that does not fit is, also for a policy
// without summaries.
func TestNoHardLimit(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"`+strings.Repeat("A long first prompt. ", 400)+`"},`+
		`{"role":"assistant","content":"Yes."},{"role":"user","content":"On."}]`)
	size := tokens.NewMeter(nil, c).Conversation(c).Total
	for _, preset := range policy.Presets() {
		for _, fits := range []bool{true, false} {
			p := preset.Policy
			if p.Trigger.Window = size; !fits {
				p.Trigger.Window--
			}
			p.Trigger.Tokens, p.Trigger.SoftPermille = 100, 0
			p.Trigger.HardPermille, p.Trigger.ReserveOutput = 0, 0
			keepsAll := p.Summary.Strategy == "none" || p.Summary.Strategy == "chunks" || p.Summary.Granularity == "block"
			for _, force := range []bool{false, true} {
				env := core.Env{Force: force}
				_, err := core.NewPlan(c, "", p, env)
				require.True(t, err == nil || !fits && isOverflow(err), "%s: %v", p.Preset, err)
				require.True(t, err != nil || fits || !keepsAll, p.Preset)
				s, err := core.NewSession(c, "", p, nil)
				require.NoError(t, err)
				require.True(t, s.Turn(env).Due || fits, p.Preset)
			}
		}
	}
}
