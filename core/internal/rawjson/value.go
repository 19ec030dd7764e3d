// Package rawjson reads and changes JSON without decoding it: a Value is the bytes of one JSON value as they came in,
// and every change copies all bytes that it does not concern.
package rawjson

import (
	"bytes"
	"encoding/binary"
	"iter"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// MaxDepth is the limit of nesting. Deeper values have no use in a conversation and are the classic way to exhaust a
// parser's stack.
const MaxDepth = 1000

// Value is one JSON value as it came in, without surrounding white space. All methods expect valid JSON: Check the
// whole input once, then use these methods, which do not validate again.
type Value []byte

// Kind returns the first byte of the value, which determines its JSON type; '0' for a number, 0 for an absent value.
func (r Value) Kind() byte {
	if len(r) == 0 {
		return 0
	}
	if c := r[0]; c == '{' || c == '[' || c == '"' || c == 't' || c == 'f' || c == 'n' {
		return c
	}
	return '0'
}

// Clip is slices.Clip: it removes unused capacity, so that an append to the result copies instead of overwriting the
// bytes that follow r in the document.
func (r Value) Clip() Value { return r[:len(r):len(r)] }

// IsNull reports whether the value is absent or null.
func (r Value) IsNull() bool { return len(r) == 0 || r[0] == 'n' }

// IsTrue reports whether the value is true.
func (r Value) IsTrue() bool { return len(r) > 0 && r[0] == 't' }

// Members yields each member of an object in order, keys decoded. Anything else has no members.
// A repeated key is yielded twice; callers use the last one, as JavaScript and Python do.
func (r Value) Members() iter.Seq2[string, Value] { return (*Index)(nil).Members(r) }

// Elements yields each element of an array in order. Anything else has no elements.
func (r Value) Elements() iter.Seq2[int, Value] { return (*Index)(nil).Elements(r) }

// Walk returns a Cursor before the first member of an object.
func (r Value) Walk() Cursor { return (*Index)(nil).Walk(r) }

// Items returns Items before the first element of an array.
func (r Value) Items() Items { return (*Index)(nil).Items(r) }

// List returns the elements of an array. A loop over it compiles to less than one over Elements, which is faster if a
// loop ends early or the array is large.
func (r Value) List() []Value {
	var list []Value
	for it := r.Items(); it.Next(); {
		list = append(list, it.Value)
	}
	return list
}

// Member returns the value of the last member of that name, or nil.
func (r Value) Member(name string) Value { return (*Index)(nil).Member(r, name) }

// Line returns the value on one line: r itself if it has no line break, else Compact of it.
func (r Value) Line() []byte {
	if bytes.IndexByte(r, '\n') < 0 && bytes.IndexByte(r, '\r') < 0 {
		return r
	}
	return r.Compact()
}

// LineLength returns the number of code points of Line.
func (r Value) LineLength() int {
	n := 0
	for i := 0; i < len(r); {
		if i+8 <= len(r) {
			if w := binary.LittleEndian.Uint64(r[i:]); (w|(w-swar.Ones*' '))&swar.Highs == 0 { // no byte under ' ' or over 127
				n += 8
				i += 8
				continue
			}
		}
		switch c := r[i]; {
		case c == '\n' || c == '\r':
			return utf8.RuneCount(r.Compact())
		case c < utf8.RuneSelf:
			n++
			i++
		default:
			start := i
			for i < len(r) && r[i] >= utf8.RuneSelf {
				i++
			}
			n += utf8.RuneCount(r[start:i])
		}
	}
	return n
}

// Plain returns the value as a text without white space between tokens: the model sees no pretty-printing, so it must
// not change a count.
func (r Value) Plain() string {
	for i := 0; i < len(r); i++ {
		switch r[i] {
		case ' ', '\t', '\n', '\r':
			return string(r.Compact())
		case '"':
			i = skipString(r, i) - 1
		}
	}
	return string(r)
}

// Compact returns a copy without the white space between tokens. It has no line break, since a valid JSON string has
// none.
func (r Value) Compact() []byte {
	out := make([]byte, 0, len(r))
	for i := 0; i < len(r); {
		switch c := r[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := skipString(r, i)
			out = append(out, r[i:end]...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// Position returns the line and column of a byte offset, both from 1; columns count code points.
func Position(data []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(data))
	head := data[:offset]
	line = bytes.Count(head, []byte{'\n'}) + 1
	return line, utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1
}

// member holds the offsets of one member in the bytes of its object.
type member struct{ start, keyEnd, value, end int }

func (m member) key(r Value) string { return Value(r[m.start:m.keyEnd]).Text() }

func (r Value) members() iter.Seq[member] { return (*Index)(nil).members(r) }

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the offset after the string that opens at i.
func skipString(b []byte, i int) int {
	for i = plainEnd(b, i+1); i < len(b); i = plainEnd(b, i) {
		if b[i] == '"' {
			return i + 1
		}
		i += 2 // a backslash and the escaped character; valid JSON has no control characters here
	}
	return len(b)
}

// Values returns the number of values in a JSON document, one more for each list and object. It reads each byte once.
// The number of a text that is no JSON has no meaning.
func Values(data []byte) int {
	n := 1
	for i := 0; i < len(data); {
		switch data[i] {
		case '"':
			i = skipString(data, i)
			continue
		case ',', '{', '[':
			n++
		}
		i++
	}
	return n
}

// skipValue returns the offset after the value that begins at i.
func skipValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
			continue
		default:
			for i++; i < len(b) && b[i] > ' ' && b[i] != ',' && b[i] != '}' && b[i] != ']'; i++ {
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}
