package wire

import (
	"bytes"

	"tamp/core/format"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/tokens/bpe"
)

// Door is HandleBeside for one caller after another. It keeps the last conversation that it read, since a plan is mostly followed by
// its archive and its apply, and what texts count; with these and without, answers are the same. It also keeps what its caller
// asks it to: vocabularies for exact counts, and sessions. It is not safe for concurrent use.
type Door struct {
	last     read
	counters counters
	sessions map[int]*session

	// Vocabulary gives those that a host in Go has at hand, nil for others; it is asked when one is wanted. nil: there are none.
	Vocabulary func(name string) *bpe.Vocabulary

	// Progress hears of a replay under way: the calls done. False ends it, and its report says Stopped. nil: nobody listens.
	Progress func(done, of int) bool

	// MaxWork limits the work of one replay or replayAt; see replay.Options. 0: no limit.
	MaxWork int
}

// read is a conversation and what it was read from.
type read struct {
	text   []byte
	format string // as asked for
	c      *msg.Conversation
}

// doorOps are the operations that need what a Door keeps, besides those on sessions.
var doorOps = map[string]op{"loadVocabulary": loadVocabulary, "split": split, "session.open": sessionOpen}

// parse reads a conversation, or takes the one that was read last. Conversations are never changed in place.
func (d *Door) parse(text []byte, name string) (*msg.Conversation, error) {
	if d.last.c != nil && d.last.format == name && bytes.Equal(d.last.text, text) {
		return d.last.c, nil
	}
	d.last = read{} // the last one goes before the next comes: there may not be room for both
	c, err := format.Parse(text, name)
	if err == nil {
		d.last = read{text, name, c}
	}
	return c, err
}

// Do is the function of that name, with what this Door remembers of texts and nothing else: it keeps no conversation.
func (d *Door) Do(op string, in []byte) ([]byte, Figures, error) { return do(d, op, in) }

// TakesText tells whether an operation takes a text and no conversation, so that HandleText answers it, too; and whether it
// keeps the text.
func TakesText(op string) (takes, keeps bool) {
	switch op {
	case "countText", "split":
		return true, false
	case "loadVocabulary":
		return true, true
	}
	return false, false
}

// HandleText is HandleBeside with a text, which is not copied.
func (d *Door) HandleText(op string, in []byte, text string) []byte {
	r, err := decode(in)
	if err == nil {
		r.words, r.hasWords, r.door = text, true, d
	}
	out, _ := respond(op, r, err)
	return out
}

// HandleBeside answers one request. The bytes of conversation must not change as long as the Door is used.
func (d *Door) HandleBeside(op string, in, conversation []byte) (out, rendered []byte) {
	r, err := decode(in)
	if err == nil {
		if r.conversation != nil {
			err = msg.NewError(msg.BadRequest, "/conversation", "cannot read request: the conversation travels beside it, not inside")
		}
		r.text, r.door = conversation, d
	}
	return respond(op, r, err)
}

// respond runs an operation, unless its request could not be read.
func respond(op string, r *request, err error) (out, rendered []byte) {
	value, body, err := run(op, r, err)
	if err != nil {
		return Failure(err), nil
	}
	if body == nil {
		return structjson.Marshal(value), nil
	}
	return structjson.Marshal(value), body.bytes
}
