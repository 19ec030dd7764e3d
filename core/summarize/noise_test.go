package summarize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
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

func TestManualsAreNoResults(t *testing.T) {
	manual := "tool_name: write_rows\ntool_description: Writes rows of order_store\nIMPORTANT: call list_rows first\n" +
		"1. ALWAYS use write_rows in parts\n- Never call drop_rows\nrow_limit: '(Optional, any) '\n\\ of the row_limit\n" +
		strings.Repeat("rows of the order_store\n", 30)
	out := summaryOf(400, call("1", "tool_search", `{"query":"rows"}`), answer("1", manual, false))
	require.Contains(t, out, "tool_name: write_rows")
	for _, line := range []string{"tool_description:", "list_rows first", "in parts", "drop_rows\n", "Optional", "\\ of"} {
		require.NotContains(t, out, line)
	}
	out = summaryOf(400, call("1", "Read", `{"path":"AGENTS.md"}`), answer("1", "Never call drop_rows.\n"+
		strings.Repeat("Rows of the order_store.\n", 30), false))
	require.Contains(t, out, "Never call drop_rows.", "a file that was read")
}

func TestStylesAndTheStatesOfTasksAreNoResults(t *testing.T) {
	text := "<retrieval_status>success</retrieval_status>\n<task_type>local_bash</task_type>\n" +
		"font_size of the main_page\n  font-size: 24px;\n  padding: 12px 24px;\n" + strings.Repeat("a line of the main_page\n", 30)
	out := summaryOf(400, call("1", "TaskOutput", `{"task_id":"b_77"}`), answer("1", text, false))
	require.Contains(t, out, "font_size of the main_page")
	require.NotContains(t, out, "24px")
	require.NotContains(t, out, "local_bash")
}

func TestPolitenessIsNoFinding(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "Of course! Certainly, I can do that for you right away. Still running. "+
		"好问题。 The row_limit comes from load_orders."), msg.TextMessage(msg.Assistant, "Then the night_report is the next one."))
	require.Contains(t, out, "The row_limit comes from load_orders.")
	for _, said := range []string{"Of course", "Certainly", "Still running", "好问题"} {
		require.NotContains(t, out, said)
	}
}

// The calls after an announcement are in the summary; a colon before a list is none.
func TestAnnouncementsAreNoFindings(t *testing.T) {
	texts := []string{"Now change load_orders.go to use the row_limit:", "I'll read order_store.go first:", "现在更新 night_report：",
		"Jetzt lese ich order_store.go:", "The row_limit of load_orders has two causes:", "Now the night_report reads order_store."}
	var messages []msg.Message
	for _, text := range texts {
		messages = append(messages, msg.TextMessage(msg.Assistant, text), msg.TextMessage(msg.User, "Go on."))
	}
	out := summaryOf(400, append(messages, msg.TextMessage(msg.Assistant, "The end of load_orders."))...)
	for i, text := range texts {
		require.Equal(t, i >= 4, strings.Contains(out, text), text)
	}
}

func TestSentencesAroundAnAnnouncementAreApart(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "The row_limit of load_orders is wrong.\n"+
		"Now change load_orders.go to use the row_limit:\nThe night_report of load_orders is right."),
		msg.TextMessage(msg.User, "Go on."), msg.TextMessage(msg.Assistant, "The end of load_orders."))
	require.Contains(t, out, "is wrong. · The night_report")
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

func TestNotesAboutPagesAreNoLines(t *testing.T) {
	out := summaryOf(400, call("1", "Read", `{"path":"order_store.go"}`),
		answer("1", "the row_limit of order_store\n"+strings.Repeat("rows of load_orders\n", 30)+
			"[218 more lines in file. Use offset=148 to continue]\n", false))
	require.Contains(t, out, "row_limit")
	require.NotContains(t, out, "offset=148")
}

// A prompt that only says yes gives its place to one that says more.
func TestAssentIsNoTask(t *testing.T) {
	messages := []msg.Message{msg.TextMessage(msg.User, "Use the second queue.")}
	for _, text := range []string{"OK", "continue", "계속진행", "继续。"} {
		messages = append(messages, msg.TextMessage(msg.Assistant, "The row_limit of load_orders is set."),
			msg.TextMessage(msg.User, text))
	}
	out := summaryOf(45, messages...)
	require.Contains(t, out, "Use the second queue.")
	require.NotContains(t, out, "계속진행")
	require.NotContains(t, out, "continue")
}

// Calls of which nothing is known but their inputs give their place to lines with names.
func TestSilentCallsComeLast(t *testing.T) {
	messages := []msg.Message{}
	for _, query := range []string{"alpha", "beta", "gamma", "delta"} {
		messages = append(messages, call(query, "find_page", `{"query":"`+query+`","regex":true}`), answer(query, "", false))
	}
	rows := call("r", "read_rows", `{"table":"order_store"}`)
	text := strings.Repeat("The load_orders step of night_report reads order_store with the row_limit\n", 8)
	out := summaryOf(50, append(messages, rows, answer("r", text, false))...)
	require.Contains(t, out, "night_report reads order_store")
	require.NotContains(t, out, "query=alpha")
	out = summaryOf(400, messages...)
	require.Contains(t, out, "find_page `query=alpha`")
	require.NotContains(t, out, "regex=true", "a switch")
}

// Of two new files with the same lines, the one in a folder for temporary files comes last.
func TestScriptsForOneRunComeLast(t *testing.T) {
	write := func(path, name string) msg.Message {
		return call(name, "Write", `{"file_path":"`+path+`","content":"`+name+`_rows = load_orders(row_limit)\n`+name+`_page = main_page(row_limit)"}`)
	}
	use := msg.TextMessage(msg.Assistant, "The names are alpha_rows, alpha_page, beta_rows and beta_page.")
	out := summaryOf(60, write("/tmp/beta.py", "beta"), write("/srv/shop/alpha.py", "alpha"), use)
	require.Contains(t, out, "+ alpha_page = main_page(row_limit)")
	require.NotContains(t, out, "+ beta_")
}

// A sentence that is too weak for a line takes no place in the list of repeated sentences: the next one like it came
// with an index out of range.
func TestRepeatedWeakSentences(t *testing.T) {
	for _, text := range []string{"abcdefghij klmnopqrst uvwxyz", "the quick brown fox is here 1", "说的是什么我不知道也不想知道"} {
		var messages []msg.Message
		for range 4 {
			messages = append(messages, msg.TextMessage(msg.User, "Go on."), msg.TextMessage(msg.Assistant, text))
		}
		require.NotPanics(t, func() { summaryOf(200, messages...) })
	}
}
