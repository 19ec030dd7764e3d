package document

import (
	"bytes"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Again is Read of an object with a list of messages that begins with those of an earlier object: of these only the
// bytes are compared. known returns the earlier messages, by the first one of data; the others are copied, so that they
// keep no other memory. spend is called with each text before it is read; its error is returned. Without an error and
// a Document, nothing is known, or data is not such an object, or has what rawjson.Whole replaces.
func Again(data []byte, known func(first rawjson.Value) []msg.Message, spend func(text []byte) error) (*Document,
	error) {
	list := messagesOf(data)
	if list < 0 || Size(data) != nil {
		return nil, nil
	}
	end := space(data, list+1)
	first, ok := rawjson.End(data, end)
	if !ok {
		return nil, nil
	}
	before := known(data[end:first])
	if before == nil {
		return nil, nil
	}
	var elements []rawjson.Value
	fresh, ends := []byte{'['}, []int{} // the elements that are not known
	for isLast := false; !isLast; end++ {
		if len(elements) == msg.MaxMessages {
			return nil, nil
		}
		at := space(data, end)
		if i := len(elements); i < len(before) && bytes.HasPrefix(data[at:], before[i].Raw) {
			elements, end = append(elements, before[i].Raw), at+len(before[i].Raw)
		} else {
			if end, ok = rawjson.End(data, at); !ok {
				return nil, nil
			}
			fresh = append(append(fresh, data[at:end]...), ',')
			elements, ends = append(elements, nil), append(ends, len(fresh)-1)
		}
		if end = space(data, end); end == len(data) || data[end] != ',' && data[end] != ']' {
			return nil, nil
		}
		isLast = data[end] == ']'
	}
	rest := bytes.Join([][]byte{data[:list], []byte("[]"), data[end:]}, nil)
	if fresh[len(fresh)-1] = ']'; len(ends) == 0 {
		fresh = []byte("[]")
	}
	for _, text := range [...][]byte{rest, fresh} {
		if !rawjson.IsWhole(text) {
			return nil, nil
		}
		if err := spend(text); err != nil {
			return nil, err
		}
	}
	d, err := Read(rest)
	if err != nil || cap(rest)-cap(d.Fields.Messages) != list { // another member of that name
		return nil, nil
	}
	if d.Index, err = rawjson.NewIndex(fresh); err != nil {
		return nil, nil
	}
	from := 1
	for i := range elements {
		if elements[i] == nil {
			elements[i] = fresh[from:ends[0]]
			from, ends = ends[0]+1, ends[1:]
		}
	}
	d.Rest, d.Data, d.Top = d.Top, data, data[d.start:len(data)-len(rest)+d.start+len(d.Top)]
	d.List, d.Elements, d.Known, d.Prefix = data[list:end], elements, before, "/messages"
	return d, nil
}

// messagesOf returns the offset of the list of messages of an object, whose end is not read; -1 if there is none.
func messagesOf(data []byte) int {
	at := space(data, 0)
	for open := byte('{'); at < len(data) && data[at] == open; open = ',' {
		key := space(data, at+1)
		end, ok := rawjson.End(data, key)
		colon := space(data, end)
		if !ok || data[key] != '"' || colon == len(data) || data[colon] != ':' {
			break
		}
		value := space(data, colon+1)
		if string(data[key:end]) == `"messages"` && value < len(data) && data[value] == '[' {
			return value
		}
		if at, ok = rawjson.End(data, value); !ok {
			break
		}
		at = space(data, at)
	}
	return -1
}

// space returns the offset of the first byte at or after from that is no white space.
func space(data []byte, from int) int {
	for from < len(data) && isSpace(data[from]) {
		from++
	}
	return from
}
