package store

// The largest request that the worker takes is 32 MB, and an archive is a part of its request, with line ends added.
const r2Limit = 40 << 20

// NewR2 keeps originals in an R2 bucket, which reads what was just written.
func NewR2(b Binding) Store { return kept{bound{b}, r2Limit} }
