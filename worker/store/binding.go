package store

import "context"

// Binding is one of a Worker's bindings, R2 or KV, bound in one place to the JavaScript object. Values go whole, in one
// piece: streams through the border between Go and JavaScript are slow.
type Binding interface {
	// Read returns found == false, and no error, where there is nothing: the bindings' own get gives null then.
	Read(ctx context.Context, key string) (data []byte, found bool, err error)
	// Write has stored data when it returns nil.
	Write(ctx context.Context, key string, data []byte) error
}

// prefix sets originals apart from what else an operator keeps in the same place, such as the cache of summaries.
const prefix = "transcripts/"

type bound struct{ Binding }

func (b bound) read(ctx context.Context, ref string) ([]byte, bool, error) {
	return b.Read(ctx, prefix+ref)
}

func (b bound) write(ctx context.Context, ref string, data []byte) error {
	return b.Write(ctx, prefix+ref, data)
}
