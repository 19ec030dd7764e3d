//go:build agents && !js

package gateway_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
)

const nextPrompt = "Say the secret word again."

// packers are the programs that write the compacted log of an agent next to it: the command and the page.
var packers = map[string][]string{
	"tamp resume": {"wasm/npm/cli.js", "resume", "--json"},
	"page":        {"web/test/savePacked.js"},
}

// A session that was compacted is resumed by the agent itself: its next request is the compacted session, message for
// message, and the new prompt. The original file stays as it was.
func TestAgentsResume(t *testing.T) {
	for _, c := range []*client{claudeCode.with(unboundModel), codex.with("gpt-5.5"), pi.with(unboundModel),
		openCodeMessages.with(unboundModel)} {
		t.Run(c.name, func(t *testing.T) {
			l := newLine(t, c, 25, 0)
			a := c.run(t, l.front.URL)
			require.Contains(t, a.out, lastAnswer)
			file := c.logFile(t, a)
			for name, packer := range packers {
				t.Run(name, func(t *testing.T) { c.resumes(t, l, a, file, packer) })
			}
		})
	}
}

// resumes compacts the log of a run, resumes it, and compares the next request with it.
func (c *client) resumes(t *testing.T, l *line, a agentRun, file string, packer []string) {
	original, err := os.ReadFile(file)
	require.NoError(t, err)
	pack := exec.Command("node", append(packer, file)...)
	pack.Stderr = os.Stderr
	printed, err := pack.Output()
	require.NoError(t, err)
	var resumed struct {
		Before, After int
		File, Command string
	}
	require.NoError(t, json.Unmarshal(printed, &resumed))
	t.Logf("%d tokens before, %d after: %s", resumed.Before, resumed.After, resumed.Command)
	require.Less(t, resumed.After, resumed.Before)
	same, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, string(original) == string(same), "the original is unchanged")
	compacted, err := os.ReadFile(resumed.File)
	require.NoError(t, err)

	l.exchanges = nil
	out := c.resume(t, a, resumed.File, resumed.Command)
	var received []byte
	for _, e := range l.exchanges {
		if strings.Contains(string(e.request), nextPrompt) && strings.Contains(string(e.request), `"tools"`) {
			received = e.request
			break
		}
	}
	require.NotEmpty(t, received, "%s", out)
	log, err := format.Parse(compacted, "")
	require.NoError(t, err)
	next, _, err := format.Convert(log, c.api)
	require.NoError(t, err)
	body, err := format.Render(next)
	require.NoError(t, err)
	sent, planned := parts(t, c.sent(t, received)), parts(t, c.sent(t, body))
	require.Greater(t, len(sent), len(planned), "the new prompt follows")
	require.Equal(t, planned, sent[:len(planned)])
	require.Contains(t, sent[len(sent)-1], nextPrompt)
}

// parts lists the parts of messages, each with its role; without system messages, which logs do not have. A client may
// send two messages of the user as one.
func parts(t *testing.T, messages []any) (list []string) {
	for _, m := range messages {
		message, _ := m.(map[string]any)
		role := message["role"]
		if role == "system" || role == "developer" {
			continue
		}
		content, ok := message["content"].([]any)
		if role == nil || !ok {
			list = append(list, string(encode(t, m)))
			continue
		}
		for _, part := range content {
			text := string(encode(t, []any{role, part})) // Claude Code ends a text with a line break before another
			list = append(list, strings.Replace(text, `\n","type":"text"}]`, `","type":"text"}]`, 1))
		}
	}
	return list
}

// logFile returns the file of the run's only session; of opencode, an export in the home folder.
func (c *client) logFile(t *testing.T, a agentRun) (file string) {
	data := c.sessionFile(t, a)
	if c.log == "opencode" {
		file = filepath.Join(a.home, "session.json")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		return file
	}
	require.NoError(t, filepath.WalkDir(a.home, func(path string, _ os.DirEntry, err error) error {
		if text, _ := os.ReadFile(path); err == nil && string(text) == string(data) {
			file = path
		}
		return err
	}))
	return file
}

// resume runs the client with the command that resumes a session, and one more prompt.
func (c *client) resume(t *testing.T, a agentRun, file, command string) string {
	words := strings.Fields(command)
	id := words[len(words)-1]
	arguments, environment := c.command(t, a)
	at := slices.Index(arguments, task)
	arguments = slices.Replace(arguments, at, at+1, nextPrompt)
	switch c.log {
	case "claude-code":
		arguments = append(arguments, "--resume", id)
	case "codex":
		arguments = slices.Insert(arguments, at, "resume", id)
	case "pi":
		arguments = slices.Insert(arguments, at, "--session", file)
	case "opencode":
		imported, more := openCodeRun(a, "import", file)
		out, err := a.start(imported, more)
		require.NoError(t, err, "%s", out)
		arguments = slices.Insert(arguments, at, "--session", id)
	}
	out, _ := a.start(arguments, environment)
	return string(out)
}
