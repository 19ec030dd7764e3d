//go:build agents && !js

package gateway_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The plugin for Claude Code (wasm/npm/claude-code) in the real client, without a gateway: the client's compactions are
// answered by the hook, without a model.

// pluginRun is a client with the plugin, which is installed by the command.
type pluginRun struct {
	agentRun
	environment []string
	program     string
}

// The client compacts at three quarters of 80,000 tokens: 100,000 is the smallest window that it takes, and it leaves
// room of 20,000 for its answer.
var compactsAt60000 = []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=75"}

const rule = "Never touch the folder legacy."

func startPlugin(t *testing.T, base, model string) *pluginRun {
	a := agentRun{base: base, home: t.TempDir(), modules: os.Getenv("AGENTS"), model: model}
	a.work = filepath.Join(a.home, "work")
	a.write(t, "work/CLAUDE.md", rule+"\n")
	require.NoError(t, exec.Command("git", "init", "-q", a.work).Run())
	arguments, environment := claudeCode.command(t, a)
	environment = slices.DeleteFunc(environment, func(s string) bool { return s == "DISABLE_COMPACT=1" })
	p := &pluginRun{a, append(environment, compactsAt60000...), arguments[0]}
	p.tamp(t, "plugin", "claude")
	return p
}

// tamp runs the command of the npm package as the user of the run.
func (p *pluginRun) tamp(t *testing.T, arguments ...string) string {
	cli, err := filepath.Abs("wasm/npm/cli.js")
	require.NoError(t, err)
	out, err := p.start(append([]string{"node", cli}, arguments...), nil)
	require.NoError(t, err, "%s", out)
	return string(out)
}

func (p *pluginRun) debugFile() string { return filepath.Join(p.home, "debug.log") }

// say gives the client one prompt or command.
func (p *pluginRun) say(t *testing.T, prompt string, more ...string) string {
	out, err := p.start(append([]string{p.program, "-p", prompt, "--allowedTools", "Bash", "--model", p.model,
		"--debug-file", p.debugFile()}, more...), p.environment)
	require.NoError(t, err, "%s", out)
	return string(out)
}

// answered counts the compactions that the hook answered, and asserts that the client did none itself.
func (p *pluginRun) answered(t *testing.T) (n int) {
	log, err := os.ReadFile(p.debugFile())
	require.NoError(t, err)
	for line := range strings.Lines(string(log)) {
		require.NotContains(t, line, "this compaction is the client's own")
		if strings.Contains(line, "session.compact (") {
			require.Contains(t, line, "core never ran")
			n++
		}
	}
	return n
}

var answerTime = regexp.MustCompile(`answered session\.compact without next\(\) in (\S+)`)

// times logs how long each answer of the hook took.
func (p *pluginRun) times(t *testing.T) {
	log, err := os.ReadFile(p.debugFile())
	require.NoError(t, err)
	for _, found := range answerTime.FindAllSubmatch(log, -1) {
		t.Logf("answered in %s", found[1])
	}
}

// one returns the only file that a pattern in the home folder matches.
func (p *pluginRun) one(t *testing.T, pattern string) string {
	found, err := filepath.Glob(filepath.Join(p.home, pattern))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}

// listed returns the files below a folder of the home folder with their contents.
func (p *pluginRun) listed(t *testing.T, folder string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(filepath.Join(p.home, folder), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text := []byte("a folder")
		if !d.IsDir() {
			text, err = os.ReadFile(path)
		}
		files[path] = string(text)
		return err
	}))
	return files
}

func TestShortPlugin(t *testing.T) {
	pluginRuns(t, unboundModel, 60)
	p := largeSession(t, 2)
	require.Equal(t, 1, p.answered(t))
}

func TestAgentsPlugin(t *testing.T) {
	for _, model := range []string{unboundModel, boundModel} {
		t.Run(model, func(t *testing.T) { pluginRuns(t, model, longRounds) })
	}
	t.Run("10 MB", func(t *testing.T) {
		log, err := os.ReadFile(largeSession(t, 10).debugFile())
		require.NoError(t, err)
		if !strings.Contains(string(log), "core never ran") { // on a busy machine
			require.Contains(t, string(log), "this compaction is the client's own: it took more than 5 seconds")
		}
	})
}

