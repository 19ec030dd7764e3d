package summarize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// These tests are lines of real summaries that misled their reader.

func TestARejectedEditIsNoChange(t *testing.T) {
	const denied = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
		"the new_string was NOT written to the file). To tell you how to proceed, the user said:\nRead the template of row_limit first."
	edit := call("1", "Edit", `{"path":"shop/load.go","old_string":"db.loadAll(batch_size)","new_string":"db.loadSome(row_limit)"}`)
	out := summaryOf(400, edit, answer("1", denied, true))
	require.NotContains(t, out, "the template", "the user's words have a section of their own")
	require.Contains(t, out, "shop/load.go (not changed: the edit failed)")
	require.NotContains(t, out, "loadSome", "the edit was not made")
	again := call("2", "Edit", `{"path":"shop/load.go","old_string":"db.loadAll(batch_size)","new_string":"db.loadSome(row_limit)"}`)
	out = summaryOf(400, edit, answer("1", denied, true), again, answer("2", "ok", false))
	require.Contains(t, out, "shop/load.go (edited)")
}

func TestAReminderOfAClientIsNoTextOfAFile(t *testing.T) {
	out := summaryOf(400, call("1", "Read", `{"path":"shop/load.go"}`), answer("1", "1\tfunc LoadOrders(db *Store) error {\n"+
		"<system-reminder>\nConsider whether load_orders is malware.\n</system-reminder>\n2\t\treturn db.loadAll(batch_size)\n", false))
	require.Contains(t, out, "loadAll(batch_size)")
	require.NotContains(t, out, "malware")
	out = summaryOf(400, call("1", "Read", `{"path":"tag.go"}`),
		answer("1", "1\tconst reminderTag = \"<system-reminder>\"\n2\tconst otherTag = \"x_y\"\n", false))
	require.Contains(t, out, "otherTag", "a tag without an end is text")
}

func TestTasksKeepTheirLastState(t *testing.T) {
	messages := []msg.Message{
		call("1", "TaskCreate", `{"subject":"Read the loader","activeForm":"Reading"}`),
		answer("1", "Task #1 created successfully: Read the loader", false),
		call("2", "TaskCreate", `{"subject":"Limit the rows","activeForm":"Limiting"}`),
		answer("2", "Task #2 created successfully: Limit the rows", false),
		call("3", "TaskUpdate", `{"taskId":"1","status":"in_progress"}`), answer("3", "Updated task #1 status", false),
		call("4", "TaskUpdate", `{"taskId":"1","status":"completed"}`), answer("4", "Updated task #1 status", false)}
	out := summaryOf(400, messages...)
	require.Contains(t, out, "- task #2: Limit the rows → pending\n- task #1: Read the loader → completed", "by their last change")
	require.NotContains(t, out, "in_progress")
	require.NotContains(t, out, "Updated task")

	// The subject is known from a message before the span, and the state of an earlier summary is replaced.
	c := &msg.Conversation{Messages: append(messages, call("5", "TaskUpdate", `{"taskId":"2","status":"in_progress"}`))}
	last := summarize.Summarize(c, msg.Span{Start: 6, End: 9}, summarize.Options{MaxTokens: 200})
	require.Contains(t, last, "- task #2: Limit the rows → in_progress")
	earlier := earlierSummary("[compacted summary of turns 1-9]\n" + out)
	merged := summaryOf(400, earlier, call("6", "TaskUpdate", `{"taskId":"2","status":"completed"}`), answer("6", "ok", false))
	require.Contains(t, merged, "- task #2: Limit the rows → completed")
	require.NotContains(t, merged, "pending")
}

// Other tools of these names are calls like any other.
func TestOtherTaskTools(t *testing.T) {
	out := summaryOf(400, call("1", "task_create", `{"subject":"Limit the rows","board":"order_store"}`),
		answer("1", "made card_77", false), call("2", "task_update", `{"card":"card_77","lane":"done_lane"}`), answer("2", "ok", false))
	require.Contains(t, out, "made card_77")
	require.Contains(t, out, "lane=done_lane")
	require.NotContains(t, out, "task #")
}

func TestCodeBlocksAreNoSentences(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "The root cause is in row_limit:\n```typescript\nloadSome(row_limit);\n}\n```\n"+
		"It is fixed now."), msg.TextMessage(msg.Assistant, "Then the night_report is next."))
	require.NotContains(t, out, "typescript")
	require.Contains(t, out, "- turn 1: The root cause is in row_limit:\n  loadSome(row_limit);")
	require.Contains(t, out, "It is fixed now.")
	out = summaryOf(400, msg.TextMessage(msg.Assistant, "```\nIt failed because of row_limit."),
		msg.TextMessage(msg.Assistant, "Next."))
	require.Contains(t, out, "It failed because of row_limit.", "a fence without a partner")
}

func TestLinesOfAnAnswerStayLines(t *testing.T) {
	text := "Changed because of row_limit:\n- Uploads are cut at 100 MB. Others are cut at 5 MB.\n- The header max_size may be missing.\n"
	last := msg.TextMessage(msg.Assistant, "Then the night_report is next.")
	out := summaryOf(400, msg.TextMessage(msg.Assistant, text), last)
	want := "- turn 1: Changed because of row_limit:\n  Uploads are cut at 100 MB. Others are cut at 5 MB.\n  The header max_size may be missing."
	require.Contains(t, out, want)
	earlier := earlierSummary("[compacted summary of turns 1-9]\n" + out)
	require.Contains(t, summaryOf(400, earlier, last), want, "also in a summary of the summary")
}

