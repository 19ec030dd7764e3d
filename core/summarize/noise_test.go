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

// What a sentence only announces is in the summary as what came of it, also if it speaks of a plan or an approach.
func TestAnAnnouncementIsNoFinding(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "Let me try a different approach here, and look at it once more. "+
		"Now let me read the whole plan before anything else is done. Let me keep order_store, because of the row_limit."),
		msg.TextMessage(msg.Assistant, "Then the night_report is the next one."))
	require.Contains(t, out, "Let me keep order_store, because of the row_limit.")
	require.NotContains(t, out, "approach")
	require.NotContains(t, out, "the whole plan")
}
