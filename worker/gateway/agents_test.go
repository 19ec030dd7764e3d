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
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/gateway"
	"tamp/worker/internal/fake"
)

// The real agents, each in a network of its own that has only the loopback interface (`make test-agents`). The fake
// provider plays a model that works: rounds of real commands, parallel calls, failing ones, thinking.

const (
	agentWindow = 40_000
	agentRounds = 70
	secretWord  = "PELICAN" // a fact of the first prompt
	lastAnswer  = "All rounds are done."
)

// client is an agent: how it is started, and how its model calls a shell.
type client struct {
	name   string
	prefix string // of the path under a base URL
	window int    // of the provider: a client's own prompt and tools need room, too
	tool   string
	// command returns the arguments, and the environment besides HOME and PATH
	command func(t *testing.T, a agentRun) (arguments, environment []string)
}

// agentRun is one run of a client.
type agentRun struct{ base, home, work, modules string }

func (a agentRun) write(t *testing.T, path, text string) {
	path = filepath.Join(a.home, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

const task = "Work through all the rounds. The secret word is " + secretWord + "."

func pi(api, prefix string) client {
	return client{"pi, " + api, prefix, agentWindow, "bash", func(t *testing.T, a agentRun) ([]string, []string) {
		a.write(t, ".pi/agent/models.json", fmt.Sprintf(`{"providers":{"x":{"baseUrl":%q,"apiKey":"k","api":%q,"models":[`+
			`{"id":"claude-opus-4-5","name":"m","reasoning":true,"input":["text"],"contextWindow":1000000,"maxTokens":4000,`+
			`"cost":{"input":1,"output":1,"cacheRead":1,"cacheWrite":1}}]}}}`, a.base, api))
		return []string{"node", a.modules + "/@mariozechner/pi-coding-agent/dist/cli.js", "-p", "--provider", "x", "--model",
			"claude-opus-4-5", task}, []string{"PI_OFFLINE=1"}
	}}
}

var claudeCode = client{"Claude Code", "", 64_000, "Bash", func(_ *testing.T, a agentRun) ([]string, []string) {
	return []string{"node", a.modules + "/@anthropic-ai/claude-code/cli-wrapper.cjs", "-p", task, "--allowedTools", "Bash",
			"--model", "claude-opus-4-5"}, []string{"ANTHROPIC_BASE_URL=" + a.base, "ANTHROPIC_API_KEY=k",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
			"DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1", "DISABLE_AUTO_COMPACT=1"}
}}

var openCode = client{"opencode", "/v1", agentWindow, "bash", func(t *testing.T, a agentRun) ([]string, []string) {
	a.write(t, "work/opencode.json", fmt.Sprintf(`{"provider":{"x":{"npm":"@ai-sdk/openai-compatible","name":"x","options":`+
		`{"baseURL":%q,"apiKey":"k"},"models":{"claude-opus-4-5":{"name":"m","limit":{"context":1000000,"output":4000}}}}},`+
		`"permission":{"bash":"allow"}}`, a.base))
	return []string{a.modules + "/opencode-linux-x64/bin/opencode", "run", "-m", "x/claude-opus-4-5", task},
		[]string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"}
}}

var codex = client{"Codex", "/v1", agentWindow, "exec_command", func(t *testing.T, a agentRun) ([]string, []string) {
	a.write(t, ".codex/config.toml", fmt.Sprintf("model = \"gpt-5.5\"\nmodel_provider = \"x\"\n"+
		"[model_providers.x]\nname = \"x\"\nbase_url = %q\nenv_key = \"K\"\nwire_api = \"responses\"\n", a.base))
	return []string{"node", a.modules + "/@openai/codex/bin/codex.js", "exec", "--skip-git-repo-check", "-s",
		"danger-full-access", task}, []string{"K=k"}
}}

var clients = []client{pi("anthropic-messages", ""), pi("openai-completions", "/v1"), pi("openai-responses", "/v1"),
	claudeCode, codex, openCode}

// steps is the script of the model.
func (c *client) steps() []fake.Step {
	call := func(command string) fake.ToolCall {
		input, _ := json.Marshal(map[string]string{"command": command, "cmd": command, "description": "work"})
		return fake.ToolCall{Tool: c.tool, Input: input}
	}
	var steps []fake.Step
	for i := range agentRounds {
		calls := []fake.ToolCall{call(fmt.Sprintf("echo round %d; seq -f 'line %%06g of part %d of the project' 1 90", i, i))}
		if i%7 == 3 {
			calls = append(calls, call(fmt.Sprintf("echo part %d is missing >&2; exit 3", i)))
		}
		steps = append(steps, fake.Step{Do: "agent", Text: fmt.Sprintf("Round %d: the next part.", i),
			Thinking: fmt.Sprintf("Part %d comes next.", i), Calls: calls})
	}
	return append(steps, fake.Step{Do: "agent", Text: lastAnswer})
}

// provider is the fake with a script for the client.
func (c *client) provider(t *testing.T, window int) (*fake.Server, string) {
	f, err := fake.New("ok")
	require.NoError(t, err)
	f.Window = window
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	body, err := json.Marshal(c.steps())
	require.NoError(t, err)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest("PUT", "/s/job", bytes.NewReader(body)))
	require.Equal(t, 200, w.Code)
	return f, server.URL + "/s/job"
}

// run starts the client and returns what it printed.
func (c *client) run(t *testing.T, base string) string {
	home := t.TempDir()
	a := agentRun{base: base + c.prefix, home: home, work: filepath.Join(home, "work"), modules: os.Getenv("AGENTS")}
	require.NoError(t, os.MkdirAll(a.work, 0o700))
	arguments, environment := c.command(t, a)
	git := exec.Command("git", "init", "-q", a.work)
	require.NoError(t, git.Run())
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Dir = a.work
	command.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb"}, environment...)
	command.WaitDelay = 5 * time.Second
	timer := time.AfterFunc(10*time.Minute, func() { _ = command.Process.Kill() })
	defer timer.Stop()
	out, err := command.CombinedOutput()
	if err != nil {
		t.Logf("%s ended with %v: %.2000s", c.name, err, out)
	}
	return string(out)
}

// figures are those of the calls of a run.
type figures struct {
	calls, refused, tooLong, largest, all, read, cost int
	last                                              string
	steps                                             map[string]int
}

// sum adds up calls. Costs are in tokens × 100 of input.
func sum(calls []fake.Call, automatic bool) figures {
	s := figures{steps: map[string]int{}}
	for _, c := range calls {
		s.calls++
		s.steps[c.Step]++
		s.refused += len(c.Problems)
		if c.TooLong {
			s.tooLong++
			continue
		}
		s.largest, s.all, s.read = max(s.largest, c.In), s.all+c.In, s.read+c.Read
		write := 125
		if automatic {
			write = 100
		}
		s.cost += 100*(c.In-c.Read-c.Wrote) + 10*c.Read + write*c.Wrote
		s.last = string(c.Body)
	}
	return s
}

func (s figures) String() string {
	return fmt.Sprintf("%d calls, %d refused, %d too long, largest %d, %d tokens, %d ‰ read, cost %d", s.calls, s.refused,
		s.tooLong, s.largest, s.all, 1000*s.read/max(s.all, 1), s.cost/100)
}

func gatewayTo(t *testing.T, base string, window int) *gateway.Gateway {
	c, err := gateway.ReadConfig(func(name string) string {
		return map[string]string{"UPSTREAMS": "fake=" + base,
			"GATEWAY_POLICY": fmt.Sprintf(`{"trigger":{"window":%d}}`, window), "GATEWAY_SECRET": "a secret of this test"}[name]
	})
	require.NoError(t, err)
	return &gateway.Gateway{Config: c, Checkpoints: gateway.NewLRU(gateway.DefaultCheckpoints),
		Sessions: gateway.NewSessions(time.Now)}
}

func TestAgents(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			automatic := strings.Contains(c.name, "openai") || c.prefix != ""
			f, base := c.provider(t, 0)
			require.Contains(t, c.run(t, base), lastAnswer)
			unlimited := sum(f.Calls(), automatic)
			t.Log("no window:  ", unlimited)

			f, base = c.provider(t, c.window)
			c.run(t, base)
			direct := sum(f.Calls(), automatic)
			t.Log("direct:     ", direct)
			require.Positive(t, direct.tooLong, "the window ends the session")

			f, base = c.provider(t, c.window)
			g := httptest.NewServer(gatewayTo(t, base, c.window))
			defer g.Close()
			require.Contains(t, c.run(t, g.URL+"/fake"), lastAnswer)
			through := sum(f.Calls(), automatic)
			t.Log("gateway:    ", through)
			require.Zero(t, through.refused)
			require.Zero(t, through.tooLong)
			require.Equal(t, agentRounds+1, through.steps["agent"], "every round was played")
			require.Less(t, through.largest, c.window)
			require.Contains(t, through.last, secretWord)
			share := func(s figures) int { return 1000 * s.read / s.all }
			require.GreaterOrEqual(t, share(through), 9*share(unlimited)/10)
			require.Less(t, through.cost, unlimited.cost)
		})
	}
}