// largeSession compacts a session with so many megabytes of texts, in a new process.
func largeSession(t *testing.T, megabytes int) *pluginRun {
	l := newLine(t, &claudeCode, 1, 0)
	p := startPlugin(t, l.front.URL, unboundModel)
	const id = "11111111-1111-4111-8111-111111111111"
	folder := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(p.work, "-")
	p.write(t, ".claude/projects/"+folder+"/"+id+".jsonl", p.largeLog(t, id, megabytes<<20))
	p.say(t, "/compact", "--resume", id)
	p.times(t)
	return p
}

// largeLog returns the log of a session that reads the sources of the gateway again and again.
func (p *pluginRun) largeLog(t *testing.T, id string, size int) string {
	sources, err := filepath.Glob("worker/gateway/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	var log strings.Builder
	parent := "null"
	lines, texts := 0, 0
	line := func(message string) {
		lines++
		fmt.Fprintf(&log, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,`+
			`"version":"2.1.332",%s,"uuid":"%08d-0000-4000-8000-000000000000","timestamp":"2026-11-28T10:00:00.000Z"}`+"\n",
			parent, p.work, id, message, lines)
		parent = fmt.Sprintf(`"%08d-0000-4000-8000-000000000000"`, lines)
	}
	line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, task))
	for texts < size {
		for _, source := range sources {
			text, err := os.ReadFile(source)
			require.NoError(t, err)
			text = text[:min(len(text), 9000)]
			result, err := json.Marshal(fmt.Sprintf("reading %d\n%s", lines, text))
			require.NoError(t, err)
			texts += len(text)
			line(fmt.Sprintf(`"type":"assistant","message":{"id":"msg_%d","type":"message","role":"assistant","model":%q,`+
				`"content":[{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{"command":"cat %[3]s"}}],`+
				`"usage":{"input_tokens":1,"output_tokens":1}}`, lines, p.model, source))
			line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result",`+
				`"tool_use_id":"t%d","content":%s}]}`, lines-1, result))
		}
	}
	return log.String()
}

// pluginRuns works through so many rounds with the plugin, in small results, so that the client compacts more than once
// each hundred rounds. Then it tries the commands, and resumes in new processes.
func pluginRuns(t *testing.T, model string, rounds int) {
	c := claudeCode.with(model)
	l := newLine(t, c, rounds, 0)
	p := startPlugin(t, l.front.URL, model)
	validated, err := p.start([]string{p.program, "plugin", "validate", filepath.Join(p.home, ".claude/skills/tamp")}, nil)
	require.NoError(t, err, "%s", validated)
	require.Contains(t, string(validated), "Validation passed")

	out := p.say(t, task)
	compactions := p.answered(t)
	p.times(t)
	require.Contains(t, out, lastAnswer)
	require.Contains(t, out, "The word was "+secretWord+", the number was "+buildNumber)
	s := l.figures(c, rounds)
	t.Logf("%d compactions; %v", compactions, s)
	require.GreaterOrEqual(t, compactions, max(1, rounds/100))
	require.Zero(t, s.refused)
	require.Equal(t, rounds+1, s.calls, "no call is for a compaction")
	require.Less(t, s.largest, 64_000)
	calls := l.fake.Calls()
	last := string(calls[len(calls)-1].Body)
	require.Contains(t, last, rule)
	require.Contains(t, last, task)

	log, folder := p.one(t, ".claude/projects/*/*.jsonl"), p.one(t, ".claude/projects/*/*/tamp")
	all := p.originals(t, folder) + last
	for i := range rounds {
		require.Contains(t, all, fmt.Sprintf("of part %d of the project", i), "it is in the archive or in the context")
	}
	var ref struct{ Parts []struct{ Ref, Text string } }
	require.NoError(t, json.Unmarshal([]byte(p.tamp(t, "lost", "--json", log, "line", "part")), &ref))
	require.NotEmpty(t, ref.Parts)
	lost := ref.Parts[0]
	require.Equal(t, lost.Text+"\n", p.tamp(t, "recall", "--archive", folder, lost.Ref))

	before := sentTexts(t, c, calls[len(calls)-1].Body)
	resumed := sentTexts(t, c, p.next(t, l))
	require.Greater(t, len(resumed), len(before))
	require.Equal(t, before, resumed[:len(before)], "a new process sends the compacted history")
	p.restores(t, l, log, lost.Ref, lost.Text[:20])
	p.commands(t, l, lost.Ref, lost.Text[:20])

	p.tamp(t, "plugin", "claude", "--remove")
	_, err = os.Stat(filepath.Join(p.home, ".claude/skills"))
	require.ErrorIs(t, err, os.ErrNotExist)
	untouched := p.listed(t, ".claude")
	p.tamp(t, "plugin", "claude")
	p.tamp(t, "plugin", "claude", "--remove")
	require.Equal(t, untouched, p.listed(t, ".claude"), "byte for byte as before")
}

