package bpe

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"tamp/core/internal/swar"
)

// A packed vocabulary, all numbers little-endian:
//
//	 0  8 bytes  "tampbpe" and the version, 1
//	 8  uint64   checksum of everything from byte 16 on
//	16  uint32   size of the file
//	20  uint32   id of the first token
//	24  uint32   number of tokens
//	28  uint32   0, reserved
//	32  byte     length of the name, then the name
//	    uvarint  length of each token, in the order of their ranks
//	    bytes    all tokens, in the same order
//
// The rank of a token is its index in the file; its id is the rank plus the id of the first token.
const (
	magic   = "tampbpe"
	version = 1
	header  = 32
)

// Published vocabularies are far below these limits; Load refuses a file above them.
const (
	maxTokens = 1 << 20
	maxLength = 1 << 12
)

// Pack makes a file that Load reads. Only the packing tool and tests use it.
func Pack(name string, first int, tokens []string) []byte {
	out := append([]byte(magic), version)
	out = append(out, make([]byte, header-len(out))...)
	binary.LittleEndian.PutUint32(out[20:], uint32(first))
	binary.LittleEndian.PutUint32(out[24:], uint32(len(tokens)))
	out = append(out, byte(len(name)))
	out = append(out, name...)
	for _, t := range tokens {
		out = binary.AppendUvarint(out, uint64(len(t)))
	}
	for _, t := range tokens {
		out = append(out, t...)
	}
	binary.LittleEndian.PutUint32(out[16:], uint32(len(out)))
	binary.LittleEndian.PutUint64(out[8:], checksum(string(out[16:])))
	return out
}

// packed is the decoded content of a file.
type packed struct {
	name   string
	first  int
	sizes  []uint16 // of the tokens in blob
	blob   string
	short  int // number of tokens of at most eight bytes
	long   int // number of tokens of eight bytes or more
	length int // of the longest token
}

func unpack(data string) (p packed, err error) {
	if len(data) < header+1 || data[:len(magic)] != magic {
		return p, cannotLoad("this is not a packed vocabulary")
	}
	field := func(at int) int { return int(swar.Load(data, at-4) >> 32) }
	if data[len(magic)] != version {
		return p, cannotLoad("the file has version %, this engine reads %", int(data[len(magic)]), version)
	}
	if size := field(16); size != len(data) {
		return p, cannotLoad("the file should have % bytes, it has %", size, len(data))
	}
	if swar.Load(data, 8) != checksum(data[16:]) {
		return p, cannotLoad("the checksum does not match, the file was altered or damaged")
	}
	// From here on an error means a wrong packer, since the checksum excludes a damaged file.
	count, reserved := field(24), field(28)
	p.first = field(20)
	r := reader{rest: data[header:]}
	p.name = r.bytes(r.number(0x80))
	if count > min(maxTokens, len(r.rest)) || p.first > maxTokens {
		return p, cannotLoad("a vocabulary cannot have % tokens from id %", count, p.first)
	}
	p.sizes = make([]uint16, count)
	end := 0
	for i := range p.sizes {
		size := r.number(maxLength + 1)
		if size == 0 {
			return p, cannotLoad("token % has no possible length", i)
		}
		if size <= 8 {
			p.short++
		}
		if size >= 8 {
			p.long++
		}
		p.length = max(p.length, size)
		end += size
		p.sizes[i] = uint16(size)
	}
	p.blob = r.bytes(end)
	if r.broken || len(r.rest) > 0 || reserved != 0 {
		return p, cannotLoad("the sizes in the file contradict each other")
	}
	return p, nil
}

// reader reads the output of Pack. Once broken, it reads only zeros.
type reader struct {
	rest   string
	broken bool
}

// number reads a uvarint below limit.
func (r *reader) number(limit int) int {
	n := 0
	for i := 0; i < min(len(r.rest), 4); i++ { // no limit needs more
		b := int(r.rest[i])
		n |= b & 0x7F << (7 * i)
		if b >= 0x80 {
			continue
		}
		if n >= limit {
			break
		}
		r.rest = r.rest[i+1:]
		return n
	}
	r.rest, r.broken = "", true
	return 0
}

//go:noinline
func (r *reader) bytes(n int) string {
	if n > len(r.rest) {
		n, r.rest, r.broken = 0, "", true
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// cannotLoad makes the error of Load, with one of numbers for each % in the reason. Inlined it would be a tenth of the
// package's code.
//
//go:noinline
func cannotLoad(reason string, numbers ...int) error {
	text := "cannot load vocabulary: "
	for _, n := range numbers {
		before, after, _ := strings.Cut(reason, "%")
		text += before + strconv.Itoa(n)
		reason = after
	}
	return errors.New(text + reason)
}

// checksum detects damage in a transfer. Each step is a bijection of the sum and of the word, so one altered word
// always changes the result.
func checksum(data string) uint64 {
	sum := uint64(len(data))
	i := 0
	for ; i+8 <= len(data); i += 8 {
		sum = (sum ^ swar.Load(data, i)) * swar.FibonacciMultiplier
		sum ^= sum >> 32
	}
	for ; i < len(data); i++ {
		sum = (sum ^ uint64(data[i])) * swar.FibonacciMultiplier
		sum ^= sum >> 32
	}
	return sum
}
