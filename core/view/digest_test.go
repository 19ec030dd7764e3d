package view

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Two lists of messages have the same digest exactly when they say the same: compared with a plain dump under SHA-256.
func TestDigestTellsApart(t *testing.T) {
	seen := map[Digest][32]byte{}
	rapid.Check(t, func(t *rapid.T) {
		var messages []msg.Message
		var dump []byte
		for range rapid.IntRange(0, 3).Draw(t, "messages") {
			m := msg.Message{Role: rapid.SampledFrom([]msg.Role{msg.User, msg.Assistant}).Draw(t, "role")}
			dump = append(dump, "message\x00"+m.Role+"\x00"...)
			for range rapid.IntRange(0, 2).Draw(t, "blocks") {
				b := msg.Block{Kind: msg.KindText, Text: rapid.StringMatching(`[ab\x00]{0,20}`).Draw(t, "text"),
					ID: rapid.SampledFrom([]string{"", "a"}).Draw(t, "id")}
				m.Blocks = append(m.Blocks, b)
				dump = append(append(append(append(dump, "block\x01"...), b.ID...), "\x01"...), string(rawjson.Quote(b.Text))...)
			}
			messages = append(messages, m)
		}
		want := sha256.Sum256(dump)
		d := DigestOf(messages)
		require.Len(t, string(d), 32)
		if was, ok := seen[d]; ok {
			require.Equal(t, was, want, "two conversations, one digest")
		}
		seen[d] = want
	})
}

// One bit of a long text changes the digest, wherever it is.
func TestDigestSeesEveryByte(t *testing.T) {
	text := make([]byte, 100)
	base := DigestOf([]msg.Message{{Blocks: []msg.Block{msg.TextBlock(string(text))}}})
	for i := range text {
		text[i] = 1
		require.NotEqual(t, base, DigestOf([]msg.Message{{Blocks: []msg.Block{msg.TextBlock(string(text))}}}), "byte %d", i)
		text[i] = 0
	}
}

func TestRef(t *testing.T) {
	require.Equal(t, "2cf24dba5fb0a30e", Ref([]byte("hello")), "the first 16 digits of the SHA-256")
}
