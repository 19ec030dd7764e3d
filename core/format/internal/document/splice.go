package document

import (
	"bytes"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Splice returns the array with other items. White space is kept: an item keeps the gap before it, and a new one gets
// the gap of its neighbors.
func Splice(list rawjson.Value, items []Item) rawjson.Value { return splice(list, nil, items) }

// splice is Splice of a list that probably has these elements: then it is not read again.
func splice(list rawjson.Value, elements []rawjson.Value, items []Item) rawjson.Value {
	if list.Kind() != '[' {
		list = rawjson.Value("[]")
	}
	gaps, end, known := gapsOf(list, elements)
	if !known {
		gaps, end, _ = gapsOf(list, list.List())
	}
	tail := list[end:]
	first, between := rawjson.Value(nil), rawjson.Value(",")
	switch len(gaps) {
	case 0:
	case 1:
		first, between = gaps[0], append(rawjson.Value(","), gaps[0]...)
	default:
		first, between = gaps[0], gaps[1]
	}
	size := 1 + len(first) + len(tail)
	for _, item := range items {
		size += len(item.Raw) + len(between)
	}
	out := append(make(rawjson.Value, 0, size), '[')
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

// gapsOf returns the white space before each element, without the comma, and where the last element ends; known is
// false if the list has other elements.
func gapsOf(list rawjson.Value, elements []rawjson.Value) (gaps []rawjson.Value, end int, known bool) {
	gaps, end = make([]rawjson.Value, 0, len(elements)), 1
	for _, e := range elements {
		offset := elementStart(list, end)
		gaps = append(gaps, list[end:offset])
		if end = offset + len(e); end >= len(list) || !bytes.Equal(list[offset:end], e) {
			return nil, 0, false
		}
	}
	return gaps, end, elementStart(list, end) == len(list)-1
}

// elementStart returns the offset of the element at or after from, which only white space and a comma precede.
func elementStart(list rawjson.Value, from int) int {
	for isSpace(list[from]) || list[from] == ',' {
		from++
	}
	return from
}

// ListOf returns the document of an array; of any other value that of an empty one.
func ListOf(old rawjson.Value) *Document {
	if old.Kind() != '[' {
		return &Document{List: rawjson.Value("[]")}
	}
	return &Document{List: old, Elements: old.List()}
}

// WriteList returns the array with the given blocks, each written by write. Blocks that the old array holds keep the
// white space before them; an array that does not change is returned as it is. old may be no array.
func WriteList(old rawjson.Value, blocks []msg.Block, write func(*msg.Block) (rawjson.Value, error)) (rawjson.Value,
	error) {
	d := ListOf(old)
	items := make([]Item, 0, len(blocks))
	for i := range blocks {
		raw, err := write(&blocks[i])
		if err != nil {
			return nil, err
		}
		items = append(items, Item{Raw: raw, Index: d.Position(blocks[i].Path, blocks[i].Raw)})
	}
	return d.Replace(items), nil
}
