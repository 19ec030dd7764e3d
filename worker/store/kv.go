package store

// kvLimit is the limit of KV on one value, in bytes.
const kvLimit = 25 << 20

// NewKV keeps originals in a KV namespace. KV is eventually consistent: other locations may not find a new original for
// a minute. They never read a stale one, since originals do not change.
func NewKV(b Binding) Store { return checkedStore{bindingStore{b}, kvLimit} }
