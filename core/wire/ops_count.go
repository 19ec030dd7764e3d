package wire

import (
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
	"tamp/core/tokens/bpe"
)

func (c *call) loadVocabulary(r *LoadVocabularyRequest) (*Empty, error) {
	return &Empty{}, c.engine.counters.load(r.Name, c.textOr(nil))
}

func (c *call) countText(r *TextRequest) (*int, error) {
	counter, err := c.counterFor(r.Counter, nil)
	if err != nil {
		return nil, err
	}
	if _, exact := counter.(*bpe.Counter); exact { // the estimate is almost as fast as a look-up
		counter = c.engine.counters.cached(counter)
	}
	n := counter.Count(c.textOr(r.Text))
	return &n, nil
}

// Tokens is the answer of tokens.
type Tokens struct {
	// The end of each token, in UTF-16 code units, the unit of JavaScript's slice. A token that ends within a character
	// has the end of that character, so that the tokens of one character have equal ends.
	Ends []int `json:"ends"`
	IDs  []int `json:"ids"` // of each token, in its vocabulary
}

func (c *call) tokens(r *TextRequest) (*Tokens, error) {
	counter, err := c.counterFor(r.Counter, nil)
	if err != nil {
		return nil, err
	}
	exact, ok := counter.(*bpe.Counter)
	if !ok {
		return nil, msg.NewError(msg.BadRequest, "/counter",
			"cannot split with \""+counter.Name()+"\": it has no tokens; use "+
				strings.Join(vocabularies[:], ", "))
	}
	text := c.textOr(r.Text)
	answer := &Tokens{Ends: []int{}, IDs: []int{}}
	at, units := 0, 0 // bytes and code units before the next character
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
	return answer, nil
}
