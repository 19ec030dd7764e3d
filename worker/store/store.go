// Package store keeps originals that a compaction took out of a conversation, each under the digest of its bytes. It is not a
// database: what is written stays as it is, is never listed and never deleted here; how long it lives is the operator's
// to say, by the bucket's own rules. Start with NewR2, NewKV, NewDir or None.
package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// Rules:
//   - A ref is core.Ref of the bytes: 16 hexadecimal digits, lower case, the first of their SHA-256. Put refuses every other
//     pair, so no caller can write where another one will read, and a ref holds no path.
//   - Writing the same twice is harmless. What is there already is never replaced: 64 bits can be made to collide by
//     someone who tries, and the one who came first keeps his original.
//   - Reading gives back the bytes that were written, or an error: what has changed since is Corrupt.

// Store keeps bytes. Implementations are safe for concurrent use. Every error they return is an *Error.
type Store interface {
	// Put has saved data when it returns nil, and not before. It does not keep data.
	Put(ctx context.Context, ref string, data []byte) error
	// Get returns what was put under ref; the caller owns it.
	Get(ctx context.Context, ref string) ([]byte, error)
}

// Ref names data, as core.Ref does.
func Ref(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Valid reports that text has the form of a ref.
func Valid(text string) bool {
	if len(text) != 16 {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Code names how a store failed. The names are stable; hosts switch on them.
type Code string

const (
	BadRef   Code = "bad_ref"   // not a ref, or not that of the data
	NotFound Code = "not_found" // nothing is stored there
	TooLarge Code = "too_large" // more than the store takes
	Conflict Code = "conflict"  // something else is stored there
	Corrupt  Code = "corrupt"   // what is stored is not what was put
	Down     Code = "down"      // the store did not do it; a later try may succeed
	Canceled Code = "canceled"  // the context ended first
	Absent   Code = "absent"    // there is no store; the host gives the archive back to its caller instead
)

// Error is how a store failed. It holds nothing of the data, and no path, so it may be logged and shown.
type Error struct {
	Code Code
	Err  error // for the operator: of Down, what the store itself said. It may name a path; do not show it to callers
}

var sentences = map[Code]string{
	BadRef:   "the ref is not one, or not that of the data",
	NotFound: "nothing is stored under this ref",
	TooLarge: "it is larger than the store takes",
	Conflict: "something else is stored under this ref",
	Corrupt:  "what is stored has changed",
	Down:     "the store does not answer",
	Canceled: "the caller went away",
	Absent:   "there is no store",
}

func (e *Error) Error() string { return "cannot use the archive: " + sentences[e.Code] }

// Unwrap makes errors.Is work on what the store itself said.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of an error of this package, "" of any other.
func CodeOf(err error) Code {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// bytesAt is what a store is made of: single reads and writes by key, without any of the rules.
type bytesAt interface {
	read(ctx context.Context, ref string) (data []byte, found bool, err error)
	write(ctx context.Context, ref string, data []byte) error
}

// kept adds the rules.
type kept struct {
	in    bytesAt
	limit int // bytes of one original
}

func (k kept) Put(ctx context.Context, ref string, data []byte) error {
	switch {
	case !Valid(ref) || Ref(data) != ref:
		return &Error{Code: BadRef}
	case len(data) > k.limit:
		return &Error{Code: TooLarge}
	case ctx.Err() != nil:
		return &Error{Code: Canceled, Err: ctx.Err()}
	}
	there, found, err := k.in.read(ctx, ref)
	switch {
	case err != nil:
		return failed(ctx, err)
	case found && bytes.Equal(there, data):
		return nil
	case found:
		return &Error{Code: Conflict}
	}
	// Two writers may come this far together. They write the same bytes, or one of them has made a collision.
	if err := k.in.write(ctx, ref, data); err != nil {
		return failed(ctx, err)
	}
	return nil
}

func (k kept) Get(ctx context.Context, ref string) ([]byte, error) {
	switch {
	case !Valid(ref):
		return nil, &Error{Code: BadRef}
	case ctx.Err() != nil:
		return nil, &Error{Code: Canceled, Err: ctx.Err()}
	}
	data, found, err := k.in.read(ctx, ref)
	switch {
	case err != nil:
		return nil, failed(ctx, err)
	case !found:
		return nil, &Error{Code: NotFound}
	case Ref(data) != ref:
		return nil, &Error{Code: Corrupt}
	}
	return data, nil
}

func failed(ctx context.Context, err error) *Error {
	if ctx.Err() != nil {
		return &Error{Code: Canceled, Err: ctx.Err()}
	}
	return &Error{Code: Down, Err: err}
}
