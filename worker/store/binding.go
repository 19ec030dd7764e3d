package store

import "context"

// Binding is an R2 or KV binding of a Worker. Values are passed in one piece, since streams between Go and JavaScript
// are slow.
type Binding interface {
	// Read returns found == false, and no error, for an absent key.
	Read(ctx context.Context, key string) (data []byte, found bool, err error)
	// Write has stored data when it returns nil.
	Write(ctx context.Context, key string, data []byte) error
}

// prefix separates the keys of originals from other keys in the same bucket or namespace, such as the cache of
// summaries.
const prefix = "transcripts/"

type bindingStore struct{ Binding }

func (b bindingStore) read(ctx context.Context, ref string) ([]byte, bool, error) {
	return b.Read(ctx, prefix+ref)
}

func (b bindingStore) write(ctx context.Context, ref string, data []byte) error {
	return b.Write(ctx, prefix+ref, data)
}
