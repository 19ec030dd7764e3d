package claudecode

import (
	"bytes"
	"errors"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// line is one line of the file. Only lines of type user and assistant with a message that can be read have blocks.
type line struct {
	start, end int           // the bytes of the file, line break included
	raw        rawjson.Value // the object; nil for blank lines and for values that are not objects
	kind       string        // type
	subtype    string
	uuid       string
	parent     string        // parentUuid, "" for null
	time       rawjson.Value // timestamp
	message    rawjson.Value
	attachment rawjson.Value
	rendered   rawjson.Value // the texts that an attachment is sent as, since version 2.1.332
	shape      rawjson.Value // system prompt and tools of requests, since version 2.1.332; hash names it
	hash       string
	source     string // whose request it is
	request    string // requestId
	id         string // message.id
	key        string // the same for all lines of a message: its id, else that of its request; "" if it has neither
	model      string
	role       msg.Role
	blocks     []msg.Block
	usage      *msg.Usage
	isMessage  bool // a message that can be read
	isReminder bool // an attachment that is a part of the message before it
	sidechain  bool
	meta       bool
	summary    bool // isCompactSummary
	excluded   bool // not part of any request: an API error, or retracted
}

// read splits the file into lines and parses each of them.
func read(data []byte, blocks parser) (*log, error) {
	l := &log{data: data, room: msg.MaxBlocks, parse: blocks}
	l.lines = make([]line, 0, min(bytes.Count(data, []byte{'\n'})+1, msg.MaxLines))
	retracted := map[string]bool{}
	warn := func(w msg.Warning) { l.warnings = append(l.warnings, w) }
	err := jsonl.Read(data, warn, func(i int, text jsonl.Line) error {
		l.lines = append(l.lines, line{start: text.Start, end: text.End, raw: text.Raw})
		l.surrogates = l.surrogates || text.Index != nil && text.Index.Surrogates
		return l.readLine(i, text.Index, retracted)
	})
	if err != nil {
		return nil, err
	}
	for i := range l.lines {
		n := &l.lines[i]
		n.excluded = n.excluded || n.uuid != "" && retracted[n.uuid]
	}
	return l, l.known()
}

// readLine reads the members of an object. A line without one has none.
func (l *log) readLine(i int, x *rawjson.Index, retracted map[string]bool) error {
	n := &l.lines[i]
	apiError := false
	for it := x.Walk(n.raw); it.Step(); {
		value := it.Value
		switch string(it.Key()) {
		case "type":
			n.kind = value.Text()
		case "subtype":
			n.subtype = value.Text()
		case "uuid":
			n.uuid = value.Text()
		case "parentUuid":
			n.parent = value.Text()
		case "timestamp":
			n.time = value
		case "isSidechain":
			n.sidechain = value.IsTrue()
		case "isMeta":
			n.meta = value.IsTrue()
		case "isCompactSummary":
			n.summary = value.IsTrue()
		case "isApiErrorMessage":
			apiError = value.IsTrue()
		case "message":
			n.message = value
		case "attachment":
			n.attachment = value
		case "rendered":
			n.rendered = value
		case "shape":
			n.shape = value
		case "shapeHash":
			n.hash = value.Text()
		case "querySource":
			n.source = value.Text()
		case "requestId":
			n.request = value.Text()
		case "retractedMessageUuids":
			for _, uuid := range value.List() {
				retracted[uuid.Text()] = true
			}
		}
	}
	n.excluded = apiError
	if read := readers[n.kind]; read != nil {
		err := read(n, i, x, l)
		var known *msg.Error
		if errors.As(err, &known) && known.Code == msg.TooLarge {
			return err
		}
		if n.key = n.id; n.key == "" && n.request != "" {
			n.key = "request " + n.request
		}
		if err != nil {
			l.warn(msg.OddMessage, jsonl.Pointer(i), jsonl.Number(i)+" is kept, but not part of the conversation: "+err.Error())
		}
	}
	return nil
}

// readers reads the message of a line, by its type.
var readers = map[string]func(*line, int, *rawjson.Index, *log) error{"user": (*line).readMessage,
	"assistant": (*line).readMessage, "attachment": (*line).readAttachment}

// readMessage reads the API message of the line.
func (n *line) readMessage(i int, x *rawjson.Index, l *log) error {
	path := jsonl.Pointer(i) + "/message"
	if n.message.Kind() != '{' {
		return msg.NewError(msg.BadMessage, path,
			"cannot read the message: it is "+document.What(n.message)+", it must be an object")
	}
	content, diagnostics := rawjson.Value(nil), rawjson.Value(nil)
	n.role = msg.Role(n.kind)
	for it := x.Walk(n.message); it.Step(); {
		value := it.Value
		switch string(it.Key()) {
		case "role":
			// The agent uses type, so type decides between user and assistant.
			if role := msg.Role(value.Text()); value.Kind() == '"' && role != msg.User && role != msg.Assistant {
				n.role = role
			}
		case "content":
			content = value
		case "id":
			n.id = value.Text()
		case "model":
			n.model = value.Text()
		case "usage":
			n.usage = document.Usage(value)
		case "diagnostics":
			diagnostics = value
		}
	}
	document.ReadMiss(n.usage, diagnostics)
	if content.IsNull() {
		return msg.NewError(msg.BadMessage, path, "cannot read the message: it has no content")
	}
	blocks, err := l.parse(content, path+"/content", path, x, &l.room)
	if err != nil {
		return err
	}
	if n.summary {
		for k := range blocks {
			if blocks[k].Kind == msg.KindText {
				blocks[k].Kind = msg.KindSummary
			}
		}
	}
	n.blocks, n.isMessage = blocks, true
	return nil
}

// known returns an error if no line looks like one of a session log.
func (l *log) known() error {
	for i := range l.lines {
		if n := &l.lines[i]; n.kind != "" && (n.uuid != "" || n.isMessage) {
			return nil
		}
	}
	return msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is an object with type and uuid")
}
