package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallStory runs every tool over a module of two files, so that the tests depend on no package of Tamp.
const smallStory = `title: Small
model: some-model
openai model: another-model
branch: main
package: ./sum
started: 2026-01-02T03:04:05Z

== system
Be brief.
== retyped
Fix
== user
Fix <Sum>, please.
== picture
== reminder
Vet first.
== think
Look, then run.
== say
I look around.
== call list_files
path: sum
== call read_file
path: sum/missing.go
expect: fails
== call search
pattern: return
path: sum
shows: sum/sum.go:6
== turn
== call run_tests
package: ./sum
verbose: yes
expect: fails
shows: --- FAIL
== say
Here it is.
== call read_file
path: sum/sum.go
at: func Sum
from: -1
to: 1
label: before
== call edit_file
path: sum/sum.go
old: a - b
new: a + c
== turn
== call build
package: ./sum
expect: fails
shows: undefined: c
== call edit_file
path: sum/sum.go
old: a + c
new: a + b
== call write_file
path: sum/doc.go
content:
| // Package sum adds.
| package sum
== turn
== call run_tests
package: ./sum
shows: ok
== call go_doc
package: ./sum
symbol: Sum
== say
Done.
`

func smallRepo(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module tamp\n\ngo 1.26\n",
		"sum/sum.go":        "package sum\n\n// Sum adds two numbers.\nfunc Sum(a, b int) int {\n\t// The order does not matter.\n\treturn a - b\n}\n",
		"sum/sum_test.go":   "package sum\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestSum(t *testing.T) {\n\tdir, _ := os.Getwd()\n\tif Sum(2, 2) != 4 {\n\t\tt.Errorf(\"in %s: %d\", dir, Sum(2, 2))\n\t}\n}\n",
		".git/config":       "hidden",
		"node_modules/a.js": "installed",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func recordSmall(t *testing.T, root string) *Session {
	t.Helper()
	story := &Story{Name: "small"}
	require.NoError(t, story.parse("small.story", smallStory))
	session, err := record(root, story)
	require.NoError(t, err)
	return session
}

// machinePlace matches paths of the machine that made the recording.
var machinePlace = regexp.MustCompile(`/(root|tmp|work|var|Users|home/[a-ce-z])\b`)

func TestRecordingIsRealAnsweredAndTheSameEachTime(t *testing.T) {
	root := smallRepo(t)
	session := recordSmall(t, root)
	require.Equal(t, 11, session.calls())
	require.Len(t, session.Messages, 12)

	source, err := os.ReadFile(filepath.Join(root, "sum", "sum.go"))
	require.NoError(t, err)
	require.Contains(t, string(source), "a - b", "the repository itself is never edited")

	again := recordSmall(t, root)
	for _, w := range writers {
		data := w.write(session)
		require.Equal(t, string(data), string(w.write(again)), "%s: recorded twice, the same bytes", w.format)
		requireWhole(t, w.format, data)
		require.Contains(t, string(data), "in /home/dev/tamp/sum: 0", "a real output, with the place renamed")
		require.Contains(t, string(data), "Fix <Sum>, please.", "no needless escapes")
		require.NotContains(t, string(data), "node_modules")
	}
}

func TestStoryThatTheTreeBeliesIsRefused(t *testing.T) {
	root := smallRepo(t)
	for _, c := range []struct{ name, step, want, why string }{
		{"file gone", "== call read_file\npath: sum/gone.go", "no such file", "the file moved"},
		{"text gone", "== call edit_file\npath: sum/sum.go\nold: a * b\nnew: b", "is not there", "the line changed"},
		{"text twice", "== call edit_file\npath: sum/sum.go\nold: a\nnew: b", "times", "the place is ambiguous"},
		{"not shown", "== call list_files\npath: sum\nshows: gone.go", "was to show", "the text mentions it"},
		{"no failure", "== call build\npackage: ./sum\nexpect: fails", "was to fail", "the story tells of a failure"},
		{"outside", "== call read_file\npath: ../go.mod", "outside the repository", "tools stay in the scratch copy"},
		{"no anchor", "== call read_file\npath: sum/sum.go\nat: func Gone\nfrom: 0\nto: 3", "does not hold",
			"the function was renamed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			story := &Story{Name: "bad", Package: "./sum"}
			require.NoError(t, story.parse("bad.story", "\n\n== user\nGo on.\n"+c.step+"\n"))
			_, err := record(root, story)
			require.ErrorContains(t, err, c.want, c.why)
			require.ErrorContains(t, err, "stories/bad.story:5", "the place in the story")
		})
	}
}

func TestStoriesAreWellFormed(t *testing.T) {
	stories, err := loadStories()
	require.NoError(t, err)
	var names []string
	for _, s := range stories {
		names = append(names, s.Name)
		for _, text := range []string{s.Title, s.Description, s.Model, s.ModelOpenAI, s.Branch, s.Package, s.System} {
			require.NotEmpty(t, text, s.Name)
		}
		require.False(t, s.Started.IsZero(), s.Name)
		for _, step := range s.Steps {
			if step.Word == "call" {
				_, err := step.input(0)
				require.NoError(t, err, "%s:%d", step.File, step.Line)
			}
		}
	}
	for _, e := range examples {
		require.Contains(t, names, e.story)
	}
}

