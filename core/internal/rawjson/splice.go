package rawjson

// Edits of one value of a JSON document. All other bytes stay the same.

// With returns the object with the named member set to value. It replaces the last member of that name, which is the
// one that readers use, or appends a member if there is none.
func (r Value) With(name string, value Value) Value {
	var found member
	last := 0
	for m := range r.members() {
		if m.key(r) == name {
			found = m
		}
		last = m.end
	}
	out := make([]byte, 0, len(r)+len(name)+len(value)+4)
	if found.end > 0 {
		out = append(out, r[:found.value]...)
		out = append(out, value...)
		return append(out, r[found.end:]...)
	}
	if last > 0 {
		out = append(out, r[:last]...)
		out = append(out, ',')
	} else {
		last = 1
		out = append(out, '{')
	}
	out = AppendQuote(out, name)
	out = append(out, ':')
	out = append(out, value...)
	return append(out, r[last:]...)
}

// Without returns the object without the members of that name.
func (r Value) Without(name string) Value {
	out := []byte{'{'}
	from, first, cut := 1, true, false
	for m := range r.members() {
		if m.key(r) == name {
			cut = true
			continue
		}
		if cut {
			// The bytes between the two members belong to the removed one.
			if !first {
				out = append(out, ',')
			}
			from, cut = m.start, false
		}
		out = append(out, r[from:m.end]...)
		from, first = m.end, false
	}
	if cut {
		from = len(r) - 1
	}
	return append(out, r[from:]...)
}

// WithElements returns the array with the given elements, byte for byte, each after the white space that the array has
// before its first element.
func (r Value) WithElements(elements []Value) Value {
	if r.Kind() != '[' {
		r = Value("[]")
	}
	size := len(r)
	for _, e := range elements {
		size += len(e) + 1
	}
	lead := r[1:skipSpace(r, 1)]
	tailStart := len(r) - 1
	for tailStart > 1 && isSpace(r[tailStart-1]) {
		tailStart--
	}
	out := append(make([]byte, 0, size), '[')
	for i, e := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, lead...)
		out = append(out, e...)
	}
	return append(out, r[tailStart:]...)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
