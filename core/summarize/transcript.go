package summarize

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Item is one block of a transcript, with its context.
type Item struct {
	Turn      int // 0: not known
	Role      msg.Role
	Block     *msg.Block
	Tool      string // of a result: the name of its tool
	Injected  bool   // a program wrote the text
	Important bool   // to come first in the summary
}

// Cuts are the maximum lengths of the parts of a transcript, in code points; 0 means no limit.
type Cuts struct {
	String int // a message whose content is one string
	Text   int // a text block
	Result int // a tool result
	Input  int // a call's input
}

// Transcript writes blocks as text for a model: for each block a heading, then its text.
func Transcript(items []Item, cuts Cuts) string {
	parts := make([]string, 0, 3*len(items)) // joined at the end: a builder would copy the text each time it grows
	for i := range items {
		separator, turn := "\n\n", ""
		if i == 0 {
			separator = ""
		}
		it := &items[i]
		if it.Turn > 0 {
			turn = "turn " + strconv.Itoa(it.Turn) + ", "
		}
		parts = append(parts, separator, "["+turn+heading(it)+"]\n", body(it.Block, cuts))
	}
	return strings.Join(parts, "")
}

func heading(it *Item) string {
	text := string(it.Role) + ", " + it.Block.Type
	switch it.Block.Kind {
	case msg.KindToolUse:
		text = "the agent calls " + it.Block.Name
	case msg.KindToolResult:
		text = "result of " + it.Tool
		if it.Block.IsError {
			text = "error from " + it.Tool
		}
	case msg.KindThinking:
		text = "the agent thinks"
	case msg.KindText:
		switch {
		case it.Role == msg.Assistant:
			text = "the agent says"
		case it.Injected:
			text = "injected"
		case it.Role == msg.User:
			text = "the user says"
		}
	}
	if it.Important {
		text += ", important"
	}
	return text
}

// body is the text of a block for a model. Images and documents are named without their data, and so is thinking that
// only the provider can read.
func body(b *msg.Block, cuts Cuts) string {
	switch b.Kind {
	case msg.KindImage:
		return "(an image)"
	case msg.KindDocument:
		if b.Text == "" {
			return "(a document)"
		}
	case msg.KindThinking:
		if b.Type == "redacted_thinking" {
			return "(not readable)"
		}
	case msg.KindToolUse:
		return cutWithCount(b.Text, cuts.Input)
	case msg.KindToolResult:
		text := cutWithCount(b.Text, cuts.Result)
		if b.HasMedia() {
			text = strings.TrimSpace(text + "\n(with an image or a document)")
		}
		return text
	}
	if b.Bare {
		return cutWithCount(b.Text, cuts.String)
	}
	return cutWithCount(b.Text, cuts.Text)
}

// JSON writes messages as a JSON array in their own format, that of their conversation. Messages that Tamp changed are
// written with role, type, id and text. The data of images and documents is left out: it is not text, and a screenshot
// would fill the request.
func JSON(format string, messages []msg.Message) string {
	out := []byte{'['}
	for m := range messages {
		if m > 0 {
			out = append(out, ", "...)
		}
		out = appendJSON(out, format, &messages[m])
	}
	return string(append(out, ']'))
}

// JSONLength returns the length of JSON in code points.
func JSONLength(format string, messages []msg.Message) int {
	n := 2 * max(len(messages), 1) // the brackets, and ", " between messages
	var buffer []byte
	for m := range messages {
		if raw := ownJSON(format, &messages[m]); raw != nil {
			n += raw.LineLength()
			continue
		}
		buffer = appendJSON(buffer[:0], format, &messages[m])
		n += utf8.RuneCount(buffer)
	}
	return n
}

// JSONStart returns First(JSON, n), and writes only the messages that it needs.
func JSONStart(format string, messages []msg.Message, n int) string {
	m := 0
	for size := 0; m < len(messages) && size/utf8.UTFMax < n; m++ {
		size += jsonSize(format, &messages[m])
	}
	return First(JSON(format, messages[:m]), n)
}

