package main

import (
	"encoding/binary"
	"errors"
	"slices"
)

const (
	customSection    = 0
	importSection    = 2
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

// preamble opens every wasm module: its magic word and its version.
var preamble = []byte("\x00asm\x01\x00\x00\x00")

// A section is one part of a module, without the size before it.
type section struct {
	id   byte
	body []byte
}

var (
	errModule = errors.New("this is no wasm module that Go wrote")
	errNames  = errors.New("its functions have no names: link it with -s=false")
)

// split returns the sections of a module; their bodies share its memory.
func split(module []byte) ([]section, error) {
	if len(module) < len(preamble) || !slices.Equal(module[:len(preamble)], preamble) {
		return nil, errModule
	}
	var sections []section
	for r := (reader{rest: module[len(preamble):]}); len(r.rest) > 0; {
		id := r.byte()
		body := r.take(r.number())
		// A module that counts its segments in a section of their own would need the count changed too; Go writes none.
		if r.short || id == dataCountSection {
			return nil, errModule
		}
		sections = append(sections, section{id, body})
	}
	return sections, nil
}

// join is the inverse of split.
func join(sections []section) []byte {
	module := slices.Clone(preamble)
	for _, s := range sections {
		module = append(module, s.id)
		module = binary.AppendUvarint(module, uint64(len(s.body)))
		module = append(module, s.body...)
	}
	return module
}

// A reader takes bytes and numbers off the front of rest. Once anything is missing it is short, and all it gives is zero.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.rest, r.short = nil, true
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

// number reads an unsigned LEB128, which is Go's uvarint.
func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.rest, r.short = nil, true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// signed reads a signed LEB128 of 64 bits at most.
func (r *reader) signed() uint64 {
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
	r.rest, r.short = nil, true
	return 0
}
