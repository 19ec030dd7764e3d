package gateway

import "sync"

// notes are short texts that an instance keeps by name, the last used ones. To lose one costs a request that is refused
// once more, or that passes as it is.
type notes struct {
	once sync.Once
	lru  *LRU
}

const maxNotes = 1 << 20 // bytes

func (n *notes) open() *LRU {
	n.once.Do(func() { n.lru = NewLRU(maxNotes) })
	return n.lru
}

func (n *notes) keep(name, text string)  { n.open().Keep(name, []byte(text)) }
func (n *notes) find(name string) string { return string(n.open().Find(name)) }
func (n *notes) has(name string) bool    { return n.find(name) != "" }
