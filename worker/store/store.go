// Package store keeps originals that a compaction removed from a conversation, each under the digest of its bytes. It
// is not a database: originals are never changed, listed or deleted here; the operator limits their lifetime with the
// lifecycle rules of the bucket. Start with NewR2, NewKV, NewDir or None.
//
// It is not a part of the API (see package core).
package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"syscall"
)

// Rules:
//   - A ref is core.Ref of the bytes: the first 16 hexadecimal digits of their SHA-256, in lower case. Put refuses
//     every other ref, so no caller can write under a ref that another caller reads, and a ref cannot be a path.
//   - Writing the same original twice has no effect. Stored bytes are never replaced: an attacker can find two
//     originals with the same 64 bits, and then the first one stays.
//   - Reading returns the bytes that were written, or an error: bytes that do not match their ref are Corrupt.

// Store keeps bytes. Implementations are safe for concurrent use. Every error they return is an *Error.
type Store interface {
	// Put returns nil after data is stored. It does not retain data.
	Put(ctx context.Context, ref string, data []byte) error
	// Get returns the original of that ref; the caller owns the slice.
	Get(ctx context.Context, ref string) ([]byte, error)
}

// Ref returns the ref of data; it is equal to core.Ref.
func Ref(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Valid reports whether text has the form of a ref.
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

// Code is the kind of failure of a store. Codes are stable: hosts switch on them.
type Code string

const (
	BadRef   Code = "bad_ref"   // malformed, or not the ref of the data
	NotFound Code = "not_found" // nothing is stored under the ref
	TooLarge Code = "too_large" // over the size limit of the store
	Conflict Code = "conflict"  // other bytes are stored under the ref
	Corrupt  Code = "corrupt"   // the stored bytes do not match their ref
	Down     Code = "down"      // the store failed; a retry may succeed
	Canceled Code = "canceled"  // the context ended first
	Absent   Code = "absent"    // no store is configured; the host returns the archive to its caller instead
)

// Error is a failure of a store. Its text contains neither data nor a path, so it may be logged and shown.
type Error struct {
	Code Code
	Err  error // for Down, the error of the platform, for the operator. It may contain a path: do not show it to callers
}

var sentences = map[Code]string{
	BadRef:   "the ref is malformed, or not the ref of the data",
	NotFound: "nothing is stored under this ref",
	TooLarge: "the original is over the size limit of the store",
	Conflict: "another original is stored under this ref",
	Corrupt:  "the stored original has changed",
	Down:     "the store does not answer",
	Canceled: "the caller disconnected",
	Absent:   "no store is configured",
}

func (e *Error) Error() string { return "cannot use the archive: " + sentences[e.Code] }

// Unwrap returns the error of the platform.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of an error of this package, "" for nil and any other error.
func CodeOf(err error) Code {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// CauseOf names the cause of an error of this package for a log, without any name of the platform's own: the operation
// and the error of the system, such as "write: no space left on device"; otherwise only the code.
func CauseOf(err error) string {
	cause := string(CodeOf(err))
	var number syscall.Errno
	if errors.As(err, &number) {
		cause = number.Error()
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Op + ": " + cause
	}
	return cause
}

// rawStore reads and writes single values by key, without the rules of Store.
type rawStore interface {
	read(ctx context.Context, ref string) (data []byte, found bool, err error)
	write(ctx context.Context, ref string, data []byte) error
}

// checkedStore is a Store: it applies the rules to a rawStore.
type checkedStore struct {
	in    rawStore
	limit int // max bytes of one original
}

func (k checkedStore) Put(ctx context.Context, ref string, data []byte) error {
	switch {
	case !Valid(ref) || Ref(data) != ref:
		return &Error{Code: BadRef}
	case len(data) > k.limit:
		return &Error{Code: TooLarge}
	case ctx.Err() != nil:
		return &Error{Code: Canceled, Err: ctx.Err()}
	}
	stored, found, err := k.in.read(ctx, ref)
	switch {
	case err != nil:
		return storeError(ctx, err)
	case found && bytes.Equal(stored, data):
		return nil
	case found:
		return &Error{Code: Conflict}
	}
	// Two writers may get here at the same time. They write the same bytes, unless one of them has a collision.
	if err := k.in.write(ctx, ref, data); err != nil {
		return storeError(ctx, err)
	}
	return nil
}

func (k checkedStore) Get(ctx context.Context, ref string) ([]byte, error) {
	switch {
	case !Valid(ref):
		return nil, &Error{Code: BadRef}
	case ctx.Err() != nil:
		return nil, &Error{Code: Canceled, Err: ctx.Err()}
	}
	data, found, err := k.in.read(ctx, ref)
	switch {
	case err != nil:
		return nil, storeError(ctx, err)
	case !found:
		return nil, &Error{Code: NotFound}
	case Ref(data) != ref:
		return nil, &Error{Code: Corrupt}
	}
	return data, nil
}

func storeError(ctx context.Context, err error) *Error {
	if ctx.Err() != nil {
		return &Error{Code: Canceled, Err: ctx.Err()}
	}
	return &Error{Code: Down, Err: err}
}
