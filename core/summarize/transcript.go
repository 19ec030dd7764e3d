package summarize

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
)

// Item is one block of a transcript, with its context.
type Item struct {
	Turn      int
	Role      msg.Role
	Block     *msg.Block
	Tool      string // of a result: the name of its tool
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
	var out strings.Builder
	for i := range items {
		if i > 0 {
			out.WriteString("\n\n")
		}
		it := &items[i]
		out.WriteString("[turn " + strconv.Itoa(it.Turn) + ", " + heading(it) + "]\n")
		out.WriteString(body(it.Block, cuts))
	}
	return out.String()
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
		case it.Block.IsInjected():
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

// JSON writes messages as a JSON array in their own format. Messages that Tamp changed are written with role, type, id
// and text.
func JSON(messages []msg.Message) string {
	out := []byte{'['}
	for m := range messages {
		if m > 0 {
			out = append(out, ", "...)
		}
		out = appendJSON(out, &messages[m])
	}
	return string(append(out, ']'))
}

func appendJSON(out []byte, m *msg.Message) []byte {
	if !m.Changed && m.Raw != nil {
		raw := m.Raw
		if inner := raw.Member("message"); inner.Kind() == '{' { // a line of a log: its other members are not part of the request
			raw = inner
		}
		return append(out, raw.Line()...)
	}
	out = msg.AppendQuote(append(out, `{"role": `...), string(m.Role))
	out = append(out, `, "content": [`...)
	for b := range m.Blocks {
		block := &m.Blocks[b]
		if b > 0 {
			out = append(out, ", "...)
		}
		if block.Raw.Kind() == '{' && block.Changed == 0 {
			out = append(out, block.Raw.Line()...)
			continue
		}
		out = msg.AppendQuote(append(out, `{"type": `...), block.Type)
		if block.ID != "" {
			out = msg.AppendQuote(append(out, `, "id": `...), block.ID)
		}
		out = msg.AppendQuote(append(out, `, "content": `...), block.Text)
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
