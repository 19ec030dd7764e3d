package gateway

import (
	"bytes"
	"container/list"
	"sync"
)

// DefaultCheckpoints is the size in bytes of the checkpoints that a native gateway keeps.
const DefaultCheckpoints = 64 << 20

// LRU keeps the checkpoints that were used last. The zero value keeps none; see NewLRU.
type LRU struct {
	limit int // bytes
	lru[[]byte]
}

// NewLRU returns one for limit bytes of names and data.
func NewLRU(limit int) *LRU { return &LRU{limit: limit} }

// Find implements Checkpoints.
func (l *LRU) Find(key string) []byte { return l.find(key) }

// Keep implements Checkpoints. Data that is larger than the limit is not kept.
func (l *LRU) Keep(key string, data []byte) {
	l.keep(key, bytes.Clone(data), len(data), l.limit) // data may have much capacity behind it
}

// lru keeps the values that were used last. The zero value is empty.
type lru[V any] struct {
	mu    sync.Mutex
	size  int
	items map[string]*list.Element
	order list.List // of *lruItem[V], the last used first
}

type lruItem[V any] struct {
	key   string
	value V
	size  int
}

// find returns the value of a key, the zero value if there is none.
func (l *lru[V]) find(key string) (value V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.items[key]
	if at == nil {
		return value
	}
	l.order.MoveToFront(at)
	return at.Value.(*lruItem[V]).value
}

// take is find, and removes the value.
func (l *lru[V]) take(key string) (value V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := l.items[key]; at != nil {
		value = at.Value.(*lruItem[V]).value
		l.remove(at)
	}
	return value
}

// keep keeps a value of size bytes, and as many others as a limit of bytes allows.
func (l *lru[V]) keep(key string, value V, size, limit int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.items[key]; old != nil {
		l.remove(old)
	}
	if size += len(key); size > limit {
		return
	}
	if l.items == nil {
		l.items = map[string]*list.Element{}
	}
	l.items[key] = l.order.PushFront(&lruItem[V]{key, value, size})
	l.size += size
	for l.size > limit {
		l.remove(l.order.Back())
	}
}

func (l *lru[V]) remove(at *list.Element) {
	item := l.order.Remove(at).(*lruItem[V])
	delete(l.items, item.key)
	l.size -= item.size
}
