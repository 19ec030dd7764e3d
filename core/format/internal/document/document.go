// Package document opens one JSON document that holds a list of messages, and puts a changed list back into it
// without changing another byte. It does not read the messages. Start with Open.
package document

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Document is a JSON document: a bare array of messages, or an object with the array as a member, such as "messages".
type Document struct {
	Data     []byte          // the whole input, byte order mark and white space included
	Top      rawjson.Value   // the JSON value in it
	Rest     rawjson.Value   // Top without the elements of List, if they were known; else nil
	Fields   Fields          // of Top, if it is an object
	List     rawjson.Value   // the array of messages
	Elements []rawjson.Value // the elements of List
	Silent   map[int]bool    // the elements that have no message, of a format with records
	Paths    []string        // the JSON Pointers of Elements that are not in List, such as lines; else nil
	Prefix   string          // JSON Pointer of List: "", or "/messages" or another member
	Index    *rawjson.Index  // of Top, for fast reading
	Known    []msg.Message   // the messages of the first elements, if an earlier document had the same
	start    int             // offset of Top in Data
	places   map[string]int  // of Paths, plus 1
	IsCut    bool            // Top is what is whole of Data; see ReadCut
}

// Fields are the members of a document that codecs use. They are found in one pass, since every pass skips all
// messages.
type Fields struct {
	Messages, Model, System, Tools, Functions, CacheControl rawjson.Value
	Input, Contents                                         rawjson.Value // the messages in other APIs
	Requests                                                rawjson.Value // of a chat of VS Code
	Compacted                                               bool          // Input is the member output, see read
	Thinking                                                rawjson.Value // whether the model thinks
	Thread                                                  rawjson.Value // of Anthropic
	Type, UUID                                              rawjson.Value // of a line of a log
}

// Item is one element of a list to be written: an element of the old list (Index, perhaps with other bytes), or a new
// one (Index -1).
type Item struct {
	Raw   rawjson.Value
	Was   rawjson.Value // the element as it was read, for a codec whose messages have several
	Index int
}

// Run is the half-open range of the elements that one message was read from, as its Origin. A message without one has
// one element.
type Run struct{ Start, End int }

var byteOrderMark = []byte("\xEF\xBB\xBF")

// Trim returns the offsets of data without a byte order mark and without white space at its ends.
func Trim(data []byte) (start, end int) {
	mark := Mark(data)
	start, end = TrimSpace(data[mark:])
	return mark + start, mark + end
}

// TrimSpace returns the offsets of data without white space at its ends.
func TrimSpace(data []byte) (start, end int) {
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
func Value(data []byte) (rawjson.Value, error) {
	top, _, _, err := value(data)
	return top, err
}

// value is Value, and returns the offset of the value and its index.
func value(data []byte) (top rawjson.Value, start int, index *rawjson.Index, err error) {
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
	return rawjson.Value(data[start:end]), start, index, nil
}

// Size returns an error if data is over msg.MaxBytes, or is text in UTF-16.
func Size(data []byte) error {
	switch {
	case len(data) > msg.MaxBytes:
		return msg.NewError(msg.TooLarge, "", "cannot parse: the input has "+strconv.Itoa(len(data)>>20)+
			" MiB, at most "+strconv.Itoa(msg.MaxBytes>>20)+" MiB are accepted")
	case bytes.HasPrefix(data, []byte("SQLite format 3\x00")):
		return msg.NewError(msg.UnknownFormat, "", "cannot recognize the format: this is an SQLite database; give a session "+
			"as its agent exports it, such as with opencode export")
	case isUTF16(data[:min(len(data), 8)]):
		return msg.NewError(msg.BadJSON, "", "cannot parse JSON: a zero byte near line 1, column 1: this is text in UTF-16, "+
			"it seems; save it as UTF-8")
	}
	return nil
}

// isUTF16 reports whether text begins as in UTF-16, where each ASCII character has a zero byte. Zeros next to each
// other are those of a file whose machine lost its power.
func isUTF16(text []byte) bool {
	return bytes.Count(text, []byte{0}) > 1 && !bytes.Contains(text, []byte{0, 0})
}

// Open validates data and finds its list of messages: data itself, or the named member.
func Open(data []byte, member string) (*Document, error) {
	d, err := Read(data)
	if err != nil {
		return nil, err
	}
	return d, d.Open(member)
}

// Read validates data and reads its top-level value, of any type.
func Read(data []byte) (*Document, error) {
	top, start, index, err := value(data)
	if err != nil {
		return nil, err
	}
	return read(data, top, start, index), nil
}

// ReadCut is Read of an object that ends in the middle of a list of objects, without the element that is not whole: nil
// if data is nothing of the kind. It is written as it was, or, with a change, whole.
func ReadCut(data []byte) *Document {
	var open [3]byte // the first containers around a place
	depth, inString, end := 0, false, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth < len(open) {
				open[depth] = c
			}
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 1 {
				return nil
			}
			if depth == 2 && open == [3]byte{'{', '[', '{'} {
				end = i + 1
			}
		}
	}
	if end == 0 {
		return nil
	}
	d, err := Read(append(slices.Clip(data[:end]), "]}"...))
	if err != nil {
		return nil
	}
	d.Data, d.IsCut = data, true
	return d
}

