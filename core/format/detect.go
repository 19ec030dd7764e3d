package format

import (
	"bytes"
	"strings"

	"tamp/core/format/aider"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Detect uses only the shape of the input, in this order (shape.go has the signs):
//  1. one object a line, any of them a line of a log               that log
//  2. an object, or an array, in which a decisive sign is found    its format: a foreign one before the others, else
//     that of the first sign
//  3. a hint, in the order Anthropic, OpenAI                       its format
//  4. a first message of role system or developer                  openai-chat
//  5. any other messages, also none at all                         anthropic

// Detect returns the format of data by its shape, "" if Parse does not read it.
func Detect(data []byte) Name {
	if document.Size(data) != nil {
		return ""
	}
	name, _, _ := recognize(data)
	return name
}

// recognize is Detect, and returns the reason if there is no format, and the document if data is one JSON value.
func recognize(data []byte) (Name, *document.Document, error) {
	lines := firstLines(data)
	if lines.log != 0 {
		name, err := usable(lines.log, "JSON Lines that begin with ", lines.first)
		return name, nil, err
	}
	d, err := document.Read(data)
	if err != nil {
		if lines.isLines {
			return "", nil, unrecognized("JSON Lines that begin with "+describe(lines.first), lines.first)
		}
		if log := restIsLog(data); log != 0 {
			name, err := usable(log, "JSON Lines", nil)
			return name, nil, err // its first line is broken
		}
		if repaired, _ := jsonl.Repair(data, nil); repaired != nil { // no line of it can be read
			if log := restIsLog(repaired); log != 0 {
				name, err := usable(log, "JSON Lines", nil)
				return name, nil, err
			}
		}
		if d := document.ReadCut(data); d != nil {
			if name, _ := recognizeDocument(d); name == msg.OpenCode {
				return name, d, nil
			}
		}
		return "", nil, noJSON(data, err)
	}
	if log := logOf(d); lines.isOne && log != 0 {
		name, err := usable(log, "one line of JSON: ", d.Top)
		return name, nil, err
	}
	name, err := recognizeDocument(d)
	return name, d, err
}

// usable returns the name of a shape, or the error for one without a codec. text and v describe the input.
func usable(of shapes, text string, v rawjson.Value) (Name, error) {
	row := rowOf(of)
	if row.render != nil {
		return row.name, nil
	}
	if v != nil {
		text += seen(v)
	}
	return "", unsupported(row, text)
}

// line is an object that may be a line of a log.
type line struct {
	d          *document.Document
	kind, role string
	inner      rawjson.Value // the member message
}

// has reports whether a line has all of the members.
func (l *line) has(names ...string) bool {
	for _, name := range names {
		if l.d.Index.Member(l.d.Top, name) == nil {
			return false
		}
	}
	return true
}

// hasInner reports whether the member message of a line has a member.
func (l *line) hasInner(name string) bool { return l.d.Index.Member(l.inner, name) != nil }

// logs are the logs, in the order in which they are tried: the first that fits is that of a line.
var logs = [...]struct {
	of   shapes
	fits func(l *line) bool
}{
	{isKimiCode, func(l *line) bool {
		return l.kind == "metadata" && l.has("protocol_version", "created_at") ||
			l.has("agentId", "time") && strings.Contains(l.kind, ".")
	}},
	{isKimi, func(l *line) bool {
		return oneOf("_system_prompt|_usage|_checkpoint", l.role) || l.kind == "metadata" && l.has("protocol_version") ||
			l.has("timestamp") && l.hasInner("payload")
	}},
	{isCopilot, func(l *line) bool { return strings.Contains(l.kind, ".") && l.has("data", "timestamp") }},
	{isQwen, func(l *line) bool { return (l.hasInner("parts") || l.has("systemPayload")) && l.d.Fields.UUID != nil }},
	{isClaudeCode, func(l *line) bool { return l.kind != "" && l.d.Fields.UUID.Kind() == '"' }},
	{isClaudeCode, func(l *line) bool { // the stream of the Claude Agent SDK
		return oneOf("user|assistant", l.kind) && l.has("session_id") && l.inner != nil ||
			l.kind == "system" && l.has("session_id", "subtype")
	}},
	{isCodex, func(l *line) bool { return l.has("timestamp") && l.d.Top.Member("payload").Kind() == '{' }},
	{isDroid, func(l *line) bool { return l.kind == "session_start" }},
	{isPi, func(l *line) bool {
		return l.kind == "session" && !l.has("createdAt") || l.kind == "message" && l.hasInner("role")
	}},
	{isGeminiCLI, func(l *line) bool {
		return l.has("sessionId", "projectHash") || l.has("$set") || l.has("$rewindTo") ||
			oneOf("user|gemini", l.kind) && l.has("id", "content")
	}},
	{isGrok, func(l *line) bool {
		return oneOf("user|assistant|tool_result", l.kind) && l.has("content") && l.inner == nil && l.role == "" &&
			!l.has("id")
	}},
	{isVSCodeLog, func(l *line) bool { return l.d.Top.Member("kind").Kind() == '0' && l.has("v") }},
	{isCursor, func(l *line) bool {
		return oneOf("user|assistant", l.role) && l.inner.Kind() == '{' && !l.has("content")
	}},
	{isSpans, func(l *line) bool { // or one of those that signs.log knows
		return l.has("traceId", "spanId") || l.has("trace_id", "span_id") || l.has("message_type") ||
			l.has("source") && (l.has("action") || l.has("observation") || l.has("kind"))
	}},
	{isCodex, func(l *line) bool { // an older file: bare items
		return l.has("record_type") || oneOf(itemTypes, l.kind) || l.isItem() ||
			l.has("id", "timestamp") && (l.has("instructions") || l.has("git"))
	}},
}

// isItem reports a message of the Responses API that is no answer of the Messages API.
func (l *line) isItem() bool {
	return l.kind == "message" && l.has("role") && l.d.Top.Member("content").Kind() == '[' && !l.has("stop_reason") &&
		!l.has("usage") && !l.has("stop_sequence")
}

// logOf returns the log whose line an object is, 0 for any other object.
func logOf(d *document.Document) shapes {
	if name, list := d.ListMember(); d.Top.Kind() != '{' || list.Kind() == '[' && name == "messages" {
		return 0
	}
	l := &line{d, d.Fields.Type.Text(), d.Index.Member(d.Top, "role").Text(), d.Index.Member(d.Top, "message")}
	for i := range logs {
		switch {
		case !logs[i].fits(l):
		case logs[i].of == isSpans:
			s := signs{}
			s.log(d.Top, nil)
			return s.first
		default:
			return logs[i].of
		}
	}
	return 0
}

func recognizeDocument(d *document.Document) (Name, error) {
	top, list := d.Top, d.Top
	switch top.Kind() {
	case '[':
	case '{':
		var member string
		if member, list = d.ListMember(); list == nil {
			if top.Member("lc") != nil {
				return usable(isLangChain, "", top)
			}
			return "", unrecognized(describe(top), top)
		}
		if list.Kind() != '[' && member == "messages" {
			return "", msg.NewError(msg.BadMessage, "/messages", "cannot read the conversation: messages is "+
				document.What(list)+", it must be an array")
		}
	default:
		return "", unrecognized(describe(top), top)
	}
	s := signsOf(d, list)
	if foreign := s.foreign(); foreign != 0 {
		// A log of lines is no JSON value with a list of messages, except for older files of Gemini CLI.
		if row := rowOf(foreign); row.parse != nil && (top.Kind() == '[' || row.name != msg.GeminiCLI) {
			return "", unsupported(row, seen(top))
		}
		return usable(foreign, "", top)
	}
	it := list.Items()
	empty, first := !it.Next(), it.Value
	switch hint := s.hints & -s.hints; {
	case s.first != 0:
		return usable(s.first, "", top)
	case !empty && !s.messages:
		if top.Kind() == '{' {
			return msg.Anthropic, nil // a valid body with invalid messages: Parse returns the error
		}
		return "", unrecognized(seen(top), first)
	case hint != 0:
		return usable(hint, "", top)
	}
	if role := first.Member("role").Text(); role == "system" || role == "developer" {
		return msg.OpenAIChat, nil
	}
	return msg.Anthropic, nil
}

// checkForced returns an error if a document that is to be read as the named format has decisive signs of another one.
// before has the shapes of the messages before it, if it is a continuation.
func checkForced(d *document.Document, name Name, before shapes) error {
	list := d.Top
	if d.Top.Kind() == '{' {
		if _, list = d.ListMember(); list == nil {
			return unrecognized(describe(d.Top), d.Top)
		}
	}
	own := shapes(0)
	for i := range table {
		if table[i].name == name {
			own = 1 << i
		}
	}
	if name == msg.Cline {
		own |= isAnthropic // whose messages it has
	}
	if name == msg.Interactions {
		own |= isResponses // a prompt that is a string, and a call
	}
	s := signsOf(d, list)
	foreign := s.decisive &^ own
	if before == 0 {
		foreign |= s.foreign() & isMixed
	}
	if (s.decisive|before)&own != 0 { // they share the shape of a message, so one can be found among the other
		foreign &^= isAnthropic | isOpenAI
	}
	if foreign == 0 {
		return s.requireOwn(d, list, name, own)
	}
	if row := rowOf(foreign); row.parse != nil && (d.Top.Kind() == '[' || row.name != msg.GeminiCLI) {
		return unsupported(row, seen(d.Top))
	}
	return mismatch(rowOf(foreign), name, seen(d.Top))
}

// requireOwn returns an error if nothing in the list could be of the named format: its codec keeps unknown objects, so
// it would take any.
func (s *signs) requireOwn(d *document.Document, list rawjson.Value, name Name, own shapes) error {
	isOwn := s.decisive&own != 0
	switch name {
	case msg.Gemini, msg.VSCodeChat, msg.Interactions:
	case msg.OpenAIResponses:
		isOwn = isOwn || s.messages
	default:
		return nil
	}
	if !isOwn && len(list.List()) > 0 {
		return msg.NewError(msg.UnknownFormat, "", "cannot read the conversation as "+name+": this is "+seen(d.Top)+
			", in which nothing is of this format; accepted are "+accepted())
	}
	return nil
}

// checkForcedLog returns an error if data, which is to be read as the lines of the named log, is one JSON value of
// another shape.
func checkForcedLog(data []byte, name Name) error {
	d, err := document.Read(data)
	if err != nil {
		return nil // lines, or no JSON: the codec returns the error
	}
	if _, list := d.ListMember(); d.Top.Kind() != '[' && list.Kind() != '[' {
		switch log := logOf(d); {
		case log == 0:
			return unrecognized(describe(d.Top), d.Top)
		case rowOf(log) != findRow(name):
			return mismatch(rowOf(log), name, describe(d.Top))
		}
		return nil
	}
	switch found, err := recognizeDocument(d); {
	case err != nil:
		return err
	case found != name:
		return mismatch(findRow(found), name, seen(d.Top))
	}
	return nil
}

// head describes the first lines of a file.
type head struct {
	isOne   bool          // there is one line, which was not parsed
	first   rawjson.Value // the first line, if it is a JSON value
	isLines bool          // at least two lines are JSON values
	log     shapes        // the log that a line belongs to, 0 for none
}

// firstLines reports whether a file is JSON Lines. It reads no further than needed.
func firstLines(data []byte) (h head) {
	if aider.Is(data) {
		return head{log: isAider}
	}
	start, end := document.Trim(data)
	rest, values := data[start:end], 0
	for len(rest) > 0 {
		line := rest
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			line, rest = rest[:n], rest[n+1:]
		} else {
			rest = nil
		}
		from, to := document.Trim(line)
		text := rawjson.Value(line[from:to])
		if len(text) == 0 {
			continue
		}
		if h.isOne = values == 0 && len(rest) == 0; h.isOne {
			return h
		}
		if msg.Validate(text) != nil {
			if values == 0 {
				return h
			}
			continue
		}
		values++
		if h.first == nil {
			h.first = text
		}
		h.isLines = values > 1
		// Lines of other agents can look like bare items: only the first one decides.
		if log := logOfLine(text); log != 0 && (values == 1 || log != isCodex || text.Member("payload") != nil) {
			h.log = log
			return h
		}
	}
	return h
}

// restIsLog returns the log that the lines after a broken first line belong to, 0 for none. An object with a comma
// behind it is an element of an array that is not read.
func restIsLog(data []byte) shapes {
	for line := range bytes.Lines(data) {
		from, to := document.Trim(line)
		text, isElement := bytes.CutSuffix(line[from:to], []byte{','})
		if rawjson.Value(text).Kind() != '{' || msg.Validate(text) != nil {
			continue
		}
		if isElement {
			return 0
		}
		if log := logOfLine(text); log != 0 {
			return log
		}
	}
	return 0
}

// logOfLine is logOf for a line that is valid JSON.
func logOfLine(line rawjson.Value) shapes { return logOf(document.ReadValid(line, nil)) }

// isOpenAIModel reports the name of a model that OpenAI sells, also behind that of its vendor.
func isOpenAIModel(name string) bool {
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, start := range [...]string{"gpt-", "chatgpt-", "o1", "o3", "o4"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}
