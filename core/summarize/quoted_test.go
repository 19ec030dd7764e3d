package summarize

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

func TestUnquotedLines(t *testing.T) {
	fill := strings.Repeat("a ", 80)
	for _, row := range []struct {
		why, text string
		want      []string
	}{
		{"lines", "one\ntwo\n", []string{"one\n", "two\n"}},
		{"a short line stays whole", `one\ntwo\nthree\nfour`, []string{`one\ntwo\nthree\nfour`}},
		{"a quoted text", fill + `\none\n\ntwo\\n  three"`, []string{strings.TrimSpace(fill), "one", "two", `three"`}},
		{"folded, as YAML does", fill + `\\n \\\n \\ one\\n two`, []string{strings.TrimSpace(fill), "one", "two"}},
		{"two breaks are not enough", fill + `\none\ntwo`, []string{fill + `\none\ntwo`}},
		{"paths of Windows", fill + `C:\new C:\nil D:\\node`, []string{fill + `C:\new C:\nil D:\\node`}},
	} {
		t.Run(row.why, func(t *testing.T) {
			require.Equal(t, row.want, slices.Collect(unquotedLines(row.text)))
		})
	}
}

// Every part is a part of the text, in order, and only backslashes, white space and the n of a break are left out.
func TestUnquotedLinesKeepTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"a", " ", `\n`, `\\n`, `\`, "n", "\n", ":", "é", strings.Repeat("x", 150)})
		text := strings.Join(rapid.SliceOf(words).Draw(t, "words"), "")
		rest := text
		for line := range unquotedLines(text) {
			before, after, found := strings.Cut(rest, line)
			require.True(t, found)
			require.Empty(t, strings.Trim(before, " \t\r\n\\n"))
			rest = after
		}
		require.Empty(t, strings.Trim(rest, " \t\r\n\\n"))
	})
}

func TestWithoutColors(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                    "plain",
		"\x1b[31mFAIL\x1b[0m a_test.go":            "FAIL a_test.go",
		"\x1b[1;38;5;3m[Router]\x1b[39m ok":        "[Router] ok",
		"\x1b[2Kerased, \x1b[ and \x1b[31 no code": "\x1b[2Kerased, \x1b[ and \x1b[31 no code",
		"\x1b[m": "",
	} {
		b := &msg.Block{Kind: msg.KindToolResult, Text: text}
		require.Equal(t, want, withoutColors(b).Text)
		require.Equal(t, text, b.Text)
	}
}

func TestWithoutFrame(t *testing.T) {
	const ended = "Chunk ID: 1ca517\nWall time: 0.1420 seconds\nProcess exited with code 0\n" +
		"Original token count: 36\nOutput:\n"
	for text, want := range map[string]string{
		ended + "row_limit\n": "row_limit\n",
		"Exit code: 1\nWall time: 0.2 seconds\nOutput:\nno row\nOutput:\nx":                               "no row\nOutput:\nx",
		"Chunk ID: 1ca517\nWall time: 5.0 seconds\nProcess running with session ID 79706\nOutput:\nready": "",
		"Wall time: 3 seconds\nOutput:\nof a program":                                                     "",
		"Chunk ID: 1ca517\nWall time: 5.0 seconds":                                                        "",
	} {
		if want == "" {
			want = text
		}
		b := &msg.Block{Kind: msg.KindToolResult, Text: text}
		require.Equal(t, want, withoutFrame(b).Text)
		require.Equal(t, text, b.Text)
	}
}
