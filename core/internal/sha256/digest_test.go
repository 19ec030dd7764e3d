package sha256_test

import (
	"bytes"
	std "crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/sha256"
)

// Sum256 is SHA-256: at every length around the borders of a block, and on arbitrary bytes.
func TestSum256(t *testing.T) {
	for n := range 300 {
		data := bytes.Repeat([]byte{byte(n)}, n)
		require.Equal(t, std.Sum256(data), sha256.Sum(data), "%d bytes", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		want := std.Sum256(data)
		require.Equal(t, want, sha256.Sum(data))
		require.Equal(t, hex.EncodeToString(want[:8]), sha256.Hex(sha256.Sum(data), 16))
	})
}
