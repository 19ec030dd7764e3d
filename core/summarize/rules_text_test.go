package summarize

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// TestRulesOfTexts lists what each rule makes of a text.
func TestRulesOfTexts(t *testing.T) {
	x := strings.Repeat
	in := func(f func(*msg.Block) *msg.Block) func(string) string {
		return func(s string) string { return f(&msg.Block{Kind: msg.KindToolResult, Text: s}).Text }
	}
	for _, row := range []struct {
		rule string
		is   func(string) string
		rows [][2]string
	}{
		{"clipAtSpace 10", func(s string) string { return clipAtSpace(s, 10) }, [][2]string{
			{"", ""}, {"abcdef ghi", "abcdef ghi"}, {"abcdef ghij", "abcdef gh…"}, {"abcdefg hij", "abcdefg…"},
			{"abcdefgh ij", "abcdefgh…"},
			{"abcdefghijk", "abcdefghi…"}, {"日本語日本語", "日本語日本語"}, {"日本語日本語日本語日", "日本語日本語日本語…"}, {"日本語日本語日本語", "日本語日本語日本語"}}},
		{"approxTokens", func(s string) string { return strconv.Itoa(approxTokens(s)) }, [][2]string{
			{"", "2"}, {x("a", 34), "12"}, {"日本語", "5"}, {"éé", "3"}, {"日本語" + x("a", 34), "15"}}},
		{"Read 2", func(s string) string {
			summary, cut, why := Read(s, 2, 3, func(s string) int { return len(s) / 4 })
			return summary + "|" + strconv.FormatBool(cut) + string(why)
		}, [][2]string{{" ", "|false" + string(Empty)}, {"abcd", "abcd|false"}, {"abcdefghijk", "abcdefghijk|false"},
			{"abcdefghijkl", "abcdefghijk|true"}, {"\xff", "\uFFFD|false"}}},
		{"ShortenToTokens 12", func(s string) string {
			return ShortenToTokens(s, 12, func(s string) int { return len(s) })
		}, [][2]string{{"One two. Th rest", "One two."}, {"One two? Th rest", "One two?"},
			{"One two.\nTh rest", "One two."},
			{"One tw\nTh th rest", "One tw"}, {"日本。 a b cd", "日本。"}, {"One two.th t rest", "One two.th"},
			{"One. Two th three", "One. Two th"}, {"One two thr.", "One two thr."}, {"Onetwo threefour", "Onetwo"}}},
		{"Read 0", func(s string) string {
			summary, cut, why := Read(s, 0, 2, func(s string) int { return len(s) })
			return summary + "|" + strconv.FormatBool(cut) + string(why)
		}, [][2]string{{"abcd", "|true" + string(Empty)}}},
		{"Read 8", func(s string) string {
			summary, cut, why := Read(s, 8, 2, func(s string) int { return len(s) })
			return summary + "|" + strconv.FormatBool(cut) + string(why)
		}, [][2]string{{"a", "a|false"}, {"ab", "|false" + string(TooLarge)}, {"abcdefghi", "|true" + string(TooLarge)}}},
		{"oneLine", oneLine, [][2]string{{" a ", "a"}, {"a\nb", "a b"}, {"a\tb", "a b"}, {"a  b", "a b"}, {"a b", "a b"}}},
		{"shortLine 2", func(s string) string { return shortLine(s, 2) }, [][2]string{
			{"ab", "ab"}, {"abc", "a…"}, {x(" ", 15) + "é", ""}, {x(" ", 14) + "é", "é"}, {x("\x80", 20), ""},
			{x("\x80", 17), ""}}},
		{"lineNumber", func(s string) string { return strconv.Itoa(int(lineNumber(s))) }, [][2]string{
			{"", "0"}, {"12: a", "12"}, {":", "0"}, {"12", "0"}, {"1a:", "0"}, {"1234567:", "1234567"}, {"12345678:", "0"},
			{"0: a", "0"}, {"9:", "9"}}},
		{"declarationHead", declarationHead, [][2]string{{"func a() {", "func a()"}, {"def a(x):", "def a(x)"},
			{"x = ", "x"}}},
		{"splitLineNumber", func(s string) string { n, code := splitLineNumber(s); return n + "|" + code }, [][2]string{
			{"  12→ a", "12| a"}, {"12\ta", "12|a"}, {"12: a", "12|a"}, {"12:a", "12|a"}, {"12|a", "12|a"}, {"12 a", "|12 a"},
			{"  12", "|  12"}}},
		{"splitRange", func(s string) string { a, b := splitRange(s); return a + " " + b }, [][2]string{
			{"ab:5", "ab 5"}, {"a:5", "a:5 "}, {"ab:5-6,8+2", "ab 5-6,8+2"}, {"ab:x5", "ab:x5 "}, {"ab:5x", "ab:5x "},
			{"a://b:5", "a://b:5 "},
			{"ab:5-", "ab:5- "}, {"ab", "ab "}}},
		{"normalizeToolName", normalizeToolName, [][2]string{
			{"mcp__a__Read_File", "readfile"}, {"__Read-it", "readit"}, {"a_b", "ab"}, {"Read", "read"}}},
		{"commandTitle", func(s string) string { a, b := commandTitle(s); return a + "|" + b }, [][2]string{
			{"make", "make|"}, {"make\nall\n", "make all|all\n"},
			{x("a", 99) + "\nb", x("a", 99) + " b|b"},
			{x("a", 100) + "\nb", x("a", 100) + "|b"}}},
		{"firstTextLine", firstTextLine, [][2]string{
			{"", ""}, {"1234\n====abcde\n--abcde\nExit code 1 abc\n abcde \nabcdef", "abcde"}, {"abcd", ""}}},
		{"changedLines", func(s string) string {
			a, b, _ := strings.Cut(s, "|")
			old, added := changedLines(change{a, b})
			return strings.Join(old, "\n") + "|" + strings.Join(added, "\n")
		}, [][2]string{
			{"a\nb\nc|a\nx\nc", "b|x"}, {"a|a", "|"}, {"a\nb|a", "b|"}, {"a|a\nb", "|b"}, {"b\na|a", "b|"}, {"a|b\na", "|b"},
			{"|a\n \n\r\nb \r\n", "|a\nb "},
			{"a\na|a", "a|"}, {"a|a\na", "|a"}, {"|", "|"}}},
		{"rejection", rejection, [][2]string{
			{"no", ""}, {rejected, rejected + "."}, {rejected + ". the user said: \n", rejected + "."},
			{rejected + ". the user said:\nUse  it.", rejected + ": Use it."}}},
		{"jsonError", jsonError, [][2]string{
			{"", ""}, {`{"error":"none"}`, ""}, {`{"error":"no table"}`, "no table"},
			{`{"error":{"message":"no table"}}`, "no table"},
			{`{"error":{"message":5}}`, ""}, {`{"error":"no table","success":true}`, ""}, {`{"stderr":"no table"}`, ""},
			{`{"stderr":"no table","success":false}`, "no table"}, {`{"stderr":"no table","exit_code":1}`, "no table"},
			{`{"stderr":"no table","exit_code":0}`, ""}, {`["error"]`, ""}, {`{"error":"no table"`, ""},
			{`{"error":"other","stderr":"no table","success":false}`, "other"},
			{`{"error":"Traceback (most recent call last):\nValueError: x"}`, "ValueError: x"},
			{`{"error":"first line\nTypeError: x\nKeyError: y"}`, "TypeError: x"},
			{`{"error":"no table","x":"` + x("x", 1<<16-27) + `"}`, "no table"},
			{`{"error":"no table","x":"` + x("x", 1<<16-26) + `"}`, ""}}},
		{"reasonOf", reasonOf, [][2]string{
			{"Traceback (most recent call last):\nValueError: x", "ValueError: x"}, {"first line\nsecond", "first line"},
			{"", ""},
			{"Traceback (most recent call last):\nx", "Traceback (most recent call last):"}}},
		{"outcome", func(s string) string {
			text, failed := strings.CutPrefix(s, "!")
			how, _ := outcome(&msg.Block{Kind: msg.KindToolResult, Text: text, IsError: failed}, "")
			return how
		}, [][2]string{
			{"", ""}, {" ok ", "ok"}, {"a\nb", ""}, {x("a", 80), x("a", 80)}, {x("a", 81), ""}, {"exit code 2", "exit 2"},
			{"exit code 0", "exit code 0"},
			{"exit code 2\nabcdef", "exit 2: abcdef"}, {"!abcdef", "failed: abcdef"}, {"!12", "failed"},
			{"= 1 passed =\n= 2 passed =", "2 passed"},
			{"!= 1 failed =", "failed, 1 failed"}, {"exit code 1\n= 1 failed =", "exit 1, 1 failed"}}},
		{"ExitCode", func(s string) string { n, ok := ExitCode(s); return strconv.Itoa(n) + strconv.FormatBool(ok) },
			[][2]string{
				{"exit code 12", "12true"}, {"Exit Code: 1", "1true"}, {`"exit_code": 3`, "3true"}, {"exit code x", "0false"},
				{"exit code 1234", "0false"}, {"exit code 123", "123true"},
				{"exit code 1 exit code 2", "2true"}, {"exit status 4, exit code x", "4true"},
				{x("a", 400) + "exit code 1", "1true"},
				{"exit code 1" + x("a", 800), "1true"}, {x("a", 389) + "exit code 1" + x("b", 400), "1true"},
				{x("a", 390) + "exit code 12" + x("b", 400), "0false"}, {x("a", 391) + "exit code 12" + x("b", 388), "12true"}}},
		{"withoutColors", in(withoutColors), [][2]string{{"a\x1b[1;2mb", "ab"}, {"a\x1b[b", "a\x1b[b"},
			{"\x1b[m\x1b[0m", ""}}},
		{"withoutReminders", in(withoutReminders), [][2]string{
			{"a", "a"}, {"a<system-reminder>b</system-reminder>c", "ac"}, {"<system-reminder>b</system-reminder>", ""},
			{"a<system-reminder>b", "a<system-reminder>b"},
			{"a<system-reminder>b</system-reminder>c<system-reminder>d", "ac<system-reminder>d"},
			{"a</system-reminder>", "a</system-reminder>"}}},
		{"createdTask", func(s string) string {
			id, subject, ok := createdTask(s)
			return id + "|" + subject + strconv.FormatBool(ok)
		}, [][2]string{
			{"Task #3 created successfully: a", "3|atrue"}, {"Task #x created successfully: a", "x|afalse"},
			{"Task #3", "3|false"}, {"a", "|false"}}},
		{"pythonString",
			func(s string) string { a, b, ok := pythonString(s); return a + "|" + b + strconv.FormatBool(ok) }, [][2]string{
				{"", "|false"}, {"a", "|false"}, {"'a'b", "a|btrue"}, {`"a'b"c`, "a'b|ctrue"},
				{`'a\n\t\r\\\'\"\x`, "a\n\t\r\\'\"\\x|true"}, {`'a\`, `a\|true`}}},
		{"stringEnd", func(s string) string { return strconv.Itoa(stringEnd(s)) }, [][2]string{
			{`"a"`, "2"}, {`"a`, "2"}, {`"a\"b"`, "5"}, {`"a\`, "3"}, {`"`, "1"}, {`""`, "1"}}},
		{"actions", func(s string) string {
			var g group
			g.kind = groupFile
			g.addActions(s)
			return g.headText()
		}, [][2]string{{"read ×2", " (read ×2)"}, {"used", " (used)"}, {"read ×1000", " (read ×1000)"},
			{"read ×1001", " (read)"}, {"read ×0", " (read)"},
			{"x", " (not changed: the edit failed)"}, {"edited, deleted", " (edited, deleted)"}}},
		{"readFocus", func(s string) string { return strings.Join(readFocus(s).words, "|") }, [][2]string{
			{"", ""}, {"解析、改善，確認　以上", "解析|改善|確認|以上"}, {"ああ゠いい", "ああ゠いい"},
			{"The Parser, and the file_name.", "parser|file_name"},
			{"abc abcd about", "abcd"}, {x("word ", 30), strings.TrimSuffix(x("word|", 24), "|")}}},
	} {
		for _, pair := range row.rows {
			require.Equal(t, pair[1], row.is(pair[0]), "%s %q", row.rule, pair[0])
		}
	}
}
