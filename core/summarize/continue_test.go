package summarize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/summarize"
)

func call(id, tool, input string) msg.Message {
	return msg.Message{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: id, Name: tool, Text: input}}}
}

func answer(id, text string, failed bool) msg.Message {
	return msg.Message{Role: msg.User,
		Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: id, Text: text, IsError: failed}}}
}

// earlierSummary returns a message that is marked as a summary.
func earlierSummary(text string) msg.Message {
	m := msg.TextMessage(msg.User, text)
	m.Blocks[0].Summary = true
	return m
}

func summaryOf(maxTokens int, messages ...msg.Message) string {
	c := &msg.Conversation{Messages: messages}
	return summarize.Summarize(c, msg.Span{Start: 0, End: len(messages)}, summarize.Options{MaxTokens: maxTokens})
}

func TestFailedCommandKeepsItsErrorUntilItSucceeds(t *testing.T) {
	run := call("1", "Bash", `{"command":"cd shop &&\ngo vet ./loader_test"}`)
	failed := answer("1", "loader_test/load.go:7:2: error: undefined loadAll\nexit status 1", true)
	filler := msg.TextMessage(msg.Assistant, "I decided to use batch_size and max_seats, because of the row_limit.")
	out := summaryOf(110, run, failed, filler)
	require.Contains(t, out, "`cd shop && go vet ./loader_test` → ")
	require.Contains(t, out, "error: undefined loadAll")
	again := call("2", "Bash", `{"command":"cd shop &&\ngo vet ./loader_test"}`)
	out = summaryOf(110, run, failed, filler, again, answer("2", "no problems in loader_test", false))
	require.NotContains(t, out, "undefined loadAll")
}

// Many tools report an error as JSON and leave the error flag unset.
func TestErrorsInJSON(t *testing.T) {
	for _, test := range []struct{ why, text, outcome, line string }{
		{"a text", `{"success":false,"error":"row_limit is over max_rows"}`, "failed", "row_limit is over max_rows"},
		{"an object", `{"error":{"code":-32000,"message":"no order_store"}}`, "failed", "no order_store"},
		{"an exit code and stderr", `{"stdout":"","stderr":"Traceback (most recent call last):\n  File \"load.py\"\nKeyError: 'row_limit'",` +
			`"exit_code": 1}`, "exit 1", "KeyError: 'row_limit'"},
		{"of JavaScript", `{"exitCode":2,"stderr":"load.js: no order_store"}`, "exit 2", "load.js: no order_store"},
		{"none", `{"error":null,"rows":12,"stderr":"a warning about row_limit"}`, "", ""},
		{"an empty text", `{"error":"","rows":12}`, "", ""},
		{"success", `{"success":true,"error":"0 rows have a row_limit"}`, "", ""},
		{"no JSON", `{"error":"the row_limit`, "", ""},
	} {
		out := summaryOf(400, call("1", "execute", `{"command":"load --all order_store"}`), answer("1", test.text, false))
		if test.outcome == "" {
			require.NotContains(t, out, "Errors seen", test.why)
			require.NotContains(t, out, "→ failed", test.why)
			continue
		}
		require.Contains(t, out, "`load --all order_store` → "+test.outcome+": "+test.line, test.why)
		require.NotContains(t, out, "Errors seen", "the error is not said twice")
	}
	out := summaryOf(400, call("1", "Read", `{"path":"texts/en.json"}`), answer("1", `{"error":"Something in row_limit failed"}`, false))
	require.NotContains(t, out, "Errors seen", "a file with a member error")
}

func TestAFailureHasItsReason(t *testing.T) {
	find := call("1", "Bash", `{"command":"find order_store -name '*.csv'"}`)
	out := summaryOf(400, find, answer("1", "find: order_store: unknown volume", true))
	require.Contains(t, out, "→ failed: find: order_store: unknown volume")
	require.NotContains(t, out, "Errors seen")
	long := "order_store has no such volume in " + strings.Repeat("any of the regions ", 9) + "at all"
	out = summaryOf(400, find, answer("1", long, true))
	require.Contains(t, out, "→ failed: order_store has no such volume")
	require.Contains(t, out, "Errors seen\n- turn 2: "+long, "a line that the head cuts")
	out = summaryOf(400, find, answer("1", "a first line\nTraceback (most recent call last):\nKeyError: 'row_limit'\nexit code 3", false))
	require.Contains(t, out, "→ exit 3: KeyError: 'row_limit'")
}

func TestFragmentsThatWereNotAdjacentAreJoined(t *testing.T) {
	filler := "I read on " + strings.Repeat("and on ", 20) + "and look at more of it. "
	out := summaryOf(90, msg.TextMessage(msg.Assistant, "I decided to use order_store because of the row_limit. "+filler+
		"The decision is to keep session_cache because of reset_cache."), msg.TextMessage(msg.Assistant, "Then the night_report is the next step."))
	require.Contains(t, out, "row_limit. · The decision is to keep session_cache because of reset_cache.")
}

func TestASpanWithoutFactsKeepsItsBestLine(t *testing.T) {
	out := summaryOf(40, call("1", "noop", `{}`), answer("1", "everything went as hoped", false))
	require.Contains(t, out, "everything went as hoped")
}
