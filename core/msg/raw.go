package msg

import (
	"bytes"
	"iter"
	"unicode/utf8"
)

// Limits of one conversation: 20 times what the longest sessions hold. An operation needs up to 2 KB of memory for a message and 1 KB
// for a block, so that a conversation at each limit is worked on in half a GB; as many as fit in MaxBytes would need hundreds.
const (
	MaxMessages = 250_000
	MaxBlocks   = 500_000 // includes parts of tool results; tool definitions are counted separately, with the same limit
	MaxLines    = 500_000 // of a log, including lines without a message
)

// Limits of one input. Deeper nesting than MaxDepth has no use in a conversation and is the classic way to exhaust a
// parser's stack; MaxBytes is far over any session seen and still fits a 32-bit address space with room to work.
const (
	MaxDepth = 1000
	MaxBytes = 256 << 20
)

// Raw is one JSON value as it came in, without surrounding white space. All methods expect valid JSON: Validate the
// whole input once, then use these methods, which do not validate again.
type Raw []byte

// Kind returns the first byte of the value, which determines its JSON type; '0' for a number, 0 for an absent value.
func (r Raw) Kind() byte {
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
func (r Raw) Clip() Raw { return r[:len(r):len(r)] }

// IsNull reports whether the value is absent or null.
func (r Raw) IsNull() bool { return len(r) == 0 || r[0] == 'n' }

// IsTrue reports whether the value is true.
func (r Raw) IsTrue() bool { return len(r) > 0 && r[0] == 't' }

// Members yields each member of an object in order, keys decoded. Anything else has no members.
// A repeated key is yielded twice; callers use the last one, as JavaScript and Python do.
func (r Raw) Members() iter.Seq2[string, Raw] { return (*Index)(nil).Members(r) }

// Elements yields each element of an array in order. Anything else has no elements.
func (r Raw) Elements() iter.Seq2[int, Raw] { return (*Index)(nil).Elements(r) }

// Member returns the value of the last member of that name, or nil.
func (r Raw) Member(name string) Raw {
	var found Raw
	for k, v := range r.Members() {
		if k == name {
			found = v
		}
	}
	return found
}

// Line returns the value on one line: r itself if it has no line break, else Compact of it.
func (r Raw) Line() []byte {
	if bytes.IndexByte(r, '\n') < 0 && bytes.IndexByte(r, '\r') < 0 {
		return r
	}
	return r.Compact()
}

// Compact returns a copy without the white space between tokens. It has no line break, since a valid JSON string has none.
func (r Raw) Compact() []byte {
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

func (m member) key(r Raw) string { return Raw(r[m.start:m.keyEnd]).Text() }

func (r Raw) members() iter.Seq[member] { return (*Index)(nil).members(r) }

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
		i += 2 // a backslash and what it escapes; valid JSON has no control characters here
	}
	return len(b)
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
