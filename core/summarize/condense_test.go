package summarize

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// condensed returns the summary of an earlier summary in maxTokens, with one message after it.
func condensed(t *testing.T, maxTokens int, earlier string) string {
	t.Helper()
	m := msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\n"+earlier)
	m.Blocks[0].Summary = true
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{m, msg.TextMessage(msg.User, "Go on.")}}
	return Summarize(c, msg.Span{End: 1}, Options{MaxTokens: maxTokens})
}

// Of an earlier summary, the lines with names stay before the sentences without one, however short these are.
func TestCondensingKeepsNamesBeforeFiller(t *testing.T) {
	earlier := "## What the assistant found, decided and did\n- turn 2: All done.\n- turn 3: It has:\n- turn 4: Perfect!\n" +
		"- turn 5: `parseHeader` in core/read.go drops the `maxLength` that readConfig sets.\n\n" +
		"## Commands and tools, with results\n- `git status`\n- `git branch -a`\n- `act -l`\n- `make check`\n"
	got := condensed(t, 60, earlier)
	require.Contains(t, got, "parseHeader")
	require.Contains(t, got, "core/read.go")
	require.NotContains(t, got, "git branch")
}

// A title without the lines below it says nothing, so it does not stay as a decision.
func TestCondensingKeepsDecisionsBeforeTitles(t *testing.T) {
	earlier := "## What the assistant found, decided and did\n"
	for _, title := range []string{"Root cause:", "The reason is:", "原因：", "원인:", "In conclusion:"} {
		earlier += "- turn 2: " + title + "\n"
	}
	got := condensed(t, 40, earlier+"- turn 4: We keep the second queue because the first one loses its order after a restart.\n")
	require.Contains(t, got, "We keep the second queue because")
	require.NotContains(t, got, "Root cause:")
}

// A command that failed and did not succeed since stays before commands that succeeded.
func TestCondensingKeepsFailedCommands(t *testing.T) {
	earlier := "## Commands and tools, with results\n"
	for _, done := range []string{"make fmt", "make vet", "make lint", "make docs", "make site", "make wasm"} {
		earlier += "- `" + done + "` → ok\n"
	}
	got := condensed(t, 40, earlier+"- `make deploy` → exit 2\n")
	require.Contains(t, got, "`make deploy` → exit 2")
}

// A file of an earlier summary keeps names of the lines for which there is no room.
func TestCondensingNamesTheLinesOfAFile(t *testing.T) {
	long := " is called by the handler of the first request that arrives after the restart of the server"
	got := condensed(t, 70, "## Files\n- core/read.go (edited ×3)\n  parseHeader"+long+"\n  readConfig"+long+"\n  dropEmpty"+long+"\n")
	require.Contains(t, got, "core/read.go (edited ×3)")
	require.Contains(t, got, "names: ")
	for _, name := range []string{"parseHeader", "readConfig", "dropEmpty"} {
		require.Contains(t, got, name)
	}
}

// A cleared result says nothing, so its placeholder is no outcome of the command.
func TestPlaceholdersAreNoOutcomes(t *testing.T) {
	for _, placeholder := range []string{"[Previous: used bash]", "[Old tool result content cleared]",
		"[cleared to save context]"} {
		call := msg.Block{Kind: msg.KindToolUse, ID: "a", Name: "bash", Text: `{"command":"go test ./core/readConfig"}`}
		result := msg.Block{Kind: msg.KindToolResult, ID: "a", Text: placeholder}
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Test it."),
			{Role: msg.Assistant, Blocks: []msg.Block{call}}, {Role: msg.User, Blocks: []msg.Block{result}}}}
		got := Summarize(c, msg.Span{Start: 1, End: 3}, Options{MaxTokens: 100})
		require.Contains(t, got, "go test ./core/readConfig")
		require.NotContains(t, got, placeholder)
	}
}

// The user's answer to a question of the agent is among the user's words, so neither it nor the call is in the summary.
// A server's tool is not believed.
func TestAnswersOfTheUserAreNoResults(t *testing.T) {
	summary := func(tool string, failed bool) string {
		call := msg.Block{Kind: msg.KindToolUse, ID: "a", Name: tool, Text: `{"question":"Which store?"}`}
		result := msg.Block{Kind: msg.KindToolResult, ID: "a", Text: "Which store? = Postgres, with one schema for each tenant",
			IsError: failed}
		c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "Plan it."),
			{Role: msg.Assistant, Blocks: []msg.Block{call}}, {Role: msg.User, Blocks: []msg.Block{result}}}}
		return Summarize(c, msg.Span{Start: 1, End: 3}, Options{MaxTokens: 200})
	}
	for _, tool := range []string{"AskUserQuestion", "ask_user", "request_user_input"} {
		require.NotContains(t, summary(tool, false), "Which store?", tool)
		require.Contains(t, summary(tool, true), "Which store?", "a question without an answer")
	}
	require.Contains(t, summary("mcp__notes__ask_user", false), "Postgres")
	require.Contains(t, summary("Bash", false), "Postgres")
}

// The summary of new messages does not repeat names that an earlier summary outside of its span has.
func TestNewSummariesDoNotRepeatEarlierOnes(t *testing.T) {
	earlier := msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\n## Files\n- core/read.go (read)\n"+
		"  12: parseHeader calls readConfig before dropEmpty\n")
	earlier.Blocks[0].Summary = true
	call := msg.Block{Kind: msg.KindToolUse, ID: "a", Name: "Read", Text: `{"file_path":"core/read.go"}`}
	result := msg.Block{Kind: msg.KindToolResult, ID: "a", Text: "12: parseHeader calls readConfig before dropEmpty\n" +
		"13: writeFooter calls closeSection before flushAll\n"}
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{earlier,
		{Role: msg.Assistant, Blocks: []msg.Block{call}}, {Role: msg.User, Blocks: []msg.Block{result}},
		msg.TextMessage(msg.User, "Go on.")}}
	got := Summarize(c, msg.Span{Start: 1, End: 3}, Options{MaxTokens: 200})
	require.Contains(t, got, "writeFooter")
	require.NotContains(t, got, "parseHeader")
}
