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

func summaryOf(maxTokens int, messages ...msg.Message) string {
	c := &msg.Conversation{Messages: messages}
	return summarize.Summarize(c, msg.Span{Start: 0, End: len(messages)}, summarize.Options{MaxTokens: maxTokens})
}

func TestShortJSONBecomesValues(t *testing.T) {
	out := summaryOf(400, call("1", "get_customer", `{"customer_id":"c_7731"}`),
		answer("1", `{"customer_id":"c_7731","plan":{"max_seats":25},"tags":["key_account","eu_west"]}`, false))
	require.Contains(t, out, "customer_id=c_7731, plan.max_seats=25, tags=key_account, tags=eu_west")
	out = summaryOf(400, call("1", "get_customer", `{"customer_id":"c_7731"}`),
		answer("1", "full_name: Ada Byron\nmax_seats: 25\n", false))
	require.Contains(t, out, "full_name=Ada Byron, max_seats=25")
}

func TestShortResultsStayWhole(t *testing.T) {
	text := "package shop\n\nfunc LoadOrders(db *Store) error {\n\treturn db.loadAll()\n}"
	out := summaryOf(400, call("1", "Read", `{"path":"shop/load.go"}`), answer("1", text, false))
	require.Contains(t, out, "  package shop\n  func LoadOrders(db *Store) error {\n  \treturn db.loadAll()\n  }")
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

// An error about each file of a list is one error: its last two lines stay.
func TestAlikeErrors(t *testing.T) {
	result := ""
	for _, name := range []string{"a1", "a2", "a3", "b4", "b5"} {
		result += "ls: cannot access '/tmp/" + name + "_x': No such file or directory\n"
	}
	out := summaryOf(400, call("1", "Bash", `{"command":"ls /tmp/*_x"}`), answer("1", result+"exit code 2", false))
	require.Contains(t, out, "→ exit 2: ls: cannot access '/tmp/a1_x': No such file or directory")
	require.Contains(t, out, "b4_x")
	require.Contains(t, out, "b5_x")
	require.NotContains(t, out, "a2_x")
	require.NotContains(t, out, "a3_x")
	message := msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\n## Errors seen\n- turn 1: can't open file 'a_b' at 10\n"+
		"- turn 2: can't open file 'c_d' at 20\n- turn 3: can't open file 'e_f' at 30\n- turn 4: can't open \"e_f\" now\n")
	message.Blocks[0].Summary = true
	out = summaryOf(400, message, call("1", "Bash", `{"command":"true"}`), answer("1", "ok", false))
	require.NotContains(t, out, "a_b")
	require.Contains(t, out, "c_d")
	require.Contains(t, out, "turn 4: can't open", "an apostrophe quotes nothing")
}

func TestCommitIsItsSubject(t *testing.T) {
	out := summaryOf(400, call("1", "Bash", `{"command":"git commit -q -F - <<'EOF'\nloader: read in batches\n\nThe old batch_size `+
		`was 1.\nEOF"}`), answer("1", "", false))
	require.Contains(t, out, "git commit -q -F - <<'EOF' loader: read in batches`")
	require.NotContains(t, out, "batch_size")
}

func TestLinesReadBeforeAnEditGo(t *testing.T) {
	text := "1\tfunc LoadOrders(db *Store) error {\n2\t\treturn db.loadAll(batch_size)\n3\t}\n" +
		"4\t// the order_store has a row_limit of its own, which the caller of this function must respect in every case\n" +
		"5\t// and the session_cache has a time_limit that the caller must respect, too, unless it calls reset_cache before\n" +
		"6\t// because otherwise the stale_rows of the order_store are read again and counted twice in the night_report\n"
	read := []msg.Message{call("1", "Read", `{"path":"shop/load.go"}`), answer("1", text, false)}
	edit := call("2", "Edit", `{"path":"shop/load.go","old_string":"db.loadAll(batch_size)","new_string":"db.loadSome(row_limit)"}`)
	require.Contains(t, summaryOf(400, read...), "2: return db.loadAll(batch_size)")
	out := summaryOf(400, append(read, edit, answer("2", "ok", false))...)
	require.NotContains(t, out, "2: return db.loadAll")
	require.NotContains(t, out, "session_cache")
	require.Contains(t, out, "before the edits: func LoadOrders(db *Store) error")
	require.Contains(t, out, "`db.loadAll(batch_size)` → `db.loadSome(row_limit)`")
}

func TestOfRepeatedSentencesTheLastIsKept(t *testing.T) {
	out := summaryOf(400, msg.TextMessage(msg.Assistant, "Confirmed: 12 tests of order_store pass."),
		msg.TextMessage(msg.User, "Go on with row_limit."),
		msg.TextMessage(msg.Assistant, "Confirmed: 14 tests of order_store pass."), msg.TextMessage(msg.User, "Now session_cache."))
	require.NotContains(t, out, "12 tests")
	require.Contains(t, out, "14 tests of order_store pass.")
}

func TestWhatACorrectionTakesBackIsNoDecision(t *testing.T) {
	first := "The root cause is the missing row_limit in order_store."
	last := "Actually, the root cause is the stale session_cache of reset_cache."
	tight := func(text string) string {
		return summaryOf(52, msg.TextMessage(msg.Assistant, text), msg.TextMessage(msg.Assistant,
			"Then the night_report is next."))
	}
	require.NotContains(t, tight(first+" "+last), "row_limit")
	require.Contains(t, tight(first+" "+last), "Actually, the root cause is the stale session_cache")
}

func TestFragmentsThatWereNotAdjacentAreJoined(t *testing.T) {
	out := summaryOf(90, msg.TextMessage(msg.Assistant, "I decided to use order_store because of the row_limit. Let me look at it. "+
		"Great. The decision is to keep session_cache because of `reset_cache."), msg.TextMessage(msg.Assistant, "Then the night_report is the next step."))
	require.Contains(t, out, "row_limit. · Great. The decision is to keep session_cache because of reset_cache.")
}

func TestASpanWithoutFactsKeepsItsBestLine(t *testing.T) {
	out := summaryOf(40, call("1", "noop", `{}`), answer("1", "everything went as hoped", false))
	require.Contains(t, out, "everything went as hoped")
}
