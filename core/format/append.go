package format

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"tamp/core/format/gemini"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/format/responses"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Append reads the messages that follow the conversation c. The result equals that of Parse of the whole input. data is
// a JSON array of messages, JSON Lines of messages, or further lines of a log. name is the requested format. If it is
// empty and the format of c is not certain, data can change the format.
//
// A record of UIMessage[] or opencode that has the id and the role of the last one replaces it: the client's answer has
// grown. If the record was compacted, given is what the client gave of it last (LastRecord), else nil: then only the
// parts are added that are new.
//
// The time is proportional to data, except in two cases, in which reread is the whole conversation and added is empty:
// the history of a client, in which a record may change which earlier ones are the conversation, and a conversation
// whose format changes.
// c is not changed. Errors are those of Parse, with a path into data.
func Append(c *msg.Conversation, data []byte, name Name, given rawjson.Value) (added []msg.Message,
	reread *msg.Conversation, err error) {
	if err := document.Size(data); err != nil {
		return nil, nil, err
	}
	row := findRow(c.Format)
	if row == nil {
		return nil, nil, unknownName(c.Format)
	}
	_, isDocument := c.Origin.(*document.Document)
	if row.read == nil && !isDocument {
		reread, err = appendLines(c, data)
		return nil, reread, err
	}
	list, err := listOf(data)
	if err != nil {
		return nil, nil, err
	}
	if row.read == nil || msg.IsLog(c.Format) {
		reread, err = appendUnsure(c, row, list, c.Format, given)
		return nil, reread, err
	}
	if name == "" && !FormatIsCertain(c) {
		plain, err := isPlain(list)
		if err == nil && !plain {
			reread, err = appendUnsure(c, row, list, "", nil)
		}
		if err != nil || reread != nil {
			return nil, reread, err
		}
	}
	before := shapes(0)
	if FormatIsCertain(c) {
		before = isAnthropic | isOpenAI
	}
	part, err := parseAfter(list, c.Format, before)
	if err != nil {
		return nil, nil, err
	}
	if last := len(c.Messages) - 1; last >= 0 && len(part.Messages) > 0 && isRun(&part.Messages[0]) &&
		c.Messages[last].Role == msg.Assistant && part.Messages[0].Role == msg.Assistant {
		reread, err = appendUnsure(c, row, list, c.Format, nil) // the two are one message
		return nil, reread, err
	}
	prefix := ""
	if d, ok := c.Origin.(*document.Document); ok {
		prefix = d.Prefix
	}
	by := elementsOf(c)
	switch c.Format {
	case msg.Gemini:
		gemini.Link(c.Messages, part.Messages)
	case msg.OpenAIChat, msg.Anthropic:
		document.MarkSpeakers(c.Messages, part.Messages)
	case msg.OpenAIResponses:
		responses.Link(c.Messages, part.Messages, c.Tools)
	}
	for i := range part.Messages {
		m := &part.Messages[i]
		m.Path = moved(m.Path, prefix, by)
		moveAll(m.Blocks, prefix, by)
		if run, ok := m.Origin.(document.Run); ok {
			m.Origin = document.Run{Start: run.Start + by, End: run.End + by}
		}
	}
	return part.Messages, nil, nil
}

func isRun(m *msg.Message) bool { _, ok := m.Origin.(document.Run); return ok }

// elementsOf returns the number of elements of the list that the messages of c are written as.
func elementsOf(c *msg.Conversation) int {
	count := 0
	for i := range c.Messages {
		run, ok := c.Messages[i].Origin.(document.Run)
		if !ok || c.Messages[i].Changed {
			run = document.Run{End: 1}
		}
		count += run.End - run.Start
	}
	return count
}

// moveAll moves the paths of blocks and of their parts.
func moveAll(blocks []msg.Block, prefix string, by int) {
	for b := range blocks {
		blocks[b].Path = moved(blocks[b].Path, prefix, by)
		moveAll(blocks[b].Parts, prefix, by)
	}
}

// moved returns the path "/n…" of a list as one of another list, under prefix and after by elements.
func moved(path, prefix string, by int) string {
	number, rest := path[1:], ""
	if end := strings.IndexByte(number, '/'); end >= 0 {
		number, rest = number[:end], number[end:]
	}
	n, _ := strconv.Atoi(number)
	return document.At(prefix, n+by) + rest
}

// listOf returns data as a JSON array: data itself, or an array of its lines.
func listOf(data []byte) ([]byte, error) {
	data = rawjson.Whole(data) // as c is read
	start, end := document.Trim(data)
	if start == end || data[start] != '{' {
		return data, nil
	}
	list := []byte{'['}
	for line := range bytes.Lines(data[start:end]) {
		from, to := document.Trim(line)
		if from == to {
			continue
		}
		if err := msg.Validate(line[from:to]); err != nil {
			return nil, err
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, line[from:to]...)
	}
	return append(list, ']'), nil
}

// FormatIsCertain reports whether the format of c is certain, so that no later message can change it.
func FormatIsCertain(c *msg.Conversation) bool {
	for it := c.Walk(); it.Next(); {
		block := it.Block
		if k := block.Kind; k == msg.KindToolUse || k == msg.KindToolResult {
			return true
		}
	}
	return false
}

// isPlain reports whether all messages have only text, which is the same in every format.
func isPlain(list []byte) (bool, error) {
	name, _, err := recognize(list)
	if err != nil || name != msg.Anthropic {
		return false, err
	}
	c, err := Parse(list, name)
	if err != nil {
		return false, err
	}
	for it := c.Walk(); it.Next(); {
		block := it.Block
		if block.Type != "text" {
			return false, nil
		}
	}
	return true, nil
}

