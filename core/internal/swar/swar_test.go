package swar_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/swar"
)

// Eight bytes at once are what eight bytes one by one are.
func TestEightAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.Byte(), 8, 16).Draw(t, "bytes"))
		i := rapid.IntRange(0, len(s)-8).Draw(t, "from")
		lo := rapid.ByteRange(0, 0x7F).Draw(t, "lo")
		hi := rapid.ByteRange(lo, 0x7F).Draw(t, "hi")
		x := swar.Load(s, i)
		marks := swar.Between(x, lo, hi)
		for j := range 8 {
			c := s[i+j]
			require.Equal(t, c, byte(x>>(8*j)))
			want := byte(0)
			if lo <= c && c <= hi {
				want = 0x80
			}
			require.Equal(t, want, byte(marks>>(8*j)), "%q from %q to %q", c, lo, hi)
		}
	})
}
