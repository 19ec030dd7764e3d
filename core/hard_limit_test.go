package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
)

// Without hardPermille and reserveOutput there is no hard limit: a conversation that cannot be compacted is no error.
func TestNoHardLimit(t *testing.T) {
	c := parse(t, `[{"role":"user","content":"`+strings.Repeat("A long first prompt. ", 400)+`"},`+
		`{"role":"assistant","content":"Yes."},{"role":"user","content":"On."}]`)
	for _, preset := range policy.Presets() {
		if s := preset.Policy.Summary.Strategy; s == "" || s == "none" {
			continue
		}
		p := preset.Policy
		p.Trigger.Window, p.Trigger.Tokens, p.Trigger.SoftPermille = 1000, 100, 0
		p.Trigger.HardPermille, p.Trigger.ReserveOutput = 0, 0
		_, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err, p.Preset)
		s, err := core.NewSession(c, "", p, nil)
		require.NoError(t, err)
		_, err = s.Plan(core.Env{Force: true})
		require.NoError(t, err, p.Preset)
	}
}
