package wire

import (
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/tokens/bpe"
)

// Counters by name. Those without a vocabulary are always there; an exact one is once its vocabulary is loaded, and belongs to
// the Door that it was loaded into.

// vocabularies lists the names of the vocabularies that can be loaded.
var vocabularies = [...]string{"o200k_base", "cl100k_base"}

// auto names the counter that fits the model best: its own vocabulary if it is loaded, else the estimate. Models without a public
// vocabulary, Claude among them, are always estimated.
const auto = "auto"

// counters are what a Door counts with.
type counters struct {
	exact    map[string]*bpe.Counter
	memories map[string]*tokens.Memory
}

// remembering is a counter with the memory that is kept for it. Nothing is remembered for the classic rules: they are as quick.
func (k *counters) remembering(c tokens.Counter) tokens.Counter {
	switch c {
	case tokens.Chars4, tokens.Chars3, tokens.CJK:
		return c
	}
	m := k.memories[c.Name()]
	if m == nil {
		if k.memories == nil {
			k.memories = map[string]*tokens.Memory{}
		}
		m = &tokens.Memory{}
		k.memories[c.Name()] = m
	}
	return m.Counter(c)
}

// load makes the counter of a vocabulary.
func (k *counters) load(name, file string) error {
	if !isVocabulary(name) {
		return msg.NewError(msg.BadRequest, "/name", "cannot load vocabulary \""+shorten(name)+"\": unknown vocabulary; use "+
			strings.Join(vocabularies[:], ", "))
	}
	v, err := bpe.LoadString(file)
	if err != nil {
		return msg.NewError(msg.BadRequest, "", err.Error())
	}
	if v.Name() != name {
		return msg.NewError(msg.BadRequest, "/name", "cannot load vocabulary \""+name+"\": these are the bytes of "+v.Name())
	}
	if k.exact == nil {
		k.exact = map[string]*bpe.Counter{}
	}
	delete(k.memories, name)
	k.exact[name] = v.Counter()
	return nil
}

// exact returns the counter of a vocabulary that this Door has, or can have; nil where it cannot.
func (d *Door) exact(name string) *bpe.Counter {
	k := &d.counters
	if k.exact[name] == nil && d.Vocabulary != nil && isVocabulary(name) {
		if v := d.Vocabulary(name); v != nil {
			if k.exact == nil {
				k.exact = map[string]*bpe.Counter{}
			}
			k.exact[name] = v.Counter()
		}
	}
	return k.exact[name]
}

func isVocabulary(name string) bool {
	for _, v := range vocabularies {
		if v == name {
			return true
		}
	}
	return false
}

// counterNamed finds the counter that a request names; the empty name is the estimate. c is the conversation that is to be counted,
// nil where there is none.
func (r *request) counterNamed(c *msg.Conversation) (tokens.Counter, error) {
	counter, err := r.plainCounter(c)
	if err == nil && r.door != nil && c != nil {
		counter = r.door.counters.remembering(counter)
	}
	return counter, err
}

func (r *request) plainCounter(c *msg.Conversation) (tokens.Counter, error) {
	name := r.counter
	if name == auto {
		if name = ""; c != nil && r.door != nil {
			if own := tokens.ProfileFor(c.Model, c.Format).Counter; r.door.exact(own) != nil {
				name = own
			}
		}
	}
	if name == "" {
		return tokens.Estimate, nil
	}
	if found, ok := tokens.Lookup(name); ok {
		return found, nil
	}
	if r.door != nil {
		if counter := r.door.exact(name); counter != nil {
			return counter, nil
		}
	}
	if !isVocabulary(name) {
		return nil, msg.NewError(msg.BadRequest, "/counter", "cannot count with \""+shorten(name)+"\": unknown counter; use estimate or auto, or one of "+
			strings.Join(append(tokens.Names()[1:], vocabularies[:]...), ", "))
	}
	if r.door == nil || r.conversation != nil {
		return nil, msg.NewError(msg.BadRequest, "/counter", "cannot count with \""+name+"\": its vocabulary is not here; use "+
			strings.Join(tokens.Names(), ", "))
	}
	return nil, msg.NewError(msg.BadRequest, "/counter", "cannot count with \""+name+"\": load its vocabulary first, loadVocabulary(\""+
		name+"\", bytes) with the bytes of vocab/"+name+".bin")
}

func loadVocabulary(r *request) (any, *body, error) {
	return struct{}{}, nil, r.door.counters.load(r.name, r.plainText())
}

func countText(r *request) (any, *body, error) {
	counter, err := r.plainCounter(nil)
	if err != nil {
		return nil, nil, err
	}
	return counter.Count(r.plainText()), nil, nil
}

// plainText is a text that is no conversation.
func (r *request) plainText() string {
	if r.hasWords {
		return r.words
	}
	return string(r.text)
}

// Split is the answer of split.
type Split struct {
	// Where each token ends, in UTF-16 code units, which is what JavaScript slices by. A token that ends within a character has the
	// end of that character, so that the tokens of one character have equal ends.
	Ends []int `json:"ends"`
	IDs  []int `json:"ids"` // of each token, in its vocabulary
}

func split(r *request) (any, *body, error) {
	counter, err := r.plainCounter(nil)
	if err != nil {
		return nil, nil, err
	}
	exact, ok := counter.(*bpe.Counter)
	if !ok {
		return nil, nil, msg.NewError(msg.BadRequest, "/counter", "cannot split with \""+counter.Name()+"\": it has no tokens; use "+
			strings.Join(vocabularies[:], ", "))
	}
	text := r.plainText()
	answer := Split{Ends: []int{}, IDs: []int{}}
	at, units := 0, 0 // as far as characters were counted
	for id, end := range exact.Split(text) {
		for at < end {
			c, size := utf8.DecodeRuneInString(text[at:])
			at += size
			if units++; c > 0xFFFF {
				units++
			}
		}
		answer.Ends, answer.IDs = append(answer.Ends, units), append(answer.IDs, id)
	}
	return answer, nil, nil
}
