package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
)

// prefix is the part of a request that has been visited, in the order of the provider: tools, system, messages. It has
// two digests, one of them without thinking, and the size in bytes.
type prefix struct {
	all, withoutThinking hash.Hash
	size                 int
	last                 string // digest of the last thinking
}

func newPrefix() *prefix { return &prefix{all: sha256.New(), withoutThinking: sha256.New()} }

// add appends one block or tool. The digests do not depend on cache_control or on the white space of the JSON.
func (w *prefix) add(role, kind string, raw json.RawMessage) {
	text := append(append([]byte(role), ' '), withoutCacheControl(raw)...)
	w.size += len(text)
	w.all.Write(text)
	if kind == "thinking" || kind == "redacted_thinking" {
		w.last = shortDigest(text)
		return
	}
	w.withoutThinking.Write(text)
}

func (w *prefix) sign(thinking string) string {
	return "fake." + shortDigest([]byte(thinking)) + "." + w.last + "." +
		hex.EncodeToString(w.withoutThinking.Sum(nil)[:8])
}

func shortDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
