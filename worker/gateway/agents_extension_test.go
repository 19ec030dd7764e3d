//go:build agents && !js

package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

// pi with the extension of tamp/pi, without a gateway: what its session costs, compared with pi alone.
func TestAgentsExtension(t *testing.T) {
	for _, c := range []struct{ rounds, permille int }{{40, 850}, {100, 500}} {
		t.Run(fmt.Sprint(c.rounds), func(t *testing.T) {
			alone, _ := extended(t, c.rounds, false)
			s, originals := extended(t, c.rounds, true)
			t.Logf("%d ‰ of the cost alone: %v", 1000*s.cost/alone.cost, s)
			require.LessOrEqual(t, 1000*s.cost, c.permille*alone.cost)
			for i := range c.rounds / 3 {
				require.Contains(t, originals, fmt.Sprintf("of part %d of the project", i), "it was saved")
			}
		})
	}
}

// extended runs pi for so many rounds, and returns the figures of its requests and the saved originals.
func extended(t *testing.T, rounds int, extension bool) (figures, string) {
	npm, err := filepath.Abs("wasm/npm")
	require.NoError(t, err)
	saved := filepath.Join(t.TempDir(), "originals.jsonl")
	c := *pi.with(unboundModel)
	command := c.command
	c.command = func(t *testing.T, a agentRun) ([]string, []string) {
		if extension {
			a.write(t, ".pi/agent/extensions/tamp.js", fmt.Sprintf("import { appendFileSync } from \"node:fs\";\n"+
				"import { compactor } from %q;\nimport { extension } from %q;\n"+
				"const save = (jsonl) => appendFileSync(%q, jsonl);\n"+
				"export default extension(await compactor({ preset: \"balanced\", save }));\n",
				npm+"/index.js", npm+"/pi.js", saved))
		}
		return command(t, a)
	}
	l := newLine(t, &c, 1, 0)
	var steps []fake.Step
	for i := range rounds {
		input, err := json.Marshal(map[string]string{
			"command": fmt.Sprintf("seq -f 'line %%06g of part %d of the project' 1 180", i)})
		require.NoError(t, err)
		steps = append(steps, fake.Step{Do: "agent", Text: fmt.Sprintf("Now part %d.", i),
			Calls: []fake.ToolCall{{Tool: c.tool, Input: input}}})
	}
	script, err := json.Marshal(append(steps, fake.Step{Do: "agent", Text: lastAnswer}))
	require.NoError(t, err)
	l.fake.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/s/job", bytes.NewReader(script)))
	a := c.run(t, l.front.URL)
	require.Contains(t, a.out, lastAnswer)
	s := l.figures(&c, rounds+1)
	require.Zero(t, s.refused)
	require.Equal(t, rounds+1, s.steps["agent"])
	originals, err := os.ReadFile(saved)
	require.Equal(t, extension, err == nil)
	return s, string(originals)
}
