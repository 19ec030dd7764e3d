package summarize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// These tests are lines of real summaries that told their reader nothing.

// The error in the text of an MCP server is the outcome of its call.
func TestResultsOfMCPServersAreRead(t *testing.T) {
	out := summaryOf(400, call("1", "execute-tool", `{"tool_name":"add_slide"}`),
		answer("1", `{"_meta":null,"content":[{"type":"text","text":"{\n  \"error\": \"No slide_deck is loaded\"\n}"}],"isError":false,`+
			`"structuredContent":{"error":"No slide_deck is loaded"}}`, false))
	require.Contains(t, out, "execute-tool `tool_name=add_slide` → failed: No slide_deck is loaded")
	require.NotContains(t, out, "structuredContent")
}

func TestPolitenessIsNoFinding(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "Of course! Certainly, I can do that for you right away. Still running. "+
		"好问题。 The row_limit comes from load_orders."), msg.TextMessage(msg.Assistant, "Then the night_report is the next one."))
	require.Contains(t, out, "The row_limit comes from load_orders.")
	for _, said := range []string{"Of course", "Certainly", "Still running", "好问题"} {
		require.NotContains(t, out, said)
	}
}

// Errors that a later run of the same command does not have any more are gone, however many there were.
func TestErrorsThatAreGoneAreNotKept(t *testing.T) {
	var failures strings.Builder
	for i := range 12 {
		failures.WriteString("src/order_store.ts(" + strings.Repeat("1", i+1) + ",1): error TS2307: Cannot find module './row_limit" +
			strings.Repeat("x", i) + "'\n")
	}
	run := func(id, result string, failed bool) []msg.Message {
		return []msg.Message{call(id, "Bash", `{"command":"npm run check"}`), answer(id, result, failed)}
	}
	fails := run("1", failures.String()+"exit code 2", true)
	require.Contains(t, summaryOf(600, fails...), "row_limitxxxxxx")
	out := summaryOf(600, append(fails, run("2", strings.Repeat("Checked the order_store, no row is wrong.\n", 12), false)...)...)
	require.Contains(t, out, "npm run check")
	require.NotContains(t, out, "TS2307")
}

// An action that a sentence only announces is in the summary itself, also if the sentence has "plan" or "approach".
func TestAnAnnouncementIsNoFinding(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "Let me try a different approach here, and look at it once more. "+
		"Now let me read the whole plan before anything else is done. Now remove what is broken in all of them. "+
		"Let me keep order_store, because of the row_limit."),
		msg.TextMessage(msg.Assistant, "Then the night_report is the next one."))
	require.Contains(t, out, "Let me keep order_store, because of the row_limit.")
	require.NotContains(t, out, "approach")
	require.NotContains(t, out, "the whole plan")
	require.NotContains(t, out, "broken")
}

// The title of a section and the labels of a drawing are no names.
func TestTitlesInCapitalsAreNoNames(t *testing.T) {
	out := summaryOf(400, call("1", "Agent", `{"prompt":"look at the loader"}`), answer("1",
		"### 2. CHECKPOINT SYSTEM ARCHITECTURE\n│ PENDING │ ──▶ │ GENERATING │\n"+
			"The MAX_ROWS of the loader is 500.\nPORT=8080 HOST=STAGING\nTHE LIMIT IS ROW_LIMIT\n文件 README 与 LICENSE 都要\n", false),
		msg.TextMessage(msg.Assistant, "The night_report is the next one."))
	require.NotContains(t, out, "CHECKPOINT")
	require.NotContains(t, out, "PENDING")
	for _, kept := range []string{"MAX_ROWS", "PORT=8080", "ROW_LIMIT", "LICENSE"} {
		require.Contains(t, out, kept)
	}
}

// What a client counts of another agent, and the object that Codex puts around the output of a patch, are no results.
func TestFramesOfClientsAreNotKept(t *testing.T) {
	out := summaryOf(400, call("1", "Agent", `{"prompt":"look at the loader"}`), answer("1", "The loader has a row_limit.\n"+
		"agentId: a325bd91f0 (for resuming)\n<usage>total_tokens: 15647\ntool_uses: 4\nduration_ms: 26425</usage>", false),
		call("2", "apply_patch", `{"input":"*** Begin Patch\n*** Update File: load.go\n+row_limit\n*** End Patch"}`),
		answer("2", `{"output":"Success. Updated the following files:\nM load.go\n","metadata":{"exit_code":0,"duration_seconds":0.1}}`, false))
	require.Contains(t, out, "a325bd91f0")
	read := summaryOf(400, call("1", "read", `{"filePath":"/src/load.ts"}`), answer("1", "<path>/src/load.ts</path>\n<type>file</type>\n"+
		"<content>1: import { row_limit } from './order_store.js';\n2: export const x = row_limit;\n\n(End of file - total 2 lines)\n</content>",
		false), msg.TextMessage(msg.Assistant, "Then the night_report is the next one."))
	require.Contains(t, read, "\n  1: import { row_limit } from './order_store.js';")
	require.NotContains(t, read, "total 2 lines")
	for _, frame := range []string{"total_tokens", "duration_ms", "duration_seconds", "exit_code"} {
		require.NotContains(t, out, frame)
	}
}