// ReadValid is Read of one JSON value that is known to be valid, without white space around it. index may be nil.
func ReadValid(value rawjson.Value, index *rawjson.Index) *Document {
	return read(value, value, 0, index)
}

// read reads the members. What OpenAI's /responses/compact answers is an input: its output is used whole (openai
// 7.57.0, CompactedResponse).
func read(data []byte, top rawjson.Value, start int, index *rawjson.Index) *Document {
	d := &Document{Data: data, Top: top, List: top, Index: index, start: start}
	var output, requests rawjson.Value
	isChat := false
	for it := index.Walk(top); it.Step(); {
		value := it.Value
		switch string(it.Key()) {
		case "messages":
			d.Fields.Messages = value
		case "model":
			d.Fields.Model = value
		case "input":
			d.Fields.Input = value
		case "contents":
			d.Fields.Contents = value
		case "system":
			d.Fields.System = value
		case "tools":
			d.Fields.Tools = value
		case "functions":
			d.Fields.Functions = value
		case "cache_control":
			d.Fields.CacheControl = value
		case "thinking":
			d.Fields.Thinking = value
		case "thread":
			d.Fields.Thread = value
		case "type":
			d.Fields.Type = value
		case "uuid":
			d.Fields.UUID = value
		case "object":
			d.Fields.Compacted = value.Text() == "response.compaction"
		case "output":
			output = value
		case "requests":
			requests = value
		case "responderUsername":
			isChat = true
		}
	}
	if d.Fields.Compacted = d.Fields.Compacted && d.Fields.Input == nil && output != nil; d.Fields.Compacted {
		d.Fields.Input = output
	}
	if isChat {
		d.Fields.Requests = requests
	}
	return d
}

// ListMember returns the name and the value of the first member that is a list of messages; "" if there is none.
func (d *Document) ListMember() (string, rawjson.Value) {
	for _, list := range [...]struct {
		name  string
		value rawjson.Value
	}{{"messages", d.Fields.Messages}, {"input", d.Fields.Input}, {"contents", d.Fields.Contents},
		{"requests", d.Fields.Requests}} {
		if list.value != nil {
			return list.name, list.value
		}
	}
	return "", nil
}

// Open finds the list of messages of a document that was read: the named member of an object, or the array itself.
func (d *Document) Open(member string) error {
	if d.Rest != nil {
		return nil // Again has opened it
	}
	hint := "; give a request body with " + member + ", an array, or the array itself"
	switch d.Top.Kind() {
	case '[':
	case '{':
		if d.Prefix = "/" + member; member == "input" && d.Fields.Compacted {
			d.Prefix = "/output"
		}
		if d.List = d.member(member); d.List == nil {
			return msg.NewError(msg.BadMessage, "", "cannot read the conversation: the object has no "+member+hint)
		}
	default:
		return msg.NewError(msg.BadMessage, "", "cannot read the conversation: it is "+What(d.Top)+hint)
	}
	if d.List.Kind() == '"' && member == "input" {
		return nil // a single prompt
	}
	if d.List.Kind() != '[' {
		return msg.NewError(msg.BadMessage, d.Prefix, "cannot read the conversation: "+member+" is "+What(d.List)+
			", it must be an array")
	}
	for it := d.Index.Items(d.List); it.Next(); {
		if it.At == msg.MaxMessages {
			return TooMany("messages", msg.MaxMessages, At(d.Prefix, it.At))
		}
		d.Elements = append(d.Elements, it.Value)
	}
	return nil
}