// JSONEnd returns Last(JSON, n), and writes only the messages that it needs.
func JSONEnd(format string, messages []msg.Message, n int) string {
	m := len(messages)
	for size := 0; m > 0 && size/utf8.UTFMax < n; {
		m--
		size += jsonSize(format, &messages[m])
	}
	return Last(JSON(format, messages[m:]), n)
}

// jsonSize returns the length of a message in JSON, in bytes.
func jsonSize(format string, m *msg.Message) int {
	if raw := ownJSON(format, m); raw != nil {
		return len(raw.Line())
	}
	return len(appendJSON(nil, format, m))
}

// ownJSON returns the JSON with which a message came; nil if Tamp wrote or changed the message.
func ownJSON(format string, m *msg.Message) rawjson.Value {
	if m.Changed || m.Raw == nil {
		return nil
	}
	raw := m.Raw
	if format == msg.ClaudeCode { // a line of a log: its other members are not part of the request
		if inner := m.Raw.Member("message"); inner.Kind() == '{' {
			raw = inner
		}
	}
	for b := range m.Blocks {
		if isMedia(&m.Blocks[b]) {
			return withoutData(raw)
		}
	}
	return raw
}

func isMedia(b *msg.Block) bool {
	return b.Kind == msg.KindImage || b.Kind == msg.KindDocument || b.HasMedia()
}

// minData is the length of a run of base64 from which it is the data of a file: no text has such a word.
const minData = 1000

// withoutData replaces long runs of base64 in JSON. It reads few bytes of a text: the last other byte among
// minData bytes rules out that a run begins before it.
func withoutData(raw rawjson.Value) rawjson.Value {
	var out rawjson.Value
	written := 0 // raw up to written is in out
	for start := 0; start+minData <= len(raw); {
		i := start + minData - 1
		for i >= start && base64Bytes[raw[i]] {
			i--
		}
		if i >= start {
			start = i + 1
			continue
		}
		end := start + minData
		for end < len(raw) && base64Bytes[raw[end]] {
			end++
		}
		out = append(append(out, raw[written:start]...), "(data)"...)
		written, start = end, end
	}
	if out == nil {
		return raw
	}
	return append(out, raw[written:]...)
}

// base64Bytes has the bytes of base64 and of its variant for addresses.
var base64Bytes = newBase64Bytes()

func newBase64Bytes() (set [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=-_") {
		set[c] = true
	}
	return set
}

func appendJSON(out []byte, format string, m *msg.Message) []byte {
	if raw := ownJSON(format, m); raw != nil {
		return append(out, raw.Line()...)
	}
	out = rawjson.AppendQuote(append(out, `{"role": `...), string(m.Role))
	out = append(out, `, "content": [`...)
	for b := range m.Blocks {
		block := &m.Blocks[b]
		if b > 0 {
			out = append(out, ", "...)
		}
		if block.Raw.Kind() == '{' && block.Changed == 0 {
			raw := block.Raw
			if isMedia(block) {
				raw = withoutData(raw)
			}
			out = append(out, raw.Line()...)
			continue
		}
		out = rawjson.AppendQuote(append(out, `{"type": `...), block.Type)
		if block.ID != "" {
			out = rawjson.AppendQuote(append(out, `, "id": `...), block.ID)
		}
		out = rawjson.AppendQuote(append(out, `, "content": `...), block.Text)
		out = append(out, '}')
	}
	return append(out, "]}"...)
}

// First returns the first n code points of text.
func First(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// Last returns the last n code points of text.
func Last(text string, n int) string {
	i := len(text)
	for ; i > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
	}
	return text[i:]
}

// cutWithCount keeps the first n code points and appends the number of omitted ones; n = 0 keeps all.
func cutWithCount(text string, n int) string {
	if n == 0 {
		return text
	}
	head := First(text, n)
	if len(head) == len(text) {
		return text
	}
	return head + "… (" + strconv.Itoa(utf8.RuneCountInString(text[len(head):])) + " more characters)"
}
