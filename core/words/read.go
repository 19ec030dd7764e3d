package words

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// Said is one thing that the user typed.
type Said struct {
	At    msg.Ref // the block that has it, or the summary that lists it
	Turn  int
	Asked string // the question of the agent that a short answer answers, in one line; else ""
	From  int    // the message that has the question, if Asked is not empty
	Text  string // word for word; a long one has its beginning, its end and a ref
}

// Words are all that the user typed in a conversation, in order.
type Words struct {
	said   []Said
	pieces []piece // of all texts, in order
	order  []int   // of pieces: the first one leaves first
	count  func(string) int
}

// maxWhole is the number of tokens above which a text keeps its beginning and its end: it was pasted.
const maxWhole = 2000

// Read returns what the user typed in a conversation whose summaries are marked. turns has the turn of each message;
// count counts the tokens of a text.
func Read(c *msg.Conversation, turns []int, pairs *msg.Pairing, count func(string) int) *Words {
	w := &Words{count: count}
	for m := range c.Messages {
		message, first := &c.Messages[m], true
		for b := range message.Blocks {
			block, at := &message.Blocks[b], msg.Ref{Message: m, Block: b}
			if block.IsSummary() || isLabelled(message, b) {
				_, rest := marker.Parse(block.Text)
				said, _ := Cut(rest)
				for _, s := range said {
					if s.At = at; s.Asked != "" {
						s.From = m
					}
					w.said = append(w.said, s)
				}
				continue
			}
			s := Said{At: at, Turn: turns[m]}
			switch {
			case provenance.MayQuote(message, b):
				if s.Text = Typed(message, b); first && s.Text != "" && block.Kind == msg.KindText {
					if q := questionBefore(c, m); q >= 0 {
						if s.Asked = asked(&c.Messages[q], s.Text); s.Asked != "" {
							s.From = q
						}
					}
				}
			case block.Kind == msg.KindToolResult && !block.IsError && provenance.AsksUser(pairs.ToolName(c, at)):
				if call, ok := pairs.Call(at); ok {
					if s.Asked = questionOf(c.At(call).Text); s.Asked != "" {
						s.From = call.Message
					}
				}
				text := block.Text
				if kept, cleared := marker.CutPlaceholder(text, "", pairs.ToolName(c, at)); cleared {
					text = kept
				}
				s.Text = provenance.Answers(text)
			}
			seen := ""
			if s.Text != "" || s.Asked != "" {
				seen = pictures(block)
			}
			if s.Text == "" && seen == "" {
				continue
			}
			first = false
			s.Text = shortened(s.Text, block.Text, count)
			s.Text = strings.TrimLeft(s.Text+seen, " ")
			w.said = append(w.said, s)
		}
	}
	w.readPieces()
	return w
}

// isLabelled reports a text with a label and a section below it: a summary of a session whose State was lost.
func isLabelled(m *msg.Message, b int) bool {
	block := &m.Blocks[b]
	l, rest := marker.Parse(block.Text)
	return m.Role == msg.User && block.Kind == msg.KindText && l.Form != marker.None &&
		strings.HasPrefix(rest, Heading+"\n")
}

// pictures says how many images and documents a result has; "" if it has none.
func pictures(b *msg.Block) string {
	n := 0
	for i := range b.Parts {
		if b.Parts[i].Kind == msg.KindImage || b.Parts[i].Kind == msg.KindDocument {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return " (with 1 picture)"
	}
	return " (with " + strconv.Itoa(n) + " pictures)"
}

// Typed returns the parts of block b that the user typed.
func Typed(m *msg.Message, b int) string {
	var parts []string
	for _, span := range provenance.Spans(m, b) {
		if part := strings.TrimSpace(m.Blocks[b].Text[span.Start:span.End]); span.Author == provenance.User && part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n")
}

// shortened returns a text of over maxWhole tokens with its beginning, its end, and the ref of the block's text
// between.
func shortened(text, original string, count func(string) int) string {
	tokens := 0
	if len(text) > maxWhole {
		tokens = count(text)
	}
	if tokens <= maxWhole {
		return text
	}
	head := text[:msg.BackToLine(text, int(int64(len(text))*maxWhole*5/8/int64(tokens)))]
	tail := text[msg.BackToLine(text, len(text)-int(int64(len(text))*maxWhole*5/16/int64(tokens))):]
	omitted := utf8.RuneCountInString(text) - utf8.RuneCountInString(head) - utf8.RuneCountInString(tail)
	ref := sha256.Hex(sha256.Sum([]byte(original)), 16)
	return strings.TrimRight(head, " \t\r\n") + "\n" + marker.Shortened(omitted, ref) + "\n" + tail
}
