package store

// r2Limit is the maximum size of one original, in bytes. A request has at most 32 MB, and its archive is a part of it
// with added line breaks.
const r2Limit = 40 << 20

// NewR2 keeps originals in an R2 bucket, which is strongly consistent.
func NewR2(b Binding) Store { return checkedStore{bindingStore{b}, r2Limit} }
