package prompt

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
)

// Item is one block of a transcript, with what its text does not say.
type Item struct {
	Turn      int
	Role      msg.Role
	Block     *msg.Block
	Tool      string // of a result: the tool it came from
	Important bool   // to come first in the summary
}

// Cuts says how much of each part a transcript keeps, in code points; 0 keeps all.
type Cuts struct {
	String int // a message whose content is one string
	Text   int // a text block
	Result int // a tool result
	Input  int // a call's input
}

// Transcript writes blocks as a model reads them best: one heading a block, then its text.
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

// body is what a model needs to read of a block. Pictures and files are named, their data is not sent along, and neither
// is thinking that only the provider can read.
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
		return cut(b.Text, cuts.Input)
	case msg.KindToolResult:
		text := cut(b.Text, cuts.Result)
		if b.HasMedia() {
			text = strings.TrimSpace(text + "\n(with an image or a document)")
		}
		return text
	}
	if b.Bare {
		return cut(b.Text, cuts.String)
	}
	return cut(b.Text, cuts.Text)
}

// JSON writes messages as the JSON array that they are in their own format; those that Tamp changed by role and text.
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
		if inner := raw.Member("message"); inner.Kind() == '{' { // a line of a log: the rest of it is not part of the request
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

// cut keeps the first n code points, and says how many it left out; 0 keeps all.
func cut(text string, n int) string {
	if n == 0 {
		return text
	}
	head := First(text, n)
	if len(head) == len(text) {
		return text
	}
	return head + "… (" + strconv.Itoa(utf8.RuneCountInString(text[len(head):])) + " more characters)"
}
