package forward

import (
	"bytes"
	"slices"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
)

// Compactor compacts the requests of one conversation: an agent calls Next with each request before it sends it, with
// the whole history each time, the original one or one that begins with an earlier result. It keeps the state between
// the calls itself. A history that it does not recognize is compacted by itself. Not safe for concurrent use.
type Compactor struct {
	o    Options
	from *Checkpoint
	// The digests of the messages that the checkpoint replaces, and of those that replace them.
	original, outcome string
}

// NewCompactor starts without a history. Set Save, which gets the originals; o.From must be nil.
func NewCompactor(o Options) *Compactor { return &Compactor{o: o} }

// Next returns the request to send: data itself if nothing is due. Errors are those of Read and Fold, bad_request if
// Save is nil and something is removed, and context_overflow if the policy cannot compact far enough; the Compactor is
// unchanged then, and the next call tries again.
func (c *Compactor) Next(data []byte, name format.Name) ([]byte, error) {
	b, err := Read(data, name)
	if err != nil {
		return nil, err
	}
	if b.Stored() {
		return data, nil
	}
	o := c.o
	o.From = c.checkpoint(b)
	if o.Save == nil {
		o.Save = func([]byte) error {
			return msg.NewError(msg.BadRequest, "", "cannot compact: Options.Save is nil, and the plan removes originals")
		}
	}
	r, err := b.Fold(o)
	if err != nil {
		return nil, err
	}
	if r.Overflow {
		return nil, msg.NewError(msg.ContextOverflow, "", "cannot compact further: start a new session")
	}
	if r.Checkpoint != nil {
		// A breakpoint makes a list of a content that is a string: the outcome is recognized as it is sent.
		sent, err := Read(r.Body, name)
		if err != nil {
			return nil, err
		}
		if o.From == nil || !bytes.Equal(r.Checkpoint.Prefix, o.From.Prefix) {
			c.from, c.original = r.Checkpoint, digest(b, r.Checkpoint.Messages)
		}
		c.outcome = digest(sent, len(r.Checkpoint.Origins))
	}
	return r.Body, nil
}

// checkpoint returns that of the last compaction if a call of a body begins with its history or with its outcome.
func (c *Compactor) checkpoint(b *Body) *Checkpoint {
	switch {
	case c.from == nil:
		return nil
	case slices.Contains(b.points, c.from.Messages) && digest(b, c.from.Messages) == c.original:
		return c.from
	case slices.Contains(b.points, len(c.from.Origins)) && digest(b, len(c.from.Origins)) == c.outcome:
		at := *c.from // the history has the outcome itself: each of its messages stays where it is
		at.Messages = len(at.Origins)
		at.Origins = make([]int, at.Messages)
		for i := range at.Origins {
			at.Origins[i] = i
		}
		return &at
	}
	return nil
}

// digest returns the digest of the first n messages of a body.
func digest(b *Body, n int) string {
	all := make([][]byte, n)
	for i := range all {
		all[i] = b.Message(i)
	}
	return core.Ref(bytes.Join(all, []byte{'\n'}))
}

// Encode writes the state, with the compacted messages: store it if the conversation goes on in another process.
func (c *Compactor) Encode() []byte {
	if c.from == nil {
		return nil
	}
	return append([]byte(c.original+" "+c.outcome+" "), c.from.Encode()...)
}

// DecodeCompactor goes on with what Encode wrote. The error is bad_request.
func DecodeCompactor(data []byte, o Options) (*Compactor, error) {
	c := NewCompactor(o)
	if len(data) == 0 {
		return c, nil
	}
	original, rest, _ := bytes.Cut(data, []byte{' '})
	outcome, rest, _ := bytes.Cut(rest, []byte{' '})
	from, err := DecodeCheckpoint(rest)
	if err != nil {
		return nil, err
	}
	c.from, c.original, c.outcome = from, string(original), string(outcome)
	return c, nil
}
