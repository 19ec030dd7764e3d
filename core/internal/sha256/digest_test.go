package sha256

import (
	"bytes"
	std "crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Sum is SHA-256, and so is sum, which it is in wasm: at every length around the borders of a block, and on arbitrary
// bytes.
func TestSum256(t *testing.T) {
	for n := range 300 {
		data := bytes.Repeat([]byte{byte(n)}, n)
		require.Equal(t, std.Sum256(data), sum(data), "%d bytes", n)
		require.Equal(t, sum(data), Sum(data))
	}
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		want := std.Sum256(data)
		require.Equal(t, want, sum(data))
		require.Equal(t, hex.EncodeToString(want[:8]), Hex(Sum(data), 16))
	})
}
