// Package document opens one JSON document that holds a list of messages, and puts a changed list back into it
// without changing another byte. It does not read the messages. Start with Open.
package document

import (
	"bytes"
	"strconv"

	"tamp/core/msg"
)

// Document is a JSON document: a bare array of messages, or an object with the array under "messages".
type Document struct {
	Data     []byte     // the whole input, byte order mark and white space included
	Top      msg.Raw    // the JSON value in it
	Fields   Fields     // of Top, if it is an object
	List     msg.Raw    // the array of messages
	Elements []msg.Raw  // the elements of List
	Prefix   string     // JSON Pointer of List: "" or "/messages"
	Index    *msg.Index // of Top, for fast reading
	start    int        // offset of Top in Data
}

// Fields are the members of a document that codecs use. They are found in one pass, since every pass skips all messages.
type Fields struct {
	Messages, Model, System, Tools, Functions, CacheControl msg.Raw
	Type, UUID                                              msg.Raw // of a line of a log
}

// Item is one element of a list to be written: an element of the old list (Index, perhaps with other bytes), or a new
// one (Index -1).
type Item struct {
	Raw   msg.Raw
	Index int
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// Trim returns the offsets of data without a byte order mark and without white space at its ends.
func Trim(data []byte) (start, end int) {
	start = Mark(data)
	for end = len(data); end > start && isSpace(data[end-1]); {
		end--
	}
	for start < end && isSpace(data[start]) {
		start++
	}
	return start, end
}

// Mark returns the length of the byte order mark at the start of data, 0 if there is none.
func Mark(data []byte) int {
	if bytes.HasPrefix(data, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// Value validates data and returns the one JSON value in it.
func Value(data []byte) (msg.Raw, error) {
	top, _, _, err := value(data)
	return top, err
}

// value is Value, and returns the offset of the value and its index.
func value(data []byte) (top msg.Raw, start int, index *msg.Index, err error) {
	if err := Size(data); err != nil {
		return nil, 0, nil, err
	}
	start, end := Trim(data)
	if start == end {
		return nil, 0, nil, msg.NewError(msg.BadJSON, "",
			"cannot parse JSON: the input is empty at line 1, column 1; give a conversation")
	}
	if index, err = msg.ValidateIndex(data[Mark(data):]); err != nil {
		return nil, 0, nil, err
	}
	return msg.Raw(data[start:end]), start, index, nil
}

// Size returns an error if data is over msg.MaxBytes.
func Size(data []byte) error {
	if len(data) <= msg.MaxBytes {
		return nil
	}
	return msg.NewError(msg.TooLarge, "", "cannot parse: the input has "+strconv.Itoa(len(data)>>20)+
		" MiB, at most "+strconv.Itoa(msg.MaxBytes>>20)+" MiB are accepted")
}

// Open validates data and finds its list of messages.
func Open(data []byte) (*Document, error) {
	d, err := Read(data)
	if err != nil {
		return nil, err
	}
	return d, d.Open()
}

// Read validates data and reads its top-level value, of any type.
func Read(data []byte) (*Document, error) {
	top, start, index, err := value(data)
	if err != nil {
		return nil, err
	}
	return read(data, top, start, index), nil
}

// ReadValid is Read of one JSON value that is known to be valid, without white space around it. index may be nil.
func ReadValid(value msg.Raw, index *msg.Index) *Document { return read(value, value, 0, index) }

func read(data []byte, top msg.Raw, start int, index *msg.Index) *Document {
	d := &Document{Data: data, Top: top, List: top, Index: index, start: start}
	for name, value := range index.Members(top) {
		switch name {
		case "messages":
			d.Fields.Messages = value
		case "model":
			d.Fields.Model = value
		case "system":
			d.Fields.System = value
		case "tools":
			d.Fields.Tools = value
		case "functions":
			d.Fields.Functions = value
		case "cache_control":
			d.Fields.CacheControl = value
		case "type":
			d.Fields.Type = value
		case "uuid":
			d.Fields.UUID = value
		}
	}
	return d
}

// Open finds the list of messages of a document that was read.
func (d *Document) Open() error {
	switch d.Top.Kind() {
	case '[':
	case '{':
		d.Prefix = "/messages"
		if d.List = d.Fields.Messages; d.List == nil {
			return msg.NewError(msg.BadMessage, "", "cannot read the conversation: the object has no messages; "+
				"give a request body with a messages array, or the array itself")
		}
	default:
		return msg.NewError(msg.BadMessage, "", "cannot read the conversation: it is "+What(d.Top)+
			"; give a request body with a messages array, or the array itself")
	}
	if d.List.Kind() != '[' {
		return msg.NewError(msg.BadMessage, d.Prefix, "cannot read the conversation: messages is "+What(d.List)+
			", it must be an array")
	}
	for i, e := range d.Index.Elements(d.List) {
		if i == msg.MaxMessages {
			return TooMany("messages", msg.MaxMessages, At(d.Prefix, i))
		}
		d.Elements = append(d.Elements, e)
	}
	return nil
}

// Bare reports whether the document is the array of messages itself.
func (d *Document) Bare() bool { return d.Prefix == "" }

// Replace returns the list with the given items, or the same bytes if nothing differs.
func (d *Document) Replace(items []Item) msg.Raw {
	if len(items) == len(d.Elements) {
		same := true
		for i, item := range items {
			same = same && item.Index == i && Same(item.Raw, d.Elements[i])
		}
		if same {
			return d.List
		}
	}
	return Splice(d.List, items)
}

// ElementIndex maps the address of each element's bytes to its index, so that a moved message is recognized.
func (d *Document) ElementIndex() map[*byte]int {
	index := make(map[*byte]int, len(d.Elements))
	for i, e := range d.Elements {
		index[&e[0]] = i
	}
	return index
}

// Bytes returns the document with another top-level value.
func (d *Document) Bytes(top msg.Raw) []byte {
	if Same(top, d.Top) {
		return d.Data
	}
	out := make([]byte, 0, len(d.Data)-len(d.Top)+len(top))
	out = append(out, d.Data[:d.start]...)
	out = append(out, top...)
	return append(out, d.Data[d.start+len(d.Top):]...)
}

// Same reports whether a and b are the same bytes in memory.
func Same(a, b msg.Raw) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
