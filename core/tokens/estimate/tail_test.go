package estimate

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/swar"
)

// The operations on eight bytes agree with the same operations on single bytes.
func TestLoadTail64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.SampledFrom([]byte("abmyzAZ@[`{ 19/:\x00\x1b\n\x7f\x80\xe1\xfa\xff")), 1, 16)
		s := string(letters.Draw(t, "bytes"))
		i := rapid.IntRange(0, len(s)).Draw(t, "from")
		x := loadTail64(s, i)
		var word, punctuation, digits uint64
		for j := range 8 {
			c, before := byte(0xFF), byte('A')
			if i+j < len(s) {
				c = s[i+j]
			}
			if j > 0 && i+j <= len(s) {
				before = s[i+j-1]
			}
			require.Equal(t, c, byte(x>>(8*j)))
			mark := uint64(0x80) << (8 * j)
			if class[c] > upper || class[c] == upper && class[before] != upper && j > 0 && before&' ' != 0 {
				word |= mark
			}
			if class[c] != punct || c < ' ' {
				punctuation |= mark
			}
			if class[c] == digit {
				digits |= mark
			}
		}
		require.Equal(t, firstMark(word), firstMark(wordEnd(x)), "%q", s[i:])
		require.Equal(t, punctuation, punctuationEnd(x), "%q", s[i:])
		require.Equal(t, digits, swar.Between(x, '0', '9'), "%q", s[i:])
	})
}

// firstMark is the number of bytes before the first mark.
func firstMark(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }
