package bpe_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/tokens/bpe"
)

// hostile are texts of one piece, or a few, which need many merge steps.
var hostile = []struct {
	name string
	make func(n int) string
}{
	{"a", times("a")},
	{"spaces", times(" ")},
	{"emoji", times("😀")},
	{"bytes", func(n int) string {
		r := rand.New(rand.NewPCG(1, 2))
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}},
	{"ab", times("ab")},
	{"newlines", times("\n")},
	{"tabs and newlines", times("\t\n")},
	{"dashes", times("-")},
	{"zeros", times("\x00")},
	{"digits", times("7")},
	{"one character", times("的")},
	{"marks", times("\u0301")},
	{"marks out of order", times("\u0301\u0327")},
	{"bad bytes", times("\xff")},
	{"capitals after a modifier", func(n int) string { return "ʰ" + strings.Repeat("A", n) }},
	{"spaces after a newline", func(n int) string { return "\n" + strings.Repeat(" ", n) + "x" }},
	{"letters", random("etaoinshrdlu")},
	{"two letters", random("ab")},
	{"punctuation", random("!#$%&()*+,-./:;<=>?@[]^_{|}~")},
	{"Chinese", random("的一是不了在人有我他这个们中来上大为和国")},
	{"Thai", random("กขคงจฉชซดตถทธนบปผฝพฟมยรลวศษสหอ")},
}

func times(unit string) func(int) string {
	return func(n int) string { return strings.Repeat(unit, n/len(unit)) }
}

func random(from string) func(int) string {
	return func(n int) string {
		r, runes := rand.New(rand.NewPCG(3, 4)), []rune(from)
		var b strings.Builder
		for b.Len() < n {
			b.WriteRune(runes[r.IntN(len(runes))])
		}
		return b.String()
	}
}

var names = []string{"o200k_base", "cl100k_base"}

func open(t testing.TB, name string) *bpe.Vocabulary {
	file, err := os.ReadFile("../vocab/" + name + ".bin")
	require.NoError(t, err)
	v, err := bpe.Load(file)
	require.NoError(t, err)
	return v
}

// TestBounds bounds the steps of merging for each byte, in texts of 32 KB and of 1 MB (the first four) or 128 KB: at
// most 128, and hardly more in the longer text.
func TestBounds(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := open(t, name)
			worst := 0
			for i, h := range hostile {
				steps := func(n int) int {
					c := v.Counter()
					c.Count(h.make(n))
					return c.Work() / (n >> 10) // for each 1024 bytes
				}
				large := 1 << 17
				if i < 4 && !convtest.Fewer() {
					large = 1 << 20
				}
				short, long := steps(1<<15), steps(large)
				require.LessOrEqual(t, long, 128<<10, h.name)        // 128 steps a byte
				require.LessOrEqual(t, long, short*3/2+1024, h.name) // log 1M is 4/3 of log 32K
				worst = max(worst, long)
			}
			t.Logf("at most %d steps a byte", worst>>10)
		})
	}
}

// TestHostileSplit: counting and splitting agree where the piece is long, and the tokens are the text.
func TestHostileSplit(t *testing.T) {
	for _, name := range names {
		c := open(t, name).Counter()
		for _, h := range hostile {
			text := h.make(1 << 15)
			n, last := 0, 0
			for id, end := range c.Split(text) {
				token, ok := c.Token(id)
				require.True(t, ok)
				if h.name != "bytes" && h.name != "bad bytes" {
					require.Equal(t, text[last:end], token)
				}
				last = end
				n++
			}
			require.Equal(t, len(text), last)
			require.Equal(t, n, c.Count(text), "%s: %s", name, h.name)
		}
	}
}

// Counting allocates memory for the counter only, not for the text.
func TestNoAllocation(t *testing.T) {
	text := strings.Repeat("The quick brown fox said: don't! 12345 天气很好 привет мир 😀\n\t\treturn x.y(z)\n", 50)
	for _, name := range names {
		c := open(t, name).Counter()
		c.Count(text)
		require.Zero(t, testing.AllocsPerRun(10, func() { c.Count(text) }))
	}
}
