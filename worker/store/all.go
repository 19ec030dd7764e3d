package store

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
)

// Item is one original and its name, Ref(Data).
type Item struct {
	Ref  string
	Data []byte
}

// maxWrites is the maximum number of concurrent writes: a Worker may have six open connections.
const maxWrites = 6

// PutAll stores every item, maxWrites at a time, and returns when no write is in flight. Equal items are written once.
// The first failure cancels the other writes and is returned; items that were already stored stay stored. A panic of s
// is raised again in the caller's goroutine.
func PutAll(ctx context.Context, s Store, items []Item) (err error) {
	seen := make(map[string][]byte, len(items))
	var unique []Item
	for _, item := range items {
		data, found := seen[item.Ref]
		switch {
		case !found:
			seen[item.Ref] = item.Data
			unique = append(unique, item)
		case !bytes.Equal(data, item.Data):
			return &Error{Code: Conflict}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		next       atomic.Int64
		first      sync.Once
		panicValue any
		writes     sync.WaitGroup
	)
	end := func(failure error, panicked any) {
		first.Do(func() {
			err, panicValue = failure, panicked
			cancel()
		})
	}
	for range min(maxWrites, len(unique)) {
		writes.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					end(nil, p)
				}
			}()
			for at := int(next.Add(1)) - 1; at < len(unique); at = int(next.Add(1)) - 1 {
				if failure := s.Put(ctx, unique[at].Ref, unique[at].Data); failure != nil {
					end(failure, nil)
					return
				}
			}
		})
	}
	writes.Wait()
	if panicValue != nil {
		panic(panicValue)
	}
	return err
}