func TestTheDirectoryOfTheLastCommandIsKept(t *testing.T) {
	messages := []msg.Message{call("1", "exec_command", `{"cmd":"go test","workdir":"/src/trees/loader"}`), answer("1", "ok", false),
		call("2", "exec_command", `{"cmd":"go vet","workdir":"/src/trees/order_store"}`), answer("2", "no problem", false)}
	require.Contains(t, summaryOf(400, messages...), "- called: exec_command ×2; the last command in /src/trees/order_store\n")
	c := &msg.Conversation{Messages: append(messages, call("3", "exec_command", `{"cmd":"make","workdir":"/src/trees/order_store"}`))}
	out := summarize.Summarize(c, msg.Span{End: 4}, summarize.Options{MaxTokens: 400})
	require.NotContains(t, out, "the last command in", "a message that stays has it")
}

// Work that went on in a later summary is not in progress.
func TestWorkBeforeALaterSummaryIsNotInProgress(t *testing.T) {
	later := earlierSummary("[compacted summary of turns 2-9]\n## Files\n- shop/load.go (edited)")
	report := msg.TextMessage(msg.Assistant, "The remaining work is the night_report of order_store.")
	require.NotContains(t, summaryOf(400, report, later), "In progress")
	require.Contains(t, summaryOf(400, later, report), "In progress")
}

// Work that was in progress at the end of an earlier summary has its last turn.
func TestWorkInProgressKeepsItsTurn(t *testing.T) {
	earlier := earlierSummary("[compacted summary of turns 1-40]\n## Errors seen\n- turn 7: error: no order_store\n\n" +
		"## In progress at that point\n- The night_report is decided, because of the row_limit.")
	out := summaryOf(400, earlier, msg.TextMessage(msg.Assistant, "Then the session_cache is the next one."))
	require.Contains(t, out, "- turn 40: The night_report is decided")
}

// A file that was deleted has no lines, unless it was written again.
func TestADeletedFileHasNoLines(t *testing.T) {
	messages := []msg.Message{
		call("1", "Write", `{"path":"docs/old_plan.md","content":"The row_limit is in load_orders.\n"}`), answer("1", "ok", false),
		call("2", "Bash", `{"command":"rm docs/old_plan.md"}`), answer("2", "", false)}
	out := summaryOf(400, messages...)
	require.Contains(t, out, "docs/old_plan.md (written, deleted)")
	require.NotContains(t, out, "+ The row_limit")
	out = summaryOf(400, append(messages, call("3", "Write", `{"path":"docs/old_plan.md","content":"The batch_size is in load_orders.\n"}`),
		answer("3", "ok", false))...)
	require.Contains(t, out, "+ The batch_size is in load_orders.")
	require.NotContains(t, out, "+ The row_limit")
}

// The last todo list is the state of the work, however often it was condensed; a later list replaces it.
func TestATodoListIsCondensedAsOne(t *testing.T) {
	list := []msg.Message{call("1", "update_plan", `{"plan":[{"step":"Read the loader","status":"completed"},`+
		`{"step":"Limit the rows","status":"in_progress"},{"step":"Write the report","status":"pending"}]}`), answer("1", "ok", false)}
	earlier := earlierSummary("[compacted summary of turns 1-9]\n" + summaryOf(400, list...))
	work := msg.TextMessage(msg.Assistant, "The row_limit of order_store is decided, because of the night_report.")
	for range 3 {
		text := summaryOf(400, earlier, work)
		require.Contains(t, text, "\n- Read the loader (completed) | Limit the rows (in_progress) | Write the report (pending)")
		earlier.Blocks[0].Text = "[compacted summary of turns 1-9]\n" + text
	}
	out := summaryOf(400, earlier, call("2", "update_plan", `{"plan":[{"step":"Write the report","status":"in_progress"}]}`),
		answer("2", "ok", false))
	require.Contains(t, out, "- Write the report (in_progress)")
	require.NotContains(t, out, "Limit the rows")
}
