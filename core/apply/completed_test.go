package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A model's summary gets the lines that it lacks below it; an extract and another preset's answer stay as they are.
func TestAModelsSummaryGetsWhatItLacks(t *testing.T) {
	messages := `{"model":"claude-opus-4-5","messages":[{"role":"user","content":"Set all stores up."}`
	for i := range 150 {
		messages += fmt.Sprintf(`,{"role":"assistant","content":[{"type":"text",`+
			`"text":"We keep order_store_%d because staging is slow."},{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"set %d"}}]}`+
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i, i, i, i,
			strings.Repeat("Much was said. ", 25))
	}
	c := parse(t, messages+"]}")
	answer := strings.Repeat("They went on with order_store_3. ", 40)
	for preset, completes := range map[string]bool{
		`{"preset":"balanced","trigger":{"window":20000,"bufferTokens":0}}`:   true,
		`{"preset":"turns","trigger":{"window":20000},"pin":{"keepTurns":2}}`: false,
	} {
		p, err := policy.Parse("", []byte(preset))
		require.NoError(t, err)
		env := core.Env{Count: tokens.Estimate}
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.NotEmpty(t, plan.Requests)
		out, err := core.Apply(c, "", p, env, plan, answerAll(plan, core.SummaryResult{Text: answer}))
		require.NoError(t, err)
		found := false
		for _, b := range out.Conversation.Blocks() {
			if strings.Contains(b.Text, strings.TrimSpace(answer)) {
				require.NotContains(t, b.Text, "We keep order_store_3 because", "the answer has the name")
				lacks := strings.Contains(b.Text, "We keep order_store_")
				require.True(t, completes || !lacks, b.Text)
				found = found || lacks
			}
		}
		require.Equal(t, completes, found, preset)
		extracts, err := core.Summarize(c, "", p, env, plan, nil)
		require.NoError(t, err)
		out, err = core.Apply(c, "", p, env, plan, extracts)
		require.NoError(t, err)
		for _, e := range extracts {
			held := 0
			for _, b := range out.Conversation.Blocks() {
				if strings.Contains(b.Text, e.Text) {
					held++
					require.True(t, strings.HasSuffix(b.Text, e.Text), preset)
				}
			}
			require.Equal(t, 1, held)
		}
	}
}
