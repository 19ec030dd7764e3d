package tokens

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClassic(t *testing.T) {
	for _, c := range []struct {
		name, text          string
		chars4, chars3, cjk int
		why                 string
	}{
		{"empty", "", 0, 0, 0, "an empty text has no tokens"},
		{"three", "abc", 0, 1, 1, "the ratios round down; 3/4 rounds to the nearest"},
		{"two", "ab", 0, 0, 0, "half goes to even: 0.5 to 0"},
		{"six", "abcdef", 1, 2, 2, "1.5 to 2"},
		{"ten", "abcdefghij", 2, 3, 2, "2.5 to 2"},
		{"one Chinese", "中", 0, 0, 2, "6/4 = 1.5 to 2"},
		{"first and last of the block", "\u4e00\u9fff", 0, 0, 3, "both ends count six"},
		{"just outside", "\u4dff\ua000", 0, 0, 0, "and their neighbors count one"},
		{"kana", "かなかな", 1, 1, 1, "only U+4E00–U+9FFF counts six"},
		{"mixed", "中文abc", 1, 1, 4, "15/4 = 3.75"},
		{"invalid", "\xff\xfe\xfd\xfc", 1, 1, 1, "each bad byte is one code point"},
		{"emoji", "😀😀😀😀", 1, 1, 1, "code points, not bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.chars4, Chars4.Count(c.text), c.why)
			require.Equal(t, c.chars3, Chars3.Count(c.text), c.why)
			require.Equal(t, c.cjk, CJK.Count(c.text), c.why)
		})
	}
}

func TestLookup(t *testing.T) {
	require.Equal(t, []string{"estimate", "chars4", "chars3", "cjk"}, Names())
	for _, name := range Names() {
		counter, ok := Lookup(name)
		require.True(t, ok)
		require.Equal(t, name, counter.Name())
	}
	_, ok := Lookup("chars5")
	require.False(t, ok)
}
