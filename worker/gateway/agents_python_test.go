//go:build agents && !js

package gateway_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The clients that are written in Python: loops over the vendors' SDKs, frameworks, and proxies. The loops are in
// worker/gateway/agents/python/clients.py.

const miniName = "mini-swe-agent"

// pythonClient is a function of clients.py, in one of the virtual environments: those of the files *.txt next to it.
func pythonClient(name, venv, function, prefix, format string, automatic bool, model string) client {
	return client{name, prefix, "bash", "", format, automatic, model, func(t *testing.T, a agentRun) ([]string, []string) {
		return a.python(t, venv, function, a.base, a.model), a.pythonVariables()
	}}
}

func (a *agentRun) python(t *testing.T, venv, function, base, model string) []string {
	program, err := filepath.Abs("worker/gateway/agents/python/clients.py")
	require.NoError(t, err)
	return []string{a.venv(venv, "python"), program, function, base, model, task}
}

// venv is the path of a program of a virtual environment.
func (a *agentRun) venv(name, program string) string {
	return filepath.Join(filepath.Dir(a.modules), "python", name, "bin", program)
}

func (a *agentRun) pythonVariables() []string {
	return []string{"LITELLM_LOCAL_MODEL_COST_MAP=True", "MSWEA_CONFIGURED=true", "MSWEA_SILENT_STARTUP=1",
		"LANGSMITH_TRACING=false", "PYDANTIC_AI_NO_TELEMETRY=1"}
}

var pythonClients = []client{
	pythonClient("anthropic, stream", "sdks", "anthropic_loop", "", "anthropic", false, boundModel),
	pythonClient("openai, Chat Completions", "sdks", "openai_chat", "/v1", "openai-chat", true, "gpt-6.1"),
	pythonClient("openai, Responses", "sdks", "openai_responses", "/v1", "openai-responses", true, "gpt-6.1"),
	pythonClient("google-genai", "sdks", "google_genai", "", "gemini", true, "gemini-3-pro-preview"),
	pythonClient("Pydantic AI, Messages", "sdks", "pydantic_ai", "", "anthropic", false, boundModel),
	pythonClient("Pydantic AI, Chat Completions", "sdks", "pydantic_ai_chat", "/v1", "openai-chat", true, "gpt-6.1"),
	pythonClient("LangGraph, Messages", "frameworks", "langgraph", "", "anthropic", false, boundModel),
	pythonClient("LangGraph, Responses", "frameworks", "langgraph_responses", "/v1", "openai-responses", true, "gpt-6.1"),
	pythonClient("deepagents", "frameworks", "deepagents", "", "anthropic", false, boundModel),
	pythonClient(miniName, "frameworks", "mini_swe_agent", "", "anthropic", false, "anthropic/"+boundModel),
	liteLLMInFront,
}

// Each works to the end of a task that is too large for the window, and no request is refused.
func TestAgentsPython(t *testing.T) {
	for _, c := range pythonClients {
		t.Run(c.name, func(t *testing.T) { c.holdsWindow(t) })
	}
}

// The tool runner of Anthropic's SDK begins with a message thread, and goes on without one when the window is full.
func TestAgentsPythonThreads(t *testing.T) {
	c := pythonClient("anthropic, tool runner", "sdks", "anthropic_runner", "", "anthropic", false, boundModel)
	for _, at := range []place{native, workerd} {
		t.Run(at.name, func(t *testing.T) {
			l := newLine(t, &c, boundRounds, agentWindow)
			l.through(t, at, 1, policyOf(l.window))
			a := c.run(t, l.front.URL)
			s := l.figures(&c, boundRounds)
			t.Log(s)
			l.logRefused(t)
			require.Contains(t, a.out, lastAnswer)
			require.Contains(t, a.out, "The word was "+secretWord)
			require.Zero(t, s.refused)
			require.LessOrEqual(t, s.tooLong, 1, "the provider says once that the thread is too long")
			require.Equal(t, boundRounds+1, s.steps["agent"])
			require.Less(t, s.largest, l.window)
			threads, whole := 0, 0
			for _, e := range l.exchanges {
				if strings.Contains(string(e.request), `"thread":{"type":"continue"`) {
					threads++
				} else if strings.HasPrefix(e.note, "before") {
					whole++
				}
			}
			t.Logf("%d requests continued a thread, %d were compacted", threads, whole)
			require.Positive(t, threads)
			require.Positive(t, whole)
		})
	}
}

