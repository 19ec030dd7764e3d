package msg_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

// Sum256 is SHA-256: at every length around the borders of a block, and on arbitrary bytes.
func TestSum256(t *testing.T) {
	for n := range 300 {
		data := bytes.Repeat([]byte{byte(n)}, n)
		require.Equal(t, sha256.Sum256(data), msg.Sum256(data), "%d bytes", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		want := sha256.Sum256(data)
		require.Equal(t, want, msg.Sum256(data))
		require.Equal(t, hex.EncodeToString(want[:8]), msg.Hex(msg.Sum256(data), 16))
	})
}