func TestCondensingKeepsTheMarkBetweenFragments(t *testing.T) {
	earlier := earlierSummary("[compacted summary of turns 1-9]\n## What the assistant found, decided and did\n" +
		"- turn 3: It failed because of row_limit. · The root cause is session_cache.\n")
	out := summaryOf(400, earlier, msg.TextMessage(msg.User, "Go on."))
	require.Contains(t, out, "row_limit. · The root cause is session_cache.")
}

func TestAParameterIsNoError(t *testing.T) {
	for _, line := range []string{"timestamp: datetime | None = None, error: str | None = None", "func log(error: string)"} {
		require.Empty(t, summarize.ErrorLines(line, 1), line)
	}
	require.NotEmpty(t, summarize.ErrorLines("load.go:7:2: error: undefined loadAll", 1))
	require.NotEmpty(t, summarize.ErrorLines("ValueError: no row", 1))
}

func TestAPathWithLinesIsTheFile(t *testing.T) {
	out := summaryOf(400, call("1", "read", `{"path":"shop/load.go:84-90"}`), answer("1", "84\treturn db.loadAll(batch_size)\n", false),
		call("2", "edit", `{"path":"shop/load.go","old_string":"loadAll(batch_size)","new_string":"loadSome(row_limit)"}`), answer("2", "ok", false),
		call("3", "read", `{"path":"http://localhost:8080"}`), answer("3", "the order_page", false))
	require.Contains(t, out, "- shop/load.go (read at 84-90, edited)")
	require.Contains(t, out, "- http://localhost:8080 (read)")
}

func TestAnOutcomeDoesNotRepeatItsTitle(t *testing.T) {
	m := msg.TextMessage(msg.User, "[Request interrupted by user for tool use]")
	out := summaryOf(400, m, call("1", "ExitPlanMode", `{}`), answer("1", "Approved the plan of order_store.", false))
	require.NotContains(t, out, "``")
	require.NotContains(t, out, "→ [Request")
	require.Contains(t, out, "- ExitPlanMode")
}

func TestDecisionsInOtherLanguages(t *testing.T) {
	for _, s := range []string{"원인은 row_limit 때문입니다.", "原因は row_limit です。", "Die Ursache ist row_limit.",
		"La causa es row_limit.", "Ça échoue parce que row_limit est nul.", "Причина в row_limit."} {
		out := summaryOf(50, msg.TextMessage(msg.Assistant, s), msg.TextMessage(msg.Assistant,
			"I read the order_store and then the session_cache of it."), msg.TextMessage(msg.Assistant, "Then comes all the rest."))
		require.Contains(t, out, s)
		require.NotContains(t, out, "order_store")
	}
}

// What runs in the background is one line with its last state, whichever call asked for it. The lines above an output
// are no output.
func TestACommandThatRunsKeepsItsLastState(t *testing.T) {
	// Codex (exec_command, write_stdin of codex-rs)
	frame := func(state, output string) string {
		return "Chunk ID: 732447\nWall time: 30.0007 seconds\n" + state + "\nOriginal token count: 1114\nOutput:\n" + output
	}
	start := call("1", "exec_command", `{"cmd":"cargo build","yield_time_ms":1000}`)
	runs := answer("1", frame("Process running with session ID 36373", "Compiling row_limit"), false)
	asks := call("2", "write_stdin", `{"session_id":36373,"yield_time_ms":2000}`)
	require.Contains(t, summaryOf(400, start, runs), "- `cargo build` → Process running with session ID 36373")
	failed := answer("2", frame("Process exited with code 101", "error: no row_limit"), false)
	out := summaryOf(400, start, runs, asks, failed)
	require.Contains(t, out, "- `cargo build` → exit 101: error: no row_limit")
	out += summaryOf(400, start, runs, asks, answer("2", frame("Process exited with code 0", "Built order_store"), false))
	require.Contains(t, out, "- `cargo build` → Built order_store")
	for _, gone := range []string{"36373", "write_stdin `", "Wall time", "Chunk ID", "token count", "Compiling"} {
		require.NotContains(t, out, gone)
	}
	// Claude Code (Bash with run_in_background, TaskOutput)
	start = call("1", "Bash", `{"command":"npm run dev","run_in_background":true}`)
	runs = answer("1", "Command running in background with ID: bfbada3. Output is being written to: /tmp/bfbada3.output", false)
	asks = call("2", "TaskOutput", `{"task_id":"bfbada3","block":false}`)
	require.Contains(t, summaryOf(400, start, runs), "- `npm run dev` → Command running in background with ID: bfbada3.")
	out = summaryOf(400, start, runs, asks, answer("2", "listening on port_4173", false))
	require.Contains(t, out, "- `npm run dev` → listening on port_4173")
	require.NotContains(t, out, "bfbada3")
}

// Of the results of one call that is made again and again, the last one holds. What the user pasted is not replaced.
func TestTheLastResultOfACallHolds(t *testing.T) {
	var messages []msg.Message
	for _, state := range []string{"is queued", "is halfway", "is ready"} {
		messages = append(messages, call(state, "Bash", `{"command":"workmux status"}`),
			answer(state, "WORKTREE STATUS\nnight_report "+state+"\nrow_limit "+state, false))
	}
	out := summaryOf(400, messages...)
	require.Contains(t, out, "night_report is ready\n  row_limit is ready")
	require.NotContains(t, out, "is halfway")
	require.NotContains(t, out, "is queued")
	again := append(messages[:2:2], messages[:2]...)
	require.Contains(t, summaryOf(400, again...), "night_report is queued", "the same again")
}
