package claudecode

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/msg"
)

// line is one line of the file. Only lines of type user and assistant with a message that can be read have blocks.
type line struct {
	start, end int     // the bytes of the file, line break included
	raw        msg.Raw // the object; nil for blank lines and for values that are not objects
	kind       string  // type
	subtype    string
	uuid       string
	parent     string // parentUuid, "" for null
	message    msg.Raw
	id         string // message.id
	model      string
	role       msg.Role
	blocks     []msg.Block
	usage      *msg.Usage
	isMessage  bool // a message that can be read
	sidechain  bool
	meta       bool
	summary    bool // isCompactSummary
	excluded   bool // not part of any request: an API error, or retracted
}

// read splits the file into lines and parses each of them.
func read(data []byte) (*log, error) {
	if err := document.Size(data); err != nil {
		return nil, err
	}
	count := bytes.Count(data, []byte{'\n'}) + 1
	if count > msg.MaxLines+1 { // the last one may be empty
		return nil, document.TooMany("lines", msg.MaxLines, pointer(msg.MaxLines))
	}
	l := &log{data: data, lines: make([]line, 0, count), room: msg.MaxBlocks}
	start, stop := document.Trim(data)
	if start == stop {
		return nil, msg.NewError(msg.BadJSON, "", "cannot read the session log: the input is empty at line 1, column 1")
	}
	retracted := map[string]bool{}
	for at := 0; at < len(data); {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		n := line{start: at, end: end}
		from, to := document.Trim(data[at:end])
		if from > 0 && at > 0 {
			from, to = space(data[at:end]) // only the start of the file can have a byte order mark
		}
		text, last := msg.Raw(data[at+from:at+to]), at+to >= stop
		if len(text) > 0 {
			if err := l.readLine(&n, text, last, retracted); err != nil {
				return nil, err
			}
		}
		l.lines = append(l.lines, n)
		at = end
	}
	for i := range l.lines {
		n := &l.lines[i]
		n.excluded = n.excluded || n.uuid != "" && retracted[n.uuid]
	}
	return l, l.known()
}

// space trims white space only.
func space(b []byte) (from, to int) {
	for to = len(b); to > from && b[to-1] <= ' '; {
		to--
	}
	for from < to && b[from] <= ' ' {
		from++
	}
	return from, to
}

func (l *log) readLine(n *line, text msg.Raw, last bool, retracted map[string]bool) error {
	i := len(l.lines)
	if err := msg.Validate(text); err != nil {
		if last && i > 0 && isCut(text) {
			l.warn("cut_line", pointer(i), "the last line ("+number(i)+") is cut short: it is kept, but not part of the conversation")
			return nil
		}
		return lineError(i, err)
	}
	if text.Kind() != '{' {
		l.warn("odd_line", pointer(i), number(i)+" is "+document.What(text)+", not an object: it is kept, but not part of the conversation")
		return nil
	}
	n.raw = text
	apiError := false
	for name, value := range text.Members() {
		switch name {
		case "type":
			n.kind = value.Text()
		case "subtype":
			n.subtype = value.Text()
		case "uuid":
			n.uuid = value.Text()
		case "parentUuid":
			n.parent = value.Text()
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
		case "retractedMessageUuids":
			for _, uuid := range value.Elements() {
				retracted[uuid.Text()] = true
			}
		}
	}
	n.excluded = apiError
	if n.kind == "user" || n.kind == "assistant" {
		err := n.readMessage(i, &l.room)
		var known *msg.Error
		if errors.As(err, &known) && known.Code == msg.TooLarge {
			return err
		}
		if err != nil {
			l.warn("odd_line", pointer(i), number(i)+" is kept, but not part of the conversation: "+err.Error())
		}
	}
	return nil
}

// readMessage reads the API message of the line.
func (n *line) readMessage(i int, room *document.Room) error {
	path := pointer(i) + "/message"
	if n.message.Kind() != '{' {
		return msg.NewError(msg.BadMessage, path, "cannot read the message: it is "+document.What(n.message)+", it must be an object")
	}
	content := msg.Raw(nil)
	n.role = msg.Role(n.kind)
	for name, value := range n.message.Members() {
		switch name {
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
		}
	}
	if content.IsNull() {
		return msg.NewError(msg.BadMessage, path, "cannot read the message: it has no content")
	}
	blocks, err := block.Parse(content, path+"/content", path, nil, room)
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

// lineError adds the line of the file to a JSON error in one line.
func lineError(i int, err error) error {
	var known *msg.Error
	if !errors.As(err, &known) {
		return err
	}
	text := strings.Replace(known.Msg, "at line 1, column", "at line "+strconv.Itoa(i+1)+", column", 1)
	return &msg.Error{Code: known.Code, Path: pointer(i), Msg: text}
}

// isCut reports whether a line is incomplete: it ends inside a string, an object or an array.
func isCut(text []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth <= 0 && i+1 < len(text) {
				return false // other bytes follow the closed value
			}
		}
	}
	return text[0] == '{' && (inString || depth > 0)
}
