package bpe_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/tokens/bpe"
)

// replaceInvalid agrees with the conversion to runes, and reports where each replacement is.
func TestReplaceInvalid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawBytes(t)
		valid, replaced := bpe.ReplaceInvalid(text)
		require.Equal(t, string([]rune(text)), valid)
		at := 0
		for i := range text {
			if r, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
				require.Less(t, at, len(replaced))
				require.Equal(t, i+2*at, replaced[at])
				at++
			}
		}
		require.Len(t, replaced, at)
	})
}

// The end of each token in a text with invalid bytes is the end of the same token in the valid form, converted byte by
// byte. A token that ends within a replacement ends before the invalid byte.
func TestSplitOfInvalidText(t *testing.T) {
	bytesOnly, err := bpe.Load(bpe.Pack("o200k_base", 0, alphabet())) // in which U+FFFD is three tokens
	require.NoError(t, err)
	for _, v := range []*bpe.Vocabulary{open(t, "o200k_base"), open(t, "cl100k_base"), bytesOnly} {
		c := v.Counter()
		rapid.Check(t, func(t *rapid.T) {
			text := drawBytes(t)
			var origin []int // of each byte of the valid form: the offset in text where its character begins
			for i := 0; i < len(text); {
				r, size := utf8.DecodeRuneInString(text[i:])
				if r == utf8.RuneError && size == 1 {
					origin = append(origin, i, i, i)
				} else {
					for k := range size {
						origin = append(origin, i+k)
					}
				}
				i += size
			}
			origin = append(origin, len(text))
			var want, got []int
			for _, end := range c.Split(string([]rune(text))) {
				want = append(want, origin[end])
			}
			for _, end := range c.Split(text) {
				got = append(got, end)
			}
			require.Equal(t, want, got, "%q", text)
		})
	}
}

func drawBytes(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"a", " the", "中文", "😀", "\xff", "\xe4\xb8", "\xf0\x9f\x98", "\ufffd", "\n", "12"}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) }),
	)
	text := ""
	for _, s := range rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces") {
		text += s
	}
	return text
}
