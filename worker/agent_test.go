//go:build !js

package worker

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

// The example agent in Go reads 60 files one after the other: no request is refused, requests become smaller, and what
// they no longer have was saved.
func TestExampleAgent(t *testing.T) {
	away := t.TempDir()
	program, folder := filepath.Join(away, "agent"), filepath.Join(away, "project")
	out, err := exec.Command("go", "build", "-o", program, "tamp/cmd/agent").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.Mkdir(folder, 0o700))
	read := func(name string) fake.Step {
		input, err := json.Marshal(map[string]string{"path": name})
		require.NoError(t, err)
		return fake.Step{Do: "agent", Calls: []fake.ToolCall{{Tool: "read_file", Input: input}}}
	}
	var steps []fake.Step
	for i := range 60 {
		name := fmt.Sprintf("part%d.go", i)
		text := strings.Repeat(fmt.Sprintf("line of part %d of the project\n", i), 500)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
		steps = append(steps, read(name))
	}
	steps = append(steps, read("../agent"), fake.Step{Do: "agent", Text: "Done."})
	script, err := json.Marshal(steps)
	require.NoError(t, err)
	provider, err := fake.New("ok")
	require.NoError(t, err)
	put := httptest.NewRequest("PUT", "/s/agent", strings.NewReader(string(script)))
	provider.ServeHTTP(httptest.NewRecorder(), put)
	server := httptest.NewServer(provider)
	defer server.Close()

	agent := exec.Command(program, "project", "Read all parts.")
	agent.Dir = away
	agent.Env = append(os.Environ(), "ANTHROPIC_API_KEY=key", "ANTHROPIC_BASE_URL="+server.URL+"/s/agent",
		"MODEL=claude-haiku-4-5") // its window is 200,000
	out, err = agent.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "Done.\n", string(out))
	calls := provider.Calls()
	require.Len(t, calls, len(steps))
	largest := 0
	for _, call := range calls {
		require.Empty(t, call.Problems)
		largest = max(largest, call.In)
	}
	last := calls[len(calls)-1]
	require.Less(t, last.In, largest)
	saved, err := os.ReadFile(filepath.Join(away, "originals.jsonl"))
	require.NoError(t, err)
	for i := range 60 {
		line := fmt.Sprintf("line of part %d of", i)
		require.True(t, strings.Contains(string(last.Body), line) || strings.Contains(string(saved), line), line)
	}
	require.Contains(t, string(last.Body), "path escapes")
}
