//go:build !js

package bpe_test

import (
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/require"

	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
)

// both is a vocabulary and the reference with the same tokens.
type both struct {
	name      string
	ours      *bpe.Vocabulary
	reference *tiktoken.Tiktoken
}

var load = sync.OnceValue(func() (loaded []both) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	for _, name := range vocab.Names() {
		loaded = append(loaded, both{name, must(vocab.Load(name)), must(tiktoken.GetEncoding(name))})
	}
	return loaded
})

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// agree compares token for token.
func (b both) agree(t require.TestingT, text string) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	ours := b.ours.Counter()
	want := b.reference.EncodeOrdinary(text)
	got := make([]int, 0, len(want))
	last := 0
	for id, end := range ours.Split(text) {
		require.LessOrEqual(t, last, end)
		last = end
		got = append(got, id)
	}
	require.Equal(t, len(text), last)
	if !equal(want, got) {
		k := 0
		for k < len(want) && k < len(got) && want[k] == got[k] {
			k++
		}
		require.Failf(t, "tokens differ", "%s at token %d, after %q: want %q, got %q", b.name, k,
			b.reference.Decode(want[max(0, k-5):k]), b.reference.Decode(want[k:min(len(want), k+5)]),
			b.reference.Decode(got[k:min(len(got), k+5)]))
	}
	require.Equal(t, len(want), ours.Count(text))
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func each(t *testing.T, run func(t *testing.T, b both)) {
	for _, b := range load() {
		t.Run(b.name, func(t *testing.T) { run(t, b) })
	}
}

func TestTable(t *testing.T) {
	each(t, func(t *testing.T, b both) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) { b.agree(t, c.text) })
		}
	})
}

// TestHostile compares on long merges; the reference takes time with the square of their length.
func TestHostile(t *testing.T) {
	each(t, func(t *testing.T, b both) {
		t.Parallel()
		for _, h := range hostile {
			for _, n := range []int{90, 100, 333, 3000} { // on both sides of maxShort
				b.agree(t, h.make(n))
			}
		}
	})
}

var cases = []struct{ name, text, why string }{
	{"empty", "", "no token"},
	{"words", "Hello, world! How are you?", ""},
	{"contractions", "I'm DON'T we'Ll 's x'ſ they've 'RE it'd 'K", "ASCII letters fold, U+017F and U+212A do not"},
	{"blanks", "a  b   c\n\n  d \t\n x \r\n\r\n ", "the last blank belongs to the word"},
	{"trailing", "x   ", "at the end all blanks are one piece"},
	{"nbsp", "a\u00a0b \u3000\u2028x\u0085y", "white space beyond ASCII"},
	{"numbers", "1234567 ٣٤٥٦ ½¼²³ 12a", "three at a time"},
	{"cases", "HTTPServer XMLHttpRequest aBC ABc A あAB aあB ABあcd", "capitals and lower case part in o200k"},
	{"title", "ǅ ǅa aǅ", "title case counts as a capital"},
	{"modifier", "ʰa aʰ Aʰ AʰB AʰBc", "a modifier letter is both"},
	{"marks", "e\u0301 \u0301a !\u0301 !!\u0301 \u0301\u0301A A\u0301B", "a mark is not a letter in cl100k"},
	{"punctuation", "//\n/\n//a !!\r\n( foo) ::/\r/ -> =>\n", "o200k takes slashes like newlines"},
	{"invalid", "a\xffb\xc3 \xe4\xb8 \xed\xa0\x80 \xf0\x9f\x98", "each bad byte is U+FFFD"},
	{"replacement", "\ufffd\xff\ufffd", "U+FFFD in the text is itself"},
	{"special", "<|endoftext|> <|fim_prefix|>", "names of special tokens are text"},
	{"zero", "\x00\x00\x01 a\x00b", ""},
	{"chinese", "今天天气很好,我们去公园散步吧。你觉得怎么样?", ""},
	{"emoji", "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪", "joined emoji, flags, marks"},
	{"forms", "ﬁ ①②Ａｂ,!… ™ ½ x² ﷺ ｶﾞ ㍿ Å e\u0301 \u1100\u1161\u11a8 ㄱㅏ 豈 \u0958",
		"compatibility forms, which no vocabulary normalizes"},
	{"planes", "𝐀𝐛 𠀀𠀁 \U000e0101 \U0010ffff", "beyond the first plane"},
}