// restores resumes the compacted log with one of the lost texts, and removes the new files again.
func (p *pluginRun) restores(t *testing.T, l *line, log, ref, begin string) {
	var made struct{ File, Archive, Command string }
	printed := p.tamp(t, "resume", "--restore", ref, "--json", log)
	require.NoError(t, json.Unmarshal([]byte(printed[strings.Index(printed, "{\n"):]), &made), "%s", printed)
	words := strings.Fields(made.Command)
	p.say(t, nextPrompt, "--resume", words[len(words)-1])
	calls := l.fake.Calls()
	require.Contains(t, string(calls[len(calls)-1].Body), "from before the compaction:\\n"+strings.ReplaceAll(begin, "\n", `\n`))
	require.Empty(t, calls[len(calls)-1].Problems)
	require.NoError(t, os.Remove(made.File))
	require.NoError(t, os.Remove(made.Archive))
}

// commands tries the four commands; none makes a call. ref is that of a lost text, with its beginning.
func (p *pluginRun) commands(t *testing.T, l *line, ref, begin string) {
	command := func(text string) string {
		before := len(l.fake.Calls())
		out := p.say(t, text, "--continue")
		p.answered(t)
		require.Len(t, l.fake.Calls(), before, "%s makes no call", text)
		return out
	}
	require.Regexp(t, `\d+ tokens of messages now, \d+ after a compaction`, command("/tamp:preview"))
	require.Contains(t, command("/tamp:pin answer in French"), "1 pinned")
	require.Contains(t, command("/tamp:lost line part"), ref)
	require.Contains(t, command("/tamp:lost "+ref), "in the context again")
	require.Contains(t, string(p.next(t, l)), strings.ReplaceAll(begin, "\n", `\n`))
	command("/compact")
	compacted := string(p.next(t, l))
	require.Contains(t, compacted, "answer in French")
	require.Contains(t, command("/tamp:undo"), "type /compact")
	command("/compact")
	require.Greater(t, len(p.next(t, l)), len(compacted), "the messages are back")
}

// next says one more prompt in a new process, and returns the request.
func (p *pluginRun) next(t *testing.T, l *line) []byte {
	p.say(t, nextPrompt, "--continue")
	calls := l.fake.Calls()
	require.Empty(t, calls[len(calls)-1].Problems)
	require.Contains(t, string(calls[len(calls)-1].Body), nextPrompt)
	return calls[len(calls)-1].Body
}

func (p *pluginRun) originals(t *testing.T, folder string) string {
	var text strings.Builder
	files, err := filepath.Glob(filepath.Join(folder, "*.originals"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		text.Write(data)
	}
	return text.String()
}

var reminders = regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>`)

// sentTexts lists the parts of a request without the reminders that the client adds.
func sentTexts(t *testing.T, c *client, body []byte) (list []string) {
	for _, part := range parts(t, c.sent(t, body)) {
		if part = reminders.ReplaceAllString(part, ""); part != "" {
			list = append(list, part)
		}
	}
	return list
}