// appendUnsure parses the whole conversation again, as the named format or, if that is empty, as the detected one.
func appendUnsure(c *msg.Conversation, row *row, list []byte, name Name, given rawjson.Value) (*msg.Conversation,
	error) {
	text, err := Render(c)
	if err != nil {
		return nil, err
	}
	member := row.list
	if member == "" { // an older session of Gemini CLI
		member = "messages"
	}
	d, err := document.Open(text, member)
	if err != nil {
		return nil, err
	}
	items := make([]document.Item, 0, len(d.Elements))
	for i, e := range d.Elements {
		items = append(items, document.Item{Raw: e, Index: i})
	}
	start, end := document.Trim(list)
	for k, e := range rawjson.Value(list[start:end]).List() {
		if n := len(items) - 1; k == 0 && row.list != "" && msg.IsLog(c.Format) {
			old := rawjson.Value(nil)
			if n >= 0 && isSameRecord(d.Elements[n], e) {
				old, items = d.Elements[n], items[:n] // the answer that has grown
			}
			if given != nil && isSameRecord(given, e) {
				e = newParts(old, given, e)
			}
		}
		if e != nil {
			items = append(items, document.Item{Raw: e, Index: -1})
		}
	}
	all := document.Splice(d.List, items)
	if d.Bare() {
		return Parse(all, name)
	}
	return Parse(d.WithList(all), name)
}

// LastRecord returns a copy of the last record of a client's history, nil for other formats.
func LastRecord(c *msg.Conversation) rawjson.Value {
	row := findRow(c.Format)
	if row.list == "" || !msg.IsLog(c.Format) {
		return nil
	}
	text, _ := Render(c)
	d, err := document.Open(text, row.list)
	if err != nil || len(d.Elements) == 0 {
		return nil
	}
	return append(rawjson.Value(nil), d.Elements[len(d.Elements)-1]...)
}

// Given returns a copy of the record in data if it is the only one, and the same as given, which it replaces.
func Given(given rawjson.Value, data []byte) rawjson.Value {
	list, _ := listOf(data)
	start, end := document.Trim(list)
	records := rawjson.Value(list[start:end]).List()
	if len(records) != 1 || !isSameRecord(given, records[0]) {
		return nil
	}
	return append(rawjson.Value(nil), records[0]...)
}

// newParts returns a record that has grown from given: with the parts of old, which compactions left, and those that
// are new or changed. It returns nil if there are none.
func newParts(old, given, grown rawjson.Value) rawjson.Value {
	was := given.Member("parts").List()
	var parts, added []rawjson.Value
	for k, part := range grown.Member("parts").List() {
		if k >= len(was) || !bytes.Equal(was[k], part) { // the usual place of an unchanged part
			k = placeOf(was, part, false)
		}
		if k >= 0 {
			was[k] = nil
		} else {
			added = append(added, part)
		}
	}
	was = slices.DeleteFunc(was, func(part rawjson.Value) bool { return part == nil }) // those that changed are left
	for _, part := range old.Member("parts").List() {
		if placeOf(was, part, true) < 0 {
			parts = append(parts, part)
		}
	}
	if parts = append(parts, added...); len(parts) == 0 {
		return nil
	}
	return grown.With("parts", rawjson.Value("[]").WithElements(parts))
}

// placeOf returns the place of a part in a list, also by the id of its call if byCall is set; -1 for none.
func placeOf(list []rawjson.Value, part rawjson.Value, byCall bool) int {
	id := callOf(part)
	for k, p := range list {
		if bytes.Equal(p, part) || byCall && id != "" && callOf(p) == id {
			return k
		}
	}
	return -1
}

// callOf returns the id of the call in a part, "" if there is none.
func callOf(part rawjson.Value) string {
	return part.Member("toolCallId").Text() + part.Member("callID").Text()
}

// isSameRecord reports records of a client with the same id and role.
func isSameRecord(a, b rawjson.Value) bool {
	hasID := false
	for _, path := range [...]string{"id", "role", "info/id", "info/role"} {
		was, is := record.At(a, path).Text(), record.At(b, path).Text()
		if was != is {
			return false
		}
		hasID = hasID || is != "" && strings.HasSuffix(path, "id")
	}
	return hasID
}

// appendLines parses a log with further lines again.
func appendLines(c *msg.Conversation, data []byte) (*msg.Conversation, error) {
	text, err := Render(c)
	if err != nil {
		return nil, err
	}
	whole := append(make([]byte, 0, len(text)+len(data)+1), text...)
	last := whole[bytes.LastIndexByte(whole, '\n')+1:]
	if repaired, _ := jsonl.Repair(last, nil); repaired != nil { // a record, and a part of the next one
		last = repaired[bytes.LastIndexByte(repaired, '\n')+1:]
	}
	if isRest(last, data) {
		return Parse(append(whole, data...), c.Format)
	}
	if n := len(whole); n > 0 && whole[n-1] != '\n' {
		whole = append(whole, '\n')
	}
	start, end := document.Trim(data)
	if start == end || data[start] != '[' || c.Format == msg.Aider { // whose lines are no JSON
		return Parse(append(whole, data[document.Mark(data):]...), c.Format)
	}
	if err := msg.Validate(data[start:end]); err != nil {
		return nil, err
	}
	for _, e := range rawjson.Value(data[start:end]).List() {
		whole = append(append(whole, e.Line()...), '\n')
	}
	return Parse(whole, c.Format)
}

// isRest reports whether data begins with the rest of a line that is cut short.
func isRest(line, data []byte) bool {
	rest, _, _ := bytes.Cut(data, []byte{'\n'})
	return len(line) > 0 && msg.Validate(line) != nil && msg.Validate(append(bytes.Clone(line), rest...)) == nil
}
