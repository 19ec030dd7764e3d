//go:build agents && !js

package gateway_test

import (
	"bytes"
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

// Codex lists the tools of `tamp mcp`, with the settings of docs/mcp.md, and its model reads back through one of them
// what a compaction has removed.
func TestAgentsMCP(t *testing.T) {
	cli, err := filepath.Abs("wasm/npm/cli.js")
	require.NoError(t, err)
	c := codexPrograms
	c.command = func(t *testing.T, a agentRun) ([]string, []string) {
		arguments, environment := codex.command(t, a)
		file, err := os.OpenFile(filepath.Join(a.home, ".codex/config.toml"), os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = fmt.Fprintf(file, "[mcp_servers.tamp]\ncommand = \"node\"\nargs = [%q, \"mcp\"]\n", cli)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		a.write(t, "work/request.json", longRequest("The build number is "+buildNumber+" here."))
		compact := exec.Command("node", cli, "compact", "--preset", "s06", "--archive", "originals.txt", "request.json")
		compact.Dir = a.work
		out, err := compact.Output()
		require.NoError(t, err)
		require.NotContains(t, string(out), buildNumber, "it was removed")
		a.write(t, "work/request.json", "")
		return arguments, environment
	}
	l := newLine(t, &c, 1, 0)
	program, err := json.Marshal("const r = await tools.mcp__tamp__recall({archive: 'originals.txt', text: 'build number'});\n" +
		"text(JSON.stringify(r));\n")
	require.NoError(t, err)
	steps, err := json.Marshal([]fake.Step{
		{Do: "agent", Calls: []fake.ToolCall{{Tool: c.tool, Input: program}}},
		{Do: "agent", Text: lastAnswer + " The number was {after build number is}."},
	})
	require.NoError(t, err)
	l.fake.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/s/job", bytes.NewReader(steps)))

	a := c.run(t, l.front.URL)
	require.Contains(t, a.out, "mcp: tamp/recall (completed)")
	require.Contains(t, a.out, "The number was "+buildNumber)
	require.Contains(t, string(l.exchanges[0].request), "mcp__tamp", "the server is listed")
}

// longRequest is a request of 8 calls whose first result is a text.
func longRequest(text string) string {
	messages := []string{`{"role":"user","content":"Find the build number."}`}
	for i := range 8 {
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"bash","input":{}}]}`, i),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i,
				strings.Repeat(text+` The next line.\n`, 100)))
		text = "Nothing is here."
	}
	return `{"model":"claude-sonnet-5","max_tokens":9,"messages":[` + strings.Join(messages, ",") + `]}`
}
