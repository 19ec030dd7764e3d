package summarize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPieces(t *testing.T) {
	for _, test := range []struct {
		why, line string
		want      []string
	}{
		{"a short line", "  one two", []string{"one two"}},
		{"after a comma", `{"first_id": 10, "second_id": 2}`, []string{`{"first_id": 10,`, `"second_id": 2}`}},
		{"after a space", "alpha beta gamma delta epsilon", []string{"alpha beta gamma", "delta epsilon"}},
		{"one long word", strings.Repeat("ä", 45), []string{strings.Repeat("ä", 20), strings.Repeat("ä", 20),
			strings.Repeat("ä", 5)}},
	} {
		var got []string
		pieces(test.line, 20, func(s string) { got = append(got, s) })
		require.Equal(t, test.want, got, test.why)
	}
}

// The pieces have all letters of the line in their order, and none is longer than the limit.
func TestPiecesKeepTheLine(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(c rune) rune {
			if strings.ContainsRune(" \t\n,;", c) {
				return -1
			}
			return c
		}, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.SampledFrom([]rune("ab c\t,;}]ä漢")), 0, 300, -1).Draw(t, "line")
		n := rapid.IntRange(1, 60).Draw(t, "n")
		var all strings.Builder
		pieces(line, n, func(s string) {
			require.LessOrEqual(t, utf8.RuneCountInString(s), n)
			all.WriteString(s)
		})
		require.Equal(t, letters(line), letters(all.String()))
	})
}
