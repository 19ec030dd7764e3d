package estimate

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEstimateOfShortTexts(t *testing.T) {
	for _, c := range []struct {
		text     string
		min, max int
		why      string
	}{
		{"", 0, 0, "an empty text has no tokens"},
		{"a", 1, 2, "any other text has at least one token"},
		{"\xff", 1, 2, "an invalid byte too"},
		{"hello world", 2, 3, "common words are one token"},
		{"Hello, world! How are you today?", 9, 10, "so are punctuation marks"},
		{"123456789012", 4, 4, "digits go by three, exactly"},
		{strings.Repeat(" ", 40), 1, 2, "a run of spaces is one token"},
		{"don't we're it's", 3, 7, "contractions stay with the word"},
		{"getHTTPServerName", 3, 6, "camel case is split"},
		{"ab中文 слово 😀\t\n", 4, 12, "scripts may follow each other"},
		{"\\n\\nfoo\\tbar", 4, 7, "escapes of JSON are tokens"},
		{"中文", 1, 2, "Chinese costs a token a rune, or less"},
		{"━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━", 1, 10, "a drawn rule is cheap"},
	} {
		got := Count(c.text)
		require.GreaterOrEqual(t, got, c.min, "%q: %s", c.text, c.why)
		require.LessOrEqual(t, got, c.max, "%q: %s", c.text, c.why)
	}
}

// Regression: a million characters of base64, and other runs without a break, were counted at a quarter of their
// tokens.
func TestLongRuns(t *testing.T) {
	const n = 1 << 20
	seed := uint64(1)
	random := make([]byte, n/4*3)
	for i := range random {
		seed = seed*6364136223846793005 + 1442695040888963407
		random[i] = byte(seed >> 33)
	}
	code := base64.StdEncoding.EncodeToString(random)
	for _, c := range []struct {
		name, text string
		min, max   int // permille of the characters
	}{
		{"base64", code, 660, 760},
		{"base64 in lines", strings.Join(split(code, 76), "\n"), 660, 760},
		{"one letter", strings.Repeat("a", n), 50, 600},
		{"spaces", strings.Repeat(" ", n), 1, 60},
		{"newlines", strings.Repeat("\n", n), 1, 300},
		{"tabs", strings.Repeat("\t", n), 1, 300},
		{"digits", strings.Repeat("7", n), 333, 334},
		{"emoji", strings.Repeat("🦀", n/4), 500, 3000},
		{"punctuation", strings.Repeat("=", n), 1, 300},
		{"mixed punctuation", strings.Repeat("{[(<", n/4), 100, 1000},
		{"invalid bytes", strings.Repeat("\xfe", n), 500, 3000},
		{"Cyrillic", strings.Repeat("ж", n), 100, 1100},
		{"apostrophes", strings.Repeat("a's", n/3), 300, 1000},
	} {
		got := Count(c.text) * 1000 / utf8.RuneCountInString(c.text)
		require.GreaterOrEqual(t, got, c.min, c.name)
		require.LessOrEqual(t, got, c.max, c.name)
	}
}

func split(s string, n int) []string {
	var list []string
	for ; len(s) > n; s = s[n:] {
		list = append(list, s[:n])
	}
	return append(list, s)
}

func anyText(t *rapid.T, name string) string {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[a-zA-Z' ]{0,30}`),
		rapid.StringMatching(`[\t\n\r ]{0,9}[{}()\[\]"\\=*.;]{0,12}[nrt]?`),
		rapid.SampledFrom([]string{"中文字符", "ひらがな", "한국어", "слово", "مرحبا", "größer", "👩‍💻", "━━━", "\u00a0", "\u2028"}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) }),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, name), "")
}

func TestEstimateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyText(t, "a"), anyText(t, "b")
		na, nb, both := Count(a), Count(b), Count(a+b)
		require.Equal(t, na, Count(strings.Clone(a)), "the same text, the same count")
		require.Equal(t, a == "", na == 0, "only the empty text has no tokens")
		require.LessOrEqual(t, na, len(a), "at most one token a byte")
		require.LessOrEqual(t, both, na+nb+nb/3+24, "joining two texts adds few tokens")
		require.GreaterOrEqual(t, both+8, (na+nb)/2, "and saves few")
	})
}

// Trace and Count agree: the units cover the text without a gap and add up to the count.
func TestTraceCoversTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t, "text")
		at, sum := 0, 0
		n := Trace(&fitted, text, func(u Unit) {
			require.Equal(t, at, u.Start)
			require.LessOrEqual(t, u.Start, u.End)
			at = u.End
			cost := u.N * int(fitted.Weights[u.Cell])
			if u.Cell >= cellScriptWord && u.Cell < cellRune {
				cost = min(cost, (u.End-u.Start)*WeightOfOne)
			}
			sum += cost
		})
		require.Equal(t, len(text), at)
		require.Equal(t, n, (sum+WeightOfOne-1)/WeightOfOne)
		require.Equal(t, min(n, len(text)), Count(text))
	})
}

func TestEstimateAllocatesNothing(t *testing.T) {
	text := strings.Repeat("func main() { fmt.Println(\"hello, 世界\") } // größer 😀\n", 50)
	require.Zero(t, testing.AllocsPerRun(5, func() { Count(text) }))
}
