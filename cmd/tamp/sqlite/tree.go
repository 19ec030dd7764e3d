package sqlite

import "encoding/binary"

// The kinds of pages in the tree of a table.
const (
	interior = 0x05
	leaf     = 0x0d
)

// maxDepth is more than any tree has: a page has hundreds of children.
const maxDepth = 40

// rows calls row for each row of the table with a root, in the order of the tree.
func (d *Database) rows(root uint32, row func(values []Value) error) error {
	budget := d.pages // each page is in one place of one tree
	return d.walk(root, 0, &budget, row)
}

func (d *Database) walk(number uint32, depth int, budget *uint32, row func(values []Value) error) error {
	if depth > maxDepth || *budget == 0 {
		return errBroken
	}
	*budget--
	shared, err := d.readPage(number)
	if err != nil {
		return err
	}
	page := append([]byte{}, shared...)
	start := 0
	if number == 1 {
		start = headerSize
	}
	header := 8
	if page[start] == interior {
		header = 12
	}
	cells := int(binary.BigEndian.Uint16(page[start+3:]))
	if start+header+2*cells > len(page) {
		return errBroken
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[start+header+2*i:]))
		if at+4 > len(page) {
			return errBroken
		}
		switch page[start] {
		case interior:
			err = d.walk(binary.BigEndian.Uint32(page[at:]), depth+1, budget, row)
		case leaf:
			var values []Value
			if values, err = d.values(page, number, at); err == nil {
				err = row(values)
			}
		default: // a table without row IDs is a tree of another kind
			err = errBroken
		}
		if err != nil {
			return err
		}
	}
	if page[start] == interior {
		return d.walk(binary.BigEndian.Uint32(page[start+8:]), depth+1, budget, row)
	}
	return nil
}

// varint reads a number of up to 9 bytes; n is their number, 0 if there are too few.
func varint(from []byte) (value int64, n int) {
	for n < len(from) && n < 8 {
		value = value<<7 | int64(from[n]&0x7f)
		if n++; from[n-1] < 0x80 {
			return value, n
		}
	}
	if n >= len(from) {
		return 0, 0
	}
	return value<<8 | int64(from[n]), n + 1
}

// payload is where the content of a cell is: the first part in the page, the rest in a chain of pages.
type payload struct {
	size, local int
	head        []byte // from the content on, to the end of the page
}

func (d *Database) payloadOf(page []byte, at int) (p payload, err error) {
	size, n := varint(page[at:])
	_, m := varint(page[min(at+n, len(page)):])
	if p.size = int(size); n == 0 || m == 0 || size < 0 || size > int64(d.pages)*d.pageSize {
		return p, errBroken
	}
	p.head, p.local = page[at+n+m:], p.size
	if most := d.usable - 35; p.size > most {
		least := (d.usable-12)*32/255 - 23
		if p.local = least + (p.size-least)%(d.usable-4); p.local > most {
			p.local = least
		}
		if p.local+4 > len(p.head) {
			return p, errBroken
		}
	}
	if p.local > len(p.head) {
		return p, errBroken
	}
	return p, nil
}

// values reads the head of a row, and the numbers in it.
func (d *Database) values(page []byte, number uint32, cell int) ([]Value, error) {
	p, err := d.payloadOf(page, cell)
	if err != nil {
		return nil, err
	}
	all := p.head[:p.local]
	size, n := varint(all)
	if n == 0 || size < int64(n) || size > int64(len(all)) {
		return nil, errBroken // a head is not in other pages: it has a few bytes for each column
	}
	var values []Value
	from := int(size)
	for at := n; at < int(size); {
		kind, n := varint(all[at:size])
		if n == 0 {
			return nil, errBroken
		}
		at += n
		value := Value{d: d}
		bytes := 0
		switch {
		case kind >= 12:
			bytes = int(min(kind-12, 1<<40)) / 2
			value.Text = Text{number, cell, from, bytes}
		case kind >= 8:
			value.Int = kind - 8
		default:
			bytes = [...]int{0, 1, 2, 3, 4, 6, 8, 8}[max(kind, 0)]
			if from+bytes <= len(all) && kind != 7 { // in other pages: not one of those that are asked for
				for i, c := range all[from : from+bytes] {
					if value.Int = value.Int<<8 | int64(c); i == 0 {
						value.Int = int64(int8(c))
					}
				}
			}
		}
		from += bytes
		if from > p.size {
			return nil, errBroken
		}
		values = append(values, value)
	}
	return values, nil
}

// Read returns a text.
func (d *Database) Read(t Text) ([]byte, error) {
	if t.bytes == 0 {
		return nil, nil
	}
	page, err := d.readPage(t.page)
	if err != nil {
		return nil, err
	}
	p, err := d.payloadOf(page, t.cell)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, t.bytes)
	skip := t.from
	take := func(part []byte) {
		gone := min(skip, len(part))
		skip -= gone
		part = part[gone:]
		out = append(out, part[:min(len(part), t.bytes-len(out))]...)
	}
	take(p.head[:p.local])
	if len(out) == t.bytes {
		return out, nil
	}
	next := binary.BigEndian.Uint32(p.head[p.local:])
	for left := p.size - p.local; len(out) < t.bytes && left > 0; left -= d.usable - 4 {
		page, err := d.readPage(next)
		if err != nil {
			return nil, err
		}
		next = binary.BigEndian.Uint32(page)
		take(page[4:min(d.usable, 4+left)])
	}
	if len(out) < t.bytes {
		return nil, errBroken
	}
	return out, nil
}
