package msg

import (
	"iter"
	"slices"
)

// Skips knows where the long values of a document end, so that taking it apart does not go through each of them once more at
// every level: a session is a few thousand long strings, and validating it goes by all of them anyway. Its methods are those of
// Raw, for values that share the document's memory; nil, and a value of another document, are Raw's own way.
type Skips struct {
	base []byte
	long []extent // by start
}

type extent struct{ start, end int32 }

// Shorter values are gone through as quickly as they are looked up.
const longValue = 128

// ValidateSkips is Validate, and remembers where the long values end. The result must not outlive a change of data.
func ValidateSkips(data []byte) (*Skips, error) {
	x := &Skips{base: data}
	return x, validate(data, x)
}

// open notes a value that begins at i; close, that it ends. What turns out to be short is forgotten.
func (x *Skips) open(i int) int32 {
	x.long = append(x.long, extent{start: int32(i)})
	return int32(len(x.long) - 1)
}

func (x *Skips) close(at int32, end int) {
	e := &x.long[at]
	if e.end = int32(end); e.end-e.start < longValue { // what it holds is shorter still, and gone already
		x.long = x.long[:at]
	}
}

// valueEnd returns the offset after the value that begins at i of r.
func (x *Skips) valueEnd(r Raw, i int) int {
	if x == nil || len(r)-i < longValue {
		return skipValue(r, i)
	}
	// Slices of one document end at the same capacity, which says where in it they begin.
	from := cap(x.base) - cap(r)
	if from < 0 || from >= len(x.base) || &x.base[from] != &r[0] {
		return skipValue(r, i)
	}
	start := int32(from + i)
	if at, found := slices.BinarySearchFunc(x.long, start, func(e extent, start int32) int { return int(e.start - start) }); found {
		return int(x.long[at].end) - from
	}
	return skipValue(r, i)
}

// Members is Raw.Members.
func (x *Skips) Members(r Raw) iter.Seq2[string, Raw] {
	return func(yield func(string, Raw) bool) {
		for m := range x.members(r) {
			if !yield(m.key(r), r[m.value:m.end]) {
				return
			}
		}
	}
}

// Elements is Raw.Elements.
func (x *Skips) Elements(r Raw) iter.Seq2[int, Raw] {
	return func(yield func(int, Raw) bool) {
		if r.Kind() != '[' {
			return
		}
		i, n := skipSpace(r, 1), 0
		for i < len(r) && r[i] != ']' {
			end := x.valueEnd(r, i)
			if !yield(n, r[i:end]) {
				return
			}
			n++
			i = skipSpace(r, end)
			if i < len(r) && r[i] == ',' {
				i = skipSpace(r, i+1)
			}
		}
	}
}

func (x *Skips) members(r Raw) iter.Seq[member] {
	return func(yield func(member) bool) {
		if r.Kind() != '{' {
			return
		}
		i := skipSpace(r, 1)
		for i < len(r) && r[i] != '}' {
			m := member{start: i, keyEnd: skipString(r, i)}
			m.value = skipSpace(r, skipSpace(r, m.keyEnd)+1)
			m.end = x.valueEnd(r, m.value)
			if !yield(m) {
				return
			}
			i = skipSpace(r, m.end)
			if i < len(r) && r[i] == ',' {
				i = skipSpace(r, i+1)
			}
		}
	}
}
