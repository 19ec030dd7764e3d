package wire

import "tamp/core/replay"

// The operations of `tamp usage` and `tamp audit` for a host in Go, which needs no JSON. text is the log of a session;
// it may be overwritten after Usage.

// Usage is the operation usage.
func (e *Engine) Usage(r *UsageRequest, text []byte) (*replay.Used, error) {
	return (&call{engine: e, text: text}).usage(r)
}

// Audit is the operation audit.
func (e *Engine) Audit(r *ReplayRequest, text []byte) (*replay.Audited, error) {
	return (&call{engine: e, text: text}).audit(r)
}
