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

	mu    sync.Mutex
	size  int
	items map[string]*list.Element
	order list.List // of lruItem, the last used first
}

type lruItem struct {
	key  string
	data []byte
}

// NewLRU returns one for limit bytes of names and data.
func NewLRU(limit int) *LRU { return &LRU{limit: limit, items: map[string]*list.Element{}} }

// Find implements Checkpoints.
func (l *LRU) Find(key string) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.items[key]
	if at == nil {
		return nil
	}
	l.order.MoveToFront(at)
	return at.Value.(lruItem).data
}

// Keep implements Checkpoints. Data that is larger than the limit is not kept.
func (l *LRU) Keep(key string, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.items[key]; old != nil {
		l.remove(old)
	}
	if len(key)+len(data) > l.limit {
		return
	}
	l.items[key] = l.order.PushFront(lruItem{key, bytes.Clone(data)}) // data may have much capacity behind it
	l.size += len(key) + len(data)
	for l.size > l.limit {
		l.remove(l.order.Back())
	}
}

func (l *LRU) remove(at *list.Element) {
	item := l.order.Remove(at).(lruItem)
	delete(l.items, item.key)
	l.size -= len(item.key) + len(item.data)
}
