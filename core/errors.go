package core

import "tamp/core/msg"

// Error is the only error type that leaves this module: a stable Code to switch on, a JSON Pointer into the input, and
// a sentence for people. A broken invariant inside Tamp panics instead, with "tamp: internal error: …".
type Error = msg.Error

// Code identifies a kind of failure. The codes are defined in core/msg.
type Code = msg.Code
