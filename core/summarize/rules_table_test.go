package summarize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRulesOfLines lists lines that each rule accepts, and lines that are close to them.
func TestRulesOfLines(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, row := range []struct {
		rule    string
		is      func(string) bool
		yes, no []string
	}{
		{"isDeclaration", isDeclaration,
			[]string{"func a()", "\tfunc a()", "const a = 1", "export const a", "type A struct {", "let a", "#define A",
				"def(x)", "var<x"},
			[]string{"", "funcs a()", "func", "func ", " const a", "\tlet a", " var a", " static a", " describe(",
				"export { a }",
				"export * from", "(func a", "fn"}},
		{"isFailure", isFailure, []string{"panic: x", " \tFAIL x", "FAIL\tx", "not ok 1", "✗ a", "fatal:" + x(994)},
			[]string{"", " ", "FAILx", "Fatal: x", "a panic: x", "fatal:" + x(995)}},
		{"isErrorLine", isErrorLine,
			[]string{"error: x", "Error: x", "TypeError: bad", "a.ts(3,4): error TS2345", "a error: x", "npm ERR! x",
				"x command not found",
				"a.go:1:2: error ab", "E_error: ab", "error: " + x(993)},
			[]string{"", "rror", "rror: x", "xrror: x", "error", "error:", "error: ", "error:xx", "an error here",
				"f(error: string)", "a.go:1:2: error a", "(a, error: b)",
				"error: x,", "error: x, ", "my_aerror x", "a: error 12", "a; error TS", "a terror: x", "a aerror: x",
				"a.go: error 12", "# x command not found",
				"\"x is not defined", "'x is not defined", "+x is not defined", "error: " + x(994), "no: error"}},
		{"isTestLine", isTestLine,
			[]string{"PASS", "FAIL", "ok  \ta", "Tests: 1", "12 passed", "1 tests pass", "3 problems (", "x 1/0 fail",
				"BUILD x", "1 passed" + x(292)},
			[]string{"", "PAS", "passed", " passed 12", "a passed", "ok a", "no passed 12", "1 passed" + x(293), "xPASS"}},
		{"IsName", IsName,
			[]string{"parseFile", "a_bc", "$abc", "abc$", "ABCDE", "a1Bc", "ab_c1", "aBc1", x(79) + "B"},
			[]string{"", "aBc", "a_b", "_abc", "abc_", "ABCD", "ABCDe", "Abcd", "1234", "a_12", "A1_2", "abcd", x(80) + "B"}},
		{"isDotted", isDotted, []string{"os.environ", "ab.cd", "a.b.c", x(40) + "." + x(39)},
			[]string{"a.bc", "abcde", ".abcd", "ab..cd", "ab.Cd", "ab.c1", "ab-cd.e", "Ab.cd", x(40) + "." + x(40), "ab.c{",
				"ab.c`"}},
		{"isHash", isHash,
			[]string{"abc1234", "1234abc", "a123456", "abcdef12", "12345678-1234-1234-1234-123456789012",
				"abcdef12" + strings.Repeat("a", 120)},
			[]string{"", "abc123", "1234567", "abcdefa", "abc123g", "12345678-1234-1234-1234-1234567890123",
				"12345678-1234-1234-12345678901234567", "abcdef12" + strings.Repeat("a", 121),
				"12345678-1234-1234-1234-1234567890-2", "abc-1234"}},
		{"isPath", isPath,
			[]string{"a/b/c", "~/ab", "./ab", "ab/c.d", "/abcd", "ab_c/d", "ab-c/d", "ab@c/d", "abc/"},
			[]string{"", "a/b", "abc/d", "/abc", "a//b/c", "1/2/3", "a/2/3", "ab/.c", "abc//", "/123"}},
		{"isScheme", isScheme, []string{"ab", "a1", "a+b", "a-1", "A1", "Zz", x(20)}, []string{"", "a", "1a", "+a", "a.b",
			"a_b", x(21), "@a", "[a", "`a", "{a"}},
		{"isFileName", isFileName, []string{"a.go", "a-b_c$.go"}, []string{"a..go", "a+b.go", "a/b.go", "@a.go"}},
		{"hasText", hasText, []string{"abcde", "a b c d e", "ééé日本", "Zzzzz", "abcd日"},
			[]string{"", "abcd", "12345 abcd", "€€€", "——————", "[[[[[", "@@@@@", "{{{{{", "`````"}},
		{"isFence", isFence, []string{"```", "  ```go\n"}, []string{"", "``", "``` a `", "a ```"}},
		{"isTitle", isTitle, []string{":", "Root cause:", "原因："}, []string{"", "a: b"}},
		{"isDecision", isDecision, []string{"because of it", "Root Cause is", "it’s because", "原因是", "I’ll use"},
			[]string{"", "because:", "xbecause", "becauses", "because_of", "I use"}},
		{"isFinding", isFinding, []string{"it works", "Fixed", "修复"}, []string{"", "works:", "修复：", "networks", "it work"}},
		{"isFiller", isFiller, []string{"Great!", "好的"}, []string{"", "A great", "le"}},
		{"isAnnouncement", isAnnouncement, []string{"let me", "Now let me read the plan"}, []string{"", "They let me"}},
		{"isShort", isShort, []string{"a b c", "Still running.", x(29)}, []string{"a b c d", x(30)}},
		{"isPlan", isPlan, []string{"Next we", "it is next", "下一步"}, []string{"", "nexts", "_next", "1next"}},
		{"isTaskID", isTaskID, []string{"1", "123456789"}, []string{"", "1234567890", "1a", "x"}},
		{"isFailedHead", isFailedHead, []string{"`a` → exit 1", "`a` → failed"}, []string{"", "`a` → ok", "exit 1",
			"failed"}},
		{"HasUnit", HasUnit, []string{"1s", "12.5"}, []string{"", "1", "12", "s"}},
		{"hasFailure", hasFailure, []string{"panic: x", "a\n  FAIL x\nb", "\t--- FAIL", "a\r\nfatal: x\r\n",
			x(1<<20-9) + "\nfatal: a"},
			[]string{"", "\n\n", " ", "a panic: x", "ok", x(1<<20-8) + "\nfatal: a"}},
		{"mayHaveExit", mayHaveExit, []string{"xi", "EXIT", "x\xc4"}, []string{"", "x", "ix", "x i"}},
		{"endsSection", endsSection, []string{"#", "## a", "[part 1"}, []string{"", " #", "[part"}},
		{"unquoted line number", func(s string) bool { n, _ := splitLineNumber(s); return n != "" },
			[]string{"1→", "  12\ta", "12|a", "12: a", "12:a", "1234567→a"}, []string{"", " ", "12", "→a", "12345678→a",
				"12-a", "a12→", "/→", ";→"}},
		{"isURL byte", func(s string) bool { return urlEnd(s, 0) == len(s) }, []string{"", "a/b?c=d#e&f,g;h:i@j~!*", "!",
			"~"},
			[]string{" ", "a\"", "a)", "a]", "a|", "a^", "\x80"}},
	} {
		for _, line := range row.yes {
			require.True(t, row.is(line), "%s %q", row.rule, line)
		}
		for _, line := range row.no {
			require.False(t, row.is(line), "%s %q", row.rule, line)
		}
	}
}
