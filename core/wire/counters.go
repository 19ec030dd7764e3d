package wire

import (
	"strings"

	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/tokens/bpe"
)

// Counters by name. A counter without a vocabulary is always available; an exact one after its vocabulary was loaded
// into the Engine.

// vocabularies lists the names of the vocabularies that can be loaded.
var vocabularies = [...]string{"o200k_base", "cl100k_base"}

// auto names the counter that fits the model best: its own vocabulary if it is loaded, else the estimate. Models
// without a public vocabulary, Claude among them, are always estimated.
const auto = "auto"

// counters are the exact counters and caches of an Engine.
type counters struct {
	exact    map[string]*bpe.Counter
	memories map[string]*tokens.Memory
}

// cached returns a counter with its cache of counts. The classic rules need none: they are as fast as a lookup.
func (k *counters) cached(c tokens.Counter) tokens.Counter {
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

// exact returns the counter of a vocabulary that is loaded or that the host provides, else nil.
func (e *Engine) exact(name string) *bpe.Counter {
	k := &e.counters
	if k.exact[name] == nil && e.Vocabulary != nil && isVocabulary(name) {
		if v := e.Vocabulary(name); v != nil {
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

// counter returns the counter of that name; "" is the estimate.
func (e *Engine) counter(name string) (tokens.Counter, error) {
	if name == "" {
		return tokens.Estimate, nil
	}
	if found, ok := tokens.Lookup(name); ok {
		return found, nil
	}
	if counter := e.exact(name); counter != nil {
		return counter, nil
	}
	if !isVocabulary(name) {
		return nil, msg.NewError(msg.BadRequest, "/counter",
			"cannot count with \""+shorten(name)+"\": unknown counter; use estimate or auto, or one of "+
				strings.Join(append(tokens.Names()[1:], vocabularies[:]...), ", "))
	}
	if e.Vocabulary != nil {
		return nil, msg.NewError(msg.BadRequest, "/counter",
			"cannot count with \""+name+"\": its vocabulary is not here; use "+
				strings.Join(tokens.Names(), ", "))
	}
	return nil, msg.NewError(msg.BadRequest, "/counter",
		"cannot count with \""+name+"\": load its vocabulary first, loadVocabulary(\""+
			name+"\", bytes) with the bytes of vocab/"+name+".bin")
}