func TestBrokenSessionHasEachKindOfDamage(t *testing.T) {
	published, err := os.ReadFile(filepath.Join("..", "broken.json"))
	require.NoError(t, err, "run make examples")
	results := map[string]int{}
	var calls []string
	textFirst := false
	for _, m := range readMessages(t, "anthropic", published) {
		for i, b := range m.blocks {
			switch b.Type {
			case "tool_use":
				calls = append(calls, b.ID)
			case "tool_result":
				results[b.ToolUseID]++
				textFirst = textFirst || i > 0 && m.blocks[i-1].Type == "text"
			}
		}
	}
	unanswered := slices.DeleteFunc(slices.Clone(calls), func(id string) bool { return results[id] > 0 })
	require.GreaterOrEqual(t, len(unanswered), 2, "one in the middle, one at the end")
	orphans, twice := 0, 0
	for id, n := range results {
		if !slices.Contains(calls, id) {
			orphans++
		}
		if n > 1 {
			twice++
		}
	}
	require.Positive(t, orphans)
	require.Positive(t, twice)
	require.True(t, textFirst)
}

func TestPublishedExamplesAreWholeAndListed(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "index.json"))
	require.NoError(t, err, "run make examples")
	var index []entry
	require.NoError(t, json.Unmarshal(data, &index))
	require.Len(t, index, len(examples))
	total, hasFormat := 0, map[string]bool{}
	for i, e := range index {
		data, err := os.ReadFile(filepath.Join("..", e.File))
		require.NoError(t, err)
		require.Equal(t, examples[i].file, e.File)
		require.Len(t, data, e.Bytes, e.File)
		size := len(data)
		data, err = unpacked(e.File, data)
		require.NoError(t, err)
		require.Equal(t, e.Messages, countMessages(e.Format, data), e.File)
		require.NotEmpty(t, e.Title)
		require.NotEmpty(t, e.Description)
		if e.File != "broken.json" {
			requireWhole(t, e.Format, data)
		}
		require.Empty(t, machinePlace.FindAllString(string(data), -1), e.File)
		total += size
		hasFormat[e.Format] = true
	}
	require.Len(t, hasFormat, len(writers), "each format is among the examples")
	require.Less(t, total, 1_100_000, "with the long one, which is downloaded when it is opened")
}

func TestRunRefusesWhatItDoesNotKnow(t *testing.T) {
	root := smallRepo(t)
	require.ErrorContains(t, run(options{root: root, out: t.TempDir(), format: "xml"}, io.Discard), `"xml"`)
	require.ErrorContains(t, run(options{root: root, out: t.TempDir(), only: "nothing"}, io.Discard), `"nothing"`)
}

// requireWhole checks that every call is answered right after it and that the output has no path of this machine.
func requireWhole(t *testing.T, format string, data []byte) {
	t.Helper()
	require.Empty(t, machinePlace.FindAllString(string(data), -1))
	open := map[string]bool{}
	seen := 0
	for _, m := range readMessages(t, format, data) {
		if m.role == "assistant" || m.role == "user" && format == "openai-chat" {
			require.Empty(t, open, "calls without a result")
		}
		for _, b := range m.blocks {
			switch b.Type {
			case "tool_use":
				open[b.ID] = true
				seen++
			case "tool_result":
				require.True(t, open[b.ToolUseID], "a result without a call: %s", b.ToolUseID)
				delete(open, b.ToolUseID)
			}
		}
	}
	require.Empty(t, open)
	require.Positive(t, seen)
}

type readMessage struct {
	role   string
	blocks []readBlock
}

type readBlock struct {
	Type      string
	ID        string
	ToolUseID string `json:"tool_use_id"`
}

// readMessages parses the output of a writer independently: joined by message id in a log, tool messages as results.
func readMessages(t *testing.T, format string, data []byte) []readMessage {
	t.Helper()
	type message struct {
		Role       string
		ID         string
		Content    json.RawMessage
		ToolCallID string      `json:"tool_call_id"`
		ToolCalls  []readBlock `json:"tool_calls"`
	}
	var all []message
	switch {
	case format == "claude-code":
		parents := map[string]string{}
		for line := range bytes.Lines(data) {
			var l struct {
				Type, UUID, ParentUUID string
				Message                message
			}
			require.NoError(t, json.Unmarshal(line, &l))
			if l.UUID == "" {
				continue
			}
			require.True(t, l.ParentUUID == "" || parents[l.ParentUUID] != "", "a parent that was not there before")
			parents[l.UUID] = l.Type
			if n := len(all); n > 0 && l.Message.ID != "" && all[n-1].ID == l.Message.ID {
				all[n-1].Content = append(append(bytes.TrimSuffix(all[n-1].Content, []byte("]")), ','), l.Message.Content[1:]...)
				continue
			}
			all = append(all, l.Message)
		}
	case strings.HasPrefix(string(data), "["):
		require.NoError(t, json.Unmarshal(data, &all))
	default:
		var body struct{ Messages []message }
		require.NoError(t, json.Unmarshal(data, &body))
		all = body.Messages
	}
	var out []readMessage
	for _, m := range all {
		read := readMessage{role: m.Role}
		if bytes.HasPrefix(m.Content, []byte("[")) {
			require.NoError(t, json.Unmarshal(m.Content, &read.blocks))
		}
		if m.ToolCallID != "" {
			read.blocks = []readBlock{{Type: "tool_result", ToolUseID: m.ToolCallID}}
		}
		for _, c := range m.ToolCalls {
			read.blocks = append(read.blocks, readBlock{Type: "tool_use", ID: c.ID})
		}
		out = append(out, read)
	}
	return out
}