// liteLLM starts LiteLLM's proxy in front of a provider of Messages, and returns its address.
func (a *agentRun) liteLLM(t *testing.T, base, model string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	require.NoError(t, listener.Close())
	a.write(t, "litellm.yaml", fmt.Sprintf("model_list: [{model_name: %q, litellm_params: {model: %q, api_base: %q, "+
		"api_key: k}}]\nlitellm_settings: {telemetry: false, num_retries: 0}\nrouter_settings: {num_retries: 0, "+
		"disable_cooldowns: true}\n", model, "anthropic/"+model, base))
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, a.venv("litellm", "litellm"), "--config", filepath.Join(a.home, "litellm.yaml"),
		"--host", "127.0.0.1", "--port", fmt.Sprint(port))
	command.Dir, command.Env = a.home, a.environment(append(a.pythonVariables(),
		"LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY=true"))
	command.WaitDelay = 5 * time.Second
	log, err := os.Create(filepath.Join(t.TempDir(), "litellm.log"))
	require.NoError(t, err)
	command.Stdout, command.Stderr = log, log
	require.NoError(t, command.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = command.Wait()
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		_ = log.Close()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("LiteLLM: … %s", text[max(len(text)-3000, 0):])
		}
	})
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	for {
		select {
		case <-ended:
			t.Fatal("LiteLLM ended before it was ready")
		case <-time.After(200 * time.Millisecond):
		}
		if response, err := http.Get(address + "/health/liveliness"); err == nil {
			response.Body.Close()
			return address
		}
	}
}

// liteLLMInFront is a loop over OpenAI's SDK whose requests LiteLLM makes those of Messages, before the gateway.
var liteLLMInFront = client{"openai, LiteLLM in front", "", "bash", "", "anthropic", false, boundModel,
	func(t *testing.T,
		a agentRun) ([]string, []string) {
		return a.python(t, "sdks", "openai_chat", a.liteLLM(t, a.base, a.model)+"/v1", a.model), a.pythonVariables()
	}}

// LiteLLM behind the gateway: the gateway reads Chat Completions whose answers have thinking_blocks, which are signed.
func TestAgentsPythonLiteLLMBehind(t *testing.T) {
	c := pythonClient("openai, LiteLLM behind", "sdks", "openai_chat", "/v1", "openai-chat", false, boundModel)
	for _, at := range []place{native, workerd} {
		t.Run(at.name, func(t *testing.T) {
			l := newLine(t, &c, boundRounds, agentWindow)
			provider := httptest.NewServer(l.fake)
			defer provider.Close()
			a := agentRun{home: t.TempDir(), modules: os.Getenv("AGENTS")}
			to, err := url.Parse(a.liteLLM(t, provider.URL+"/s/job", c.model))
			require.NoError(t, err)
			l.provider = http.StripPrefix("/s/job", httputil.NewSingleHostReverseProxy(to))
			l.through(t, at, 1, policyOf(l.window))
			s := c.finishes(t, l, boundRounds)
			require.Positive(t, s.thinking)
			l.stateless(t)
		})
	}
}

// aider calls no tools: its user runs a command in each round, and asks about it.
func TestAgentsPythonAider(t *testing.T) {
	c := client{"aider", "/v1", "", "", "openai-chat", true, "gpt-6.1", func(t *testing.T, a agentRun) ([]string,
		[]string) {
		typed := task + "\n"
		for i := range boundRounds {
			typed += fmt.Sprintf("/run seq -f 'line %%06g of part %d of the project' 1 90\nWhat is part %d?\n", i, i)
		}
		a.write(t, "typed.txt", typed+"/exit\n")
		return []string{"sh", "-c", `exec "$0" "$@" < ../typed.txt`, a.venv("aider", "aider"), "--model", "openai/" + a.model,
				"--no-git", "--no-check-update", "--analytics-disable", "--no-show-model-warnings", "--yes-always", "--no-pretty",
				"--no-fancy-input", "--map-tokens", "0", "--max-chat-history-tokens", "1000000"},
			append(a.pythonVariables(), "OPENAI_API_BASE="+a.base, "OPENAI_API_KEY=k")
	}}
	for _, at := range []place{native, workerd} {
		t.Run(at.name, func(t *testing.T) {
			l := newLine(t, &c, 1, agentWindow)
			script := strings.NewReader(`[{"do":"ok"}]`)
			l.fake.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/s/job", script))
			l.through(t, at, 1, policyOf(l.window))
			a := c.run(t, l.front.URL)
			s := l.figures(&c, boundRounds)
			t.Log(s)
			l.logRefused(t)
			require.Zero(t, s.refused)
			require.Zero(t, s.tooLong)
			require.Equal(t, boundRounds+1, s.calls, a.out[max(len(a.out)-500, 0):])
			last := l.exchanges[len(l.exchanges)-1]
			t.Log(last.note)
			require.Regexp(t, "^before=.* summaries=[1-9]", last.note)
			require.Greater(t, len(last.request)/4, l.window, "else the run shows nothing")
			require.Contains(t, string(last.forwarded[0]), secretWord)
			c.underHardLimit(t, l)
			l.stateless(t)
		})
	}
}
