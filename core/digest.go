package core

import (
	"strconv"

	"tamp/core/internal/hash"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// Digest tells two conversations apart: 128 bits in hexadecimal. It guards against mistakes, a plan that meets another
// conversation than its own, and is made twice in every turn over megabytes, so it is quick rather than
// cryptographic. What names content for others (Ref, a request's ID) is SHA-256.
type Digest string

// Ref names an original in the archive: the first 16 hexadecimal digits of the SHA-256 of its bytes.
func Ref(original []byte) string { return sha256.Hex(sha256.Sum(original), 16) }

// digest identifies the messages by what they say, not by how their JSON is laid out: moving a cache breakpoint or
// reformatting a file does not make a plan stale, any other change does.
func digest(messages []msg.Message) Digest {
	d := digester{Hash128: hash.New128()}
	d.messages(messages)
	return d.sum()
}

// digester digests messages one after the other.
type digester struct {
	hash.Hash128
	count int
}

func (d *digester) messages(messages []msg.Message) {
	for m := range messages {
		d.Text(string(messages[m].Role))
		d.Number(uint64(len(messages[m].Blocks)))
		for b := range messages[m].Blocks {
			d.block(&messages[m].Blocks[b])
		}
	}
	d.count += len(messages)
}

// sum is the digest of the messages so far. More may follow.
func (d digester) sum() Digest {
	d.Number(uint64(d.count))
	return Digest(strconv.FormatUint(d.A|1<<63, 16) + strconv.FormatUint(d.B|1<<63, 16))
}

func (d *digester) block(b *msg.Block) {
	d.Text(string(b.Kind))
	d.Text(b.ID)
	d.Text(b.Name)
	d.Text(b.Text)
	if b.IsError {
		d.Number(1)
	}
	if b.Text == "" || b.Signed {
		d.Text(string(b.Raw)) // an image, a signature: nothing else tells two of them apart
	}
	d.Number(uint64(len(b.Parts)))
	for i := range b.Parts {
		d.block(&b.Parts[i])
	}
}
