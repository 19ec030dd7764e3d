package rawjson

import (
	"iter"
	"slices"
	"unicode/utf8"
)

// Index records where the values of a document that are longer than 128 bytes end, so that nested readers skip each of
// them in O(log n). Its methods are those of Value, for values that share the document's memory. With a nil Index, or
// for a value of another document, they read every byte, as the methods of Value do.
type Index struct {
	Surrogates bool // a document that was read has an escape of a surrogate, alone or in a pair
	base       []byte
	long       []extent // by start
}

type extent struct{ start, end int32 }

// Reading a shorter value takes no longer than a lookup.
const longValue = 128

// NewIndex is Check, and returns the index of data. Do not use it after data changes.
func NewIndex(data []byte) (*Index, error) {
	x := &Index{}
	return x, x.Read(data)
}

// Read is Check, and makes x the index of data; it reuses the memory of x.
func (x *Index) Read(data []byte) error {
	x.base, x.long = data, x.long[:0]
	return validate(data, x)
}

// open adds a value that begins at i; close sets its end, and removes it if it is short.
func (x *Index) open(i int) int32 {
	x.long = append(x.long, extent{start: int32(i)})
	return int32(len(x.long) - 1)
}

func (x *Index) close(at int32, end int) {
	e := &x.long[at]
	if e.end = int32(end); e.end-e.start < longValue { // the values inside it are shorter and were removed already
		x.long = x.long[:at]
	}
}

// valueEnd returns the offset after the value that begins at i of r.
func (x *Index) valueEnd(r Value, i int) int {
	if x == nil || len(r)-i < longValue {
		return skipValue(r, i)
	}
	// Slices of one document end at the same capacity, which says where in it they begin.
	from := cap(x.base) - cap(r)
	if from < 0 || from >= len(x.base) || &x.base[from] != &r[0] {
		return skipValue(r, i)
	}
	start := int32(from + i)
	if at, found := slices.BinarySearchFunc(x.long, start,
		func(e extent, start int32) int { return int(e.start - start) }); found {
		return int(x.long[at].end) - from
	}
	return skipValue(r, i)
}

// Members is Value.Members.
func (x *Index) Members(r Value) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for m := range x.members(r) {
			if !yield(m.key(r), r[m.value:m.end]) {
				return
			}
		}
	}
}

// Cursor reads the members of an object one after the other: for c := x.Walk(r); c.Next(); { … }. It compiles to less
// than a loop over Members.
type Cursor struct {
	Name  string // decoded
	Value Value
	key   Value
	x     *Index
	r     Value
	at    int
}

// Walk returns a Cursor before the first member of r.
func (x *Index) Walk(r Value) Cursor {
	c := Cursor{x: x}
	if r.Kind() == '{' {
		c.r, c.at = r, skipSpace(r, 1)
	}
	return c
}

// Next reads the next member, and reports whether there is one.
func (c *Cursor) Next() bool {
	if !c.Step() {
		return false
	}
	c.Name = c.key.Text()
	return true
}

// Step is Next without Name, which Key has: a switch over string(c.Key()) allocates nothing.
func (c *Cursor) Step() bool {
	r := c.r
	if c.at >= len(r) || r[c.at] == '}' {
		return false
	}
	keyEnd := skipString(r, c.at)
	value := skipSpace(r, skipSpace(r, keyEnd)+1)
	end := c.x.valueEnd(r, value)
	c.key, c.Value = r[c.at:keyEnd], r[value:end]
	if c.at = skipSpace(r, end); c.at < len(r) && r[c.at] == ',' {
		c.at = skipSpace(r, c.at+1)
	}
	return true
}

// Key returns the name of the member, decoded. It shares the memory of the object if that is as it is written.
func (c *Cursor) Key() []byte {
	for _, b := range c.key {
		if b == '\\' || b >= utf8.RuneSelf {
			return []byte(c.key.Text())
		}
	}
	return c.key[1 : len(c.key)-1]
}

// Member is Value.Member.
func (x *Index) Member(r Value, name string) (found Value) {
	for c := x.Walk(r); c.Step(); {
		if string(c.Key()) == name {
			found = c.Value
		}
	}
	return found
}

// Elements is Value.Elements.
func (x *Index) Elements(r Value) iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for it := x.Items(r); it.Next() && yield(it.At, it.Value); {
		}
	}
}

// Items reads the elements of an array one after the other: for it := x.Items(r); it.Next(); { … }. As wasm it is
// smaller and faster than a loop over Elements.
type Items struct {
	At    int // index of Value
	Value Value
	x     *Index
	r     Value
	next  int // offset
}

// Items returns Items before the first element of r, which has none if it is no array.
func (x *Index) Items(r Value) Items {
	it := Items{At: -1, x: x}
	if r.Kind() == '[' {
		it.r, it.next = r, skipSpace(r, 1)
	}
	return it
}

// Next goes to the next element, and reports whether there is one.
func (it *Items) Next() bool {
	r := it.r
	if it.next >= len(r) || r[it.next] == ']' {
		return false
	}
	end := it.x.valueEnd(r, it.next)
	it.At, it.Value = it.At+1, r[it.next:end]
	if it.next = skipSpace(r, end); it.next < len(r) && r[it.next] == ',' {
		it.next = skipSpace(r, it.next+1)
	}
	return true
}

// members yields the members of an object; none of another value.
func (x *Index) members(r Value) iter.Seq[member] {
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
