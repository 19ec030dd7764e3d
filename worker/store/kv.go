package store

// A value of KV is at most 25 MiB.
const kvLimit = 25 << 20

// NewKV keeps originals in a KV namespace. One that was just written may be missing elsewhere in the world for a minute; as
// nothing that is written ever changes, nothing stale is ever read.
func NewKV(b Binding) Store { return kept{bound{b}, kvLimit} }
