//go:build agents && !js

package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Codex with the vendor's provider compacts by an ordinary streaming request that ends in a compaction_trigger, and
// wants exactly one compaction item back. Through the gateway both pass, over three compactions.
func TestAgentsTrigger(t *testing.T) {
	c := codex
	c.command = func(t *testing.T, a agentRun) ([]string, []string) {
		arguments, _ := codex.command(t, a)
		a.write(t, ".codex/config.toml", fmt.Sprintf("model = %q\nopenai_base_url = %q\n"+
			"model_auto_compact_token_limit = 20000\n", a.model, a.base))
		return arguments, []string{"OPENAI_API_KEY=k", "CODEX_API_KEY=k"}
	}
	for _, at := range []place{native, workerd} {
		t.Run(at.name, func(t *testing.T) {
			l := newLine(t, &c, shortRounds*8, 0)
			l.through(t, at, 1, nil)
			a := c.run(t, l.front.URL)
			require.Contains(t, a.out, lastAnswer)
			require.Contains(t, a.out, "The word was "+secretWord)
			compactions := 0
			for _, call := range l.fake.Calls() {
				if call.Name != "job" || call.Step == "status" { // it tries WebSockets first
					continue
				}
				require.Empty(t, call.Problems)
				if call.Step == "compaction" {
					compactions++
				} else {
					require.Equal(t, compactions > 0, strings.Contains(string(call.Body), `"type":"compaction"`))
				}
			}
			require.GreaterOrEqual(t, compactions, 3)
		})
	}
}
