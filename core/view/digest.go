package view

import (
	"strconv"

	"tamp/core/internal/hash"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// Digest identifies the messages of a conversation: 128 bits in hexadecimal. It detects a plan that is applied to
// another conversation. It is computed twice in every turn over megabytes, so it is fast and not cryptographic. The
// public names of content (Ref, the ID of a request) use SHA-256.
type Digest string

// Ref returns the name of an original in the archive: the first 16 hexadecimal digits of the SHA-256 of its bytes.
func Ref(original []byte) string { return sha256.Hex(sha256.Sum(original), 16) }

// DigestOf returns the digest of the content of messages, independent of the layout of their JSON: a moved cache
// breakpoint or a reformatted file does not make a plan stale, any other change does.
func DigestOf(messages []msg.Message) Digest {
	d := NewDigester()
	d.Messages(messages)
	return d.Sum()
}

// Digester digests messages one after the other.
type Digester struct {
	hash.Hash128
	count int
}

// NewDigester returns a digester of no messages.
func NewDigester() Digester { return Digester{Hash128: hash.New128()} }

// Messages adds messages.
func (d *Digester) Messages(messages []msg.Message) {
	for m := range messages {
		d.Text(string(messages[m].Role))
		d.Number(uint64(len(messages[m].Blocks)))
		for b := range messages[m].Blocks {
			d.block(&messages[m].Blocks[b])
		}
	}
	d.count += len(messages)
}

// Sum returns the digest of the messages so far. More messages may be added afterwards.
func (d Digester) Sum() Digest {
	d.Number(uint64(d.count))
	return Digest(strconv.FormatUint(d.A|1<<63, 16) + strconv.FormatUint(d.B|1<<63, 16))
}

func (d *Digester) block(b *msg.Block) {
	d.Text(string(b.Kind))
	d.Text(b.ID)
	d.Text(b.Name)
	d.Text(b.Text)
	if b.IsError {
		d.Number(1)
	}
	if b.Text == "" || b.Signed {
		d.Text(string(b.Raw)) // images and signatures differ only in their raw JSON
	}
	d.Number(uint64(len(b.Parts)))
	for i := range b.Parts {
		d.block(&b.Parts[i])
	}
}

// RefText is Ref of a text.
func RefText(text string) string { return Ref([]byte(text)) }
