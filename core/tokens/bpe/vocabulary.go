package bpe

import "strconv"

// Vocabulary is a loaded vocabulary. It never changes after Load; any number of goroutines may use it, each with its
// own Counter.
type Vocabulary struct {
	name     string
	first    int
	next     func(c *classes, s string, i int) int
	capitals bool // a capital begins a new word
	lead     *lead
	kinds    *classes
	table    *table
}

// Load reads a packed vocabulary and copies data. It returns an error with the reason if data is not such a file, is
// truncated or was altered. It takes memory up to a few dozen times the size of the file.
func Load(data []byte) (*Vocabulary, error) { return LoadString(string(data)) }

// LoadString is Load without a copy: the vocabulary refers to file.
func LoadString(file string) (*Vocabulary, error) {
	p, err := unpack(file)
	if err != nil {
		return nil, err
	}
	v := &Vocabulary{name: p.name, first: p.first, kinds: newClasses()}
	switch p.name {
	case "o200k_base":
		v.next, v.capitals = (*classes).o200k, true
	case "cl100k_base":
		v.next = (*classes).cl100k
	default:
		return nil, cannotLoad("unknown name " + strconv.Quote(p.name))
	}
	v.lead = newLead(v.kinds, p.name)
	if v.table, err = newTable(p); err != nil {
		return nil, err
	}
	return v, nil
}

// Name is o200k_base or cl100k_base.
func (v *Vocabulary) Name() string { return v.name }

// Len returns the number of tokens, without special tokens.
func (v *Vocabulary) Len() int { return len(v.table.sizes) }

// Token returns the bytes of the token with this id, and false if no token has it.
func (v *Vocabulary) Token(id int) (string, bool) {
	rank := id - v.first
	if rank < 0 || rank >= v.Len() {
		return "", false
	}
	return v.table.token(uint32(rank)), true
}