// member returns a member of Top, without a search if it is one of Fields.
func (d *Document) member(name string) rawjson.Value {
	switch name {
	case "messages":
		return d.Fields.Messages
	case "input":
		return d.Fields.Input
	case "contents":
		return d.Fields.Contents
	}
	return d.Top.Member(name)
}

// Render returns the document with another list.
func (d *Document) Render(list rawjson.Value) []byte {
	switch {
	case bytes.Equal(list, d.List):
		return d.Data
	case d.Bare():
		return d.Bytes(list)
	}
	return d.Bytes(d.WithList(list))
}

// WithList returns Top, which is an object, with another list. It does not search for the member: slices of one
// document end at the same capacity, which says where in it the list begins.
func (d *Document) WithList(list rawjson.Value) rawjson.Value {
	from := cap(d.Top) - cap(d.List)
	end := from + len(d.List)
	if from <= 0 || end > len(d.Top) || len(d.List) == 0 || &d.Top[from] != &d.List[0] {
		return d.Top.With(d.Prefix[1:], list)
	}
	out := make(rawjson.Value, 0, len(d.Top)-len(d.List)+len(list))
	return append(append(append(out, d.Top[:from]...), list...), d.Top[end:]...)
}

// New returns the document of a conversation that was made and not read: an empty array.
func New() *Document {
	empty := rawjson.Value("[]")
	return &Document{Data: empty, Top: empty, List: empty}
}

// From returns the document that a conversation was read from, New if it was made.
func From(c *msg.Conversation) *Document {
	if d, ok := c.Origin.(*Document); ok {
		return d
	}
	return New()
}

// Of returns the document of messages that are the elements of something else, with their JSON Pointers.
func Of(elements []rawjson.Value, paths []string) *Document {
	d := New()
	d.Elements, d.Paths, d.places = elements, paths, make(map[string]int, len(paths))
	for i, path := range paths {
		d.places[path] = i + 1
	}
	return d
}

// Bare reports whether the document is the array of messages itself.
func (d *Document) Bare() bool { return d.Prefix == "" }

// Replace returns the list with the given items, or the same bytes if nothing differs.
func (d *Document) Replace(items []Item) rawjson.Value {
	if len(items) == len(d.Elements) {
		same := true
		for i, item := range items {
			same = same && bytes.Equal(item.Raw, d.Elements[i])
		}
		if same {
			return d.List
		}
	}
	return splice(d.List, d.Elements, items)
}

// Same reports whether two values are the same bytes.
func Same(a, b rawjson.Value) bool { return bytes.Equal(a, b) }

// Path returns the JSON Pointer of element i.
func (d *Document) Path(i int) string {
	if d.Paths != nil {
		return d.Paths[i]
	}
	return At(d.Prefix, i)
}

// Before returns the message of an element as it was read from an earlier document, if that had the same element.
func (d *Document) Before(i int) (m msg.Message, ok bool) {
	if i >= len(d.Known) || !bytes.Equal(d.Known[i].Raw, d.Elements[i]) {
		return m, false
	}
	return d.Known[i], true
}

// Position returns the index of the element that was read as raw at path, so that a moved one keeps the white space
// before it; -1 if the list has no such element.
func (d *Document) Position(path string, raw rawjson.Value) int {
	n, err := strconv.ParseUint(path[strings.LastIndexByte(path, '/')+1:], 10, 31)
	i := int(n)
	if d.places != nil {
		i, err = d.places[path]-1, nil
	}
	if err == nil && i >= 0 && i < len(d.Elements) && bytes.Equal(raw, d.Elements[i]) {
		return i
	}
	return -1
}

// Bytes returns the document with another top-level value.
func (d *Document) Bytes(top rawjson.Value) []byte {
	if bytes.Equal(top, d.Top) {
		return d.Data
	}
	out := make([]byte, 0, max(len(d.Data)-len(d.Top), 0)+len(top))
	out = append(out, d.Data[:d.start]...)
	out = append(out, top...)
	if d.IsCut {
		return out
	}
	return append(out, d.Data[d.start+len(d.Top):]...)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
