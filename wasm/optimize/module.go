package main

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Section IDs of the WebAssembly binary format.
const (
	customSection    = 0
	typeSection      = 1
	importSection    = 2
	functionSection  = 3
	tableSection     = 4
	memorySection    = 5
	globalSection    = 6
	exportSection    = 7
	startSection     = 8
	elementSection   = 9
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

// preamble is the magic number and the version of the binary format.
var preamble = []byte("\x00asm\x01\x00\x00\x00")

// A section is one section of a module, without its size field.
type section struct {
	id   byte
	body []byte
}

var (
	errModule = errors.New("not a wasm module that the Go linker wrote")
	errNames  = errors.New("the module has no function names: link it without -s (go test: with -ldflags=-s=false)")
)

// splitSections returns the sections of a module. Their bodies alias it.
func splitSections(module []byte) ([]section, error) {
	if len(module) < len(preamble) || !slices.Equal(module[:len(preamble)], preamble) {
		return nil, errModule
	}
	var sections []section
	for r := (reader{rest: module[len(preamble):]}); len(r.rest) > 0; {
		id := r.byte()
		body := r.take(r.uleb())
		// A data count section would have to be updated with the data section; Go writes none.
		if r.failed || id == dataCountSection {
			return nil, errModule
		}
		sections = append(sections, section{id, body})
	}
	return sections, nil
}

// joinSections is the inverse of splitSections.
func joinSections(sections []section) []byte {
	module := slices.Clone(preamble)
	for _, s := range sections {
		module = append(module, s.id)
		module = binary.AppendUvarint(module, uint64(len(s.body)))
		module = append(module, s.body...)
	}
	return module
}

// A reader decodes the binary format from the front of rest. After a failure, failed is set and all results are zero.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) fail() { r.rest, r.failed = nil, true }

// take returns the next n bytes, which alias the input.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// string reads a name: its length and its bytes.
func (r *reader) string() string { return string(r.take(r.uleb())) }

// uleb reads an unsigned LEB128, which has the encoding of Go's uvarint.
func (r *reader) uleb() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// count reads the length of a list of elements of at least one byte each.
func (r *reader) count() uint64 {
	n := r.uleb()
	if n > uint64(len(r.rest)) {
		r.fail()
		return 0
	}
	return n
}

// sleb reads a signed LEB128 of up to 64 bits, in two's complement.
func (r *reader) sleb() uint64 {
	var v uint64
	for shift := 0; shift < 70; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift < 57 {
				v |= ^uint64(0) << (shift + 7)
			}
			return v
		}
	}
	r.fail()
	return 0
}

// appendSleb appends a value that is not negative as a signed LEB128. Bit 6 of the last byte is the sign, so a value
// that sets it takes one more byte.
func appendSleb(b []byte, v uint64) []byte {
	b = binary.AppendUvarint(b, v)
	if last := len(b) - 1; b[last]&0x40 != 0 {
		b[last] |= 0x80
		b = append(b, 0)
	}
	return b
}
