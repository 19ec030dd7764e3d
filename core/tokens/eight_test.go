package tokens

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Eight bytes at once are what eight bytes one by one are.
func TestEight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.SampledFrom([]byte("abmyzAZ@[`{ 19\x00\x7f\x80\xe1\xfa\xff")), 8, 8)
		s := string(letters.Draw(t, "bytes"))
		n, key := 0, uint64(0)
		for n < 8 && class[s[n]] == lower {
			key = key<<5 | uint64(s[n]&31)
			n++
		}
		x := eight(s, 0)
		require.Equal(t, n, bits.TrailingZeros64(notLower(x))/8, "%q", s)
		if n > 0 {
			require.Equal(t, key, pack(x, n), "%q", s)
		}
	})
}
