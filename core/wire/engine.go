package wire

import (
	"bytes"
	"reflect"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/tokens/bpe"
	"tamp/core/view"
)

// Engine answers requests, one at a time. It caches the last conversation that came as a body, and what a plan read of
// it, since its summaries and its apply usually follow, and the token counts of texts; answers do not depend on these
// caches. It keeps the vocabularies and sessions that requests open. The zero value is ready to use. Not safe for
// concurrent use.
type Engine struct {
	last     parsed
	counters counters
	sessions map[int]*session
	requests map[string]reflect.Type // by the members of all operations; nil until it is needed

	// Vocabulary returns a vocabulary that the host has, nil for an unknown name. It is called when a request needs it.
	// nil: only operation loadVocabulary provides vocabularies.
	Vocabulary func(name string) *bpe.Vocabulary

	// Progress is called during a replay with the number of calls done. If it returns false, the replay ends and its
	// report has Stopped set. May be nil.
	Progress func(done, of int) bool

	// MaxWork limits the work of one replay or replayAt; see replay.Options. 0: no limit.
	MaxWork int

	// Text returns the body of a request as a string. nil: a copy. A host that changes no body may return a string that
	// shares its memory.
	Text func(body []byte) string
}

// parsed is a conversation, the bytes that it was parsed from, and what a plan read of it.
type parsed struct {
	text         []byte
	format       string // as requested
	conversation *msg.Conversation
	counter      tokens.Counter // of cache
	cache        *view.Cache    // for the operations after the first one
}

// cacheFor returns the cache for a counter.
func (p *parsed) cacheFor(counter tokens.Counter) *view.Cache {
	if p.cache == nil || p.counter != counter {
		p.counter, p.cache = counter, new(view.Cache)
	}
	return p.cache
}

// session is a conversation that grows.
type session struct {
	*core.Session
	format  string        // as requested; "" while later messages may still show another format
	options TurnOptions   // of the last turn, for the plan and apply that follow
	given   rawjson.Value // the last record as the client gave it, if a compaction came after it; else nil
}

// parse parses a conversation, or returns the last one if it has the same text. Conversations are never changed in
// place.
func (e *Engine) parse(text []byte, name string) (*msg.Conversation, error) {
	if e.last.conversation != nil && e.last.format == name && bytes.Equal(e.last.text, text) {
		return e.last.conversation, nil
	}
	e.last = parsed{} // freed before the next one is parsed: there may not be memory for both
	c, err := format.Parse(text, name)
	if err == nil {
		e.last = parsed{text: text, format: name, conversation: c}
	}
	return c, err
}
