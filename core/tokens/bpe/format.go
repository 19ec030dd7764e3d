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
// The rank of a token is its place in the file; its id is the rank plus the id of the first.
const (
	magic   = "tampbpe"
	version = 1
	header  = 32
)

// Nothing published comes near; a file that claims more is not a vocabulary.
const (
	maxTokens = 1 << 20
	maxLength = 1 << 12
)

// Pack makes the file that Load reads. Only the packing tool and tests have a use for it.
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

// packed is what a file says, before anything is made of it.
type packed struct {
	name   string
	first  int
	sizes  []uint16 // of the tokens in blob
	blob   string
	short  int // how many tokens have eight bytes at most
	long   int // how many have eight or more
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
	// From here on an error means a bad packer, not a bad transfer.
	count, reserved := field(24), field(28)
	p.first = field(20)
	r := reader{rest: data[header:]}
	p.name = r.bytes(r.number(0x80))
	if count > min(maxTokens, len(r.rest)) || p.first > maxTokens {
		return p, cannotLoad("% tokens from % on is more than any vocabulary has", count, p.first)
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

// reader reads what Pack wrote. Once broken, it reads nothing but zeros.
type reader struct {
	rest   string
	broken bool
}

// number reads a number below limit.
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

// cannotLoad makes the error of Load, with a number for each % in the reason. Inlined it would be a tenth of the package.
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

// checksum finds what a transfer may do to a file: each step is one to one in the sum and in the word, so one altered word
// always shows.
func checksum(data string) uint64 {
	sum := uint64(len(data))
	i := 0
	for ; i+8 <= len(data); i += 8 {
		sum = (sum ^ swar.Load(data, i)) * spread
		sum ^= sum >> 32
	}
	for ; i < len(data); i++ {
		sum = (sum ^ uint64(data[i])) * spread
		sum ^= sum >> 32
	}
	return sum
}
