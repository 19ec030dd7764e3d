package promptcache

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A session of 4 MB: the cost of Rank and FingerprintOf per request.
func BenchmarkLargeSession(b *testing.B) {
	messages := []string{"u:go"}
	text := strings.Repeat("some output of a tool, line after line\n", 100)
	for range 1000 {
		messages = append(messages, "a:ok", "u:"+text)
	}
	doc := body("", messages...)
	c := parse(b, doc)
	r, err := Rank(c, Options{})
	require.NoError(b, err)
	require.NotEmpty(b, r.Anchors)
	b.Run("rank", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			_, _ = Rank(c, Options{})
		}
	})
	b.Run("fingerprint", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			FingerprintOf(c)
		}
	})
}
