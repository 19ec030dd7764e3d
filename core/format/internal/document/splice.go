package document

import "tamp/core/msg"

// Splice returns the array with other items. White space is kept: an item keeps the gap before it, and a new one gets
// the gap of its neighbors.
func Splice(list msg.Raw, items []Item) msg.Raw {
	if list.Kind() != '[' {
		list = msg.Raw("[]")
	}
	// gaps[k] is the white space between element k-1 (or the bracket) and element k; the comma is written separately.
	var gaps []msg.Raw
	end := 1
	offset := 0
	for _, e := range list.Elements() {
		offset = indexFrom(list, e, end)
		gaps = append(gaps, list[end:offset])
		end = offset + len(e)
	}
	tail := list[end:]
	first, between := msg.Raw(nil), msg.Raw(",")
	switch len(gaps) {
	case 0:
	case 1:
		first, between = gaps[0], append(msg.Raw(","), gaps[0]...)
	default:
		first, between = gaps[0], gaps[1]
	}
	size := len(list)
	for _, item := range items {
		size += len(item.Raw) + len(between)
	}
	out := append(make(msg.Raw, 0, size), '[')
	for i, item := range items {
		switch {
		case i == 0:
			out = append(out, first...)
		case item.Index > 0 && item.Index < len(gaps):
			out = append(out, gaps[item.Index]...)
		default:
			out = append(out, between...)
		}
		out = append(out, item.Raw...)
	}
	return append(out, tail...)
}

// indexFrom returns the offset of the element e of list, which is at or after from with only white space and a comma
// before it.
func indexFrom(list, e msg.Raw, from int) int {
	for &list[from] != &e[0] {
		from++
	}
	return from
}
