package summarize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/summarize"
)

func TestAtoms(t *testing.T) {
	for _, row := range []struct {
		text, why string
		want      []string
	}{
		{"see core/msg/check.go:12 there", "a path ends before its line number", []string{"path core/msg/check.go",
			"number 12"}},
		{"and/or, yes/no", "words with a slash between them are not a path", nil},
		{"half/7%", "the last of words with a slash has the unit", []string{"number 7%"}},
		{"open README.md.", "a bare file name is a path; the full stop is not its own", []string{"path README.md"}},
		{"it is late. e.g. now", "prose has no atoms", nil},
		{"parseInput and parse_input and PARSE_INPUT", "three ways to write a name", []string{"identifier parseInput",
			"identifier parse_input", "identifier PARSE_INPUT"}},
		{"Parse the Input", "a leading capital alone is not a name", nil},
		{"self.fooBar.baz()", "the parts of a dotted name that are names", []string{"identifier fooBar"}},
		{"call os.path.join here", "a dotted name of plain words is one atom", []string{"identifier os.path.join"}},
		{"30s, 12.5%, v1.2.3, 7", "units and versions count, a lone digit does not", []string{"number 30s",
			"number 12.5%", "number v1.2.3"}},
		{"2024-01-31", "a date is three numbers", []string{"number 2024", "number 01", "number 31"}},
		{"commit 9c9367a and deadbeef and 1234567", "a hash mixes digits and letters", []string{"hash 9c9367a",
			"number 1234567"}},
		{"123e4567-e89b-12d3-a456-426614174000", "a uuid is one hash",
			[]string{"hash 123e4567-e89b-12d3-a456-426614174000"}},
		{"(https://example.com/a?b=1), ok", "a URL ends before the bracket", []string{"url https://example.com/a?b=1"}},
		{"<b>x</b> </section>", "a closing tag is not a path", nil},
		{"修改 auth/session.py，然后", "Chinese marks end a path", []string{"path auth/session.py"}},
		{"/usr ~/x.sh ./run ../up", "roots and dots make a path of few parts", []string{"path ~/x.sh", "path ./run",
			"path ../up"}},
	} {
		var got []string
		summarize.Atoms(row.text, func(k summarize.FactKind, s string) { got = append(got, k.String()+" "+s) })
		require.Equal(t, row.want, got, "%s: %s", row.text, row.why)
	}
}

func TestIsError(t *testing.T) {
	for _, row := range []struct {
		text, why string
		flag      bool
		want      bool
	}{
		{"all good", "the result is marked as an error", true, true},
		{"func handleError(err error) error {", "source code is full of the word", false, false},
		{"Exit code 2\nboom", "an exit code", false, true},
		{"FAIL quoted in a listing\n\nProcess exited with code 0", "the exit code overrides the text", false, false},
		{"ok 1\n--- FAIL: TestX (0.00s)", "a failing test", false, true},
		{"panic: runtime error: index out of range", "a panic", false, true},
		{"0 failed, 12 passed", "a run without failures", false, false},
	} {
		b := msg.Block{Kind: msg.KindToolResult, Text: row.text, IsError: row.flag}
		require.Equal(t, row.want, summarize.IsError(&b), "%s: %s", row.text, row.why)
	}
	require.False(t, summarize.IsError(&msg.Block{Kind: msg.KindText, Text: "Exit code 1"}),
		"only a tool result can be an error")
}

func TestErrorLines(t *testing.T) {
	text := "src/a.ts(3,4): error TS2345: Argument\nconst error = 1\nno error was found\nValueError: bad\nTraceback (most recent call last):\n  error: x,\nsh: foo: command not found\n"
	require.Equal(t, []string{"src/a.ts(3,4): error TS2345: Argument", "ValueError: bad",
		"Traceback (most recent call last):", "sh: foo: command not found"},
		summarize.ErrorLines(text, 9))
	require.Len(t, summarize.ErrorLines(text, 2), 2)
}

// The actions of common agents' calls on files, as the section Files of the summary lists them.
func TestFiles(t *testing.T) {
	for _, row := range []struct{ tool, input, want, why string }{
		{"Read", `{"file_path":"/x/a.go","offset":10,"limit":50}`, "- /x/a.go (read at 10+50)",
			"Claude Code, with the part that was read"},
		{"str_replace_based_edit_tool", `{"command":"view","path":"/x/a.go"}`, "- /x/a.go (read)",
			"one tool for several actions: view reads"},
		{"str_replace_editor", `{"command":"create","path":"/x/a.go","file_text":"x"}`, "- /x/a.go (written)",
			"create writes"},
		{"edit", `{"path":"src/a.go","oldText":"limitOne := 1","newText":"limitOne := 2"}`, "- src/a.go (edited)",
			"pi"},
		{"shell", `{"command":["bash","-lc","rm src/old.go"]}`, "- src/old.go (deleted)",
			"a command as a list of words"},
		{"Bash", `{"command":"sed -i 's/a/b/' src/a.go && mv src/b.go src/c.go"}`, "- src/a.go (edited)",
			"sed -i edits"},
		{"Bash", `{"command":"sed -i '' 's/loadFake/fake.go/g' src/a.go src/b.go"}`, "- src/b.go (edited)",
			"the script of sed is no file"},
		{"Bash", `{"command":"cat <<'EOF' > src/new.go\nrm src/fake.go\nEOF"}`, "- src/new.go (written)",
			"a here-document is skipped"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: src/a.go\n-oldName()\n+newName()\n*** End Patch"}`,
			"- src/a.go (edited)", "a patch"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: src/a.go\n@@\n-oldName()\n+newName()\n` +
			`@@\n-oldOther()\n+newOther()\n*** End of File\n@@\n-oldLast()\n+newLast()\n*** End Patch"}`,
			"- src/a.go (edited)", "several hunks of a patch are one edit"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: src/a.go\n*** Move to: src/b.go\n@@\n-oldName()\n` +
			`+newName()\n*** End Patch"}`, "- src/a.go (moved)\n- src/b.go (edited)\n  `oldName()` → `newName()`",
			"a patch that moves a file"},
		{"mcp__fs__write_file", `{"path":"a/b.txt","content":"hi"}`, "- a/b.txt (written)", "a tool of an MCP server"},
	} {
		c := &msg.Conversation{Messages: []msg.Message{{Role: msg.Assistant,
			Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: "1", Name: row.tool, Text: row.input}}}}}
		out := summarize.Summarize(c, msg.Span{Start: 0, End: 1}, summarize.Options{MaxTokens: 500})
		require.Contains(t, out, row.want, row.why)
		require.NotContains(t, out, "fake.go (")
		require.NotContains(t, out, "fake.go/g (")
	}
}

// A fact that also occurs outside the span, where it stays verbatim, is not repeated if there is no room for both.
func TestKeptFactsAreNotRepeated(t *testing.T) {
	c := &msg.Conversation{Messages: []msg.Message{
		{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: "1", Name: "Read",
			Text: `{"path":"a.go"}`}}},
		{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "1",
			Text: "1\tfunc drawFrame(width int) {\n2\tfunc renderWidget(height int) {\n"}}},
		msg.TextMessage(msg.User, "Look at drawFrame."),
	}}
	out := summarize.Summarize(c, msg.Span{Start: 0, End: 2}, summarize.Options{MaxTokens: 25})
	require.Contains(t, out, "func renderWidget")
	require.NotContains(t, out, "drawFrame")
}
