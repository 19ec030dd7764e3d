// Package aider reads and writes the chat history of aider (.aider.chat.history.md): Markdown in which "#### " begins a
// line of the user, "> " one of the program, and all others are answers. Each start of the program begins another
// conversation; the newest one that has a message counts. Start with Parse and Render.
//
// The form is what aider/io.py writes and split_chat_history_markdown in aider/utils.py reads (Aider-AI/aider).
//
// It is not a part of the API (see package core).
package aider

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

const (
	started = "# aider chat started at "
	user    = "#### "
	program = "> "
)

// log is a whole file: Parse stores it for Render.
type log struct {
	data   []byte
	parts  []part
	starts []int // the parts that begin a conversation
	first  int   // the first part of the conversation
}

// part is a run of lines of one author.
type part struct {
	start, end int // in the data
	line       int
	kind       byte
	isMessage  bool // else it stays as it is
}

// place is the Origin of a message.
type place struct {
	log  *log
	part int
}

// Is reports whether data is such a history.
func Is(data []byte) bool {
	start, _ := document.Trim(data)
	return bytes.HasPrefix(data[start:], []byte(started))
}

// Parse reads a history. Errors are *msg.Error.
func Parse(data []byte) (*msg.Conversation, error) {
	if err := document.Size(data); err != nil {
		return nil, err
	}
	if !Is(data) {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the chat history: it does not begin with "+
			strconv.Quote(started))
	}
	l := &log{data: data}
	l.split()
	for _, s := range l.starts {
		if slices.ContainsFunc(l.parts[s:], func(p part) bool { return p.isMessage }) {
			l.first = s
		}
	}
	return l.read()
}

// split finds the parts. A blank line after lines of the program belongs to them.
func (l *log) split() {
	at, line, before := 0, 0, byte(0)
	for text := range bytes.Lines(l.data) {
		kind, content := authorOf(text)
		blank := len(bytes.TrimSpace(content)) == 0
		if kind == 'a' && blank && before != 'u' && before != 0 {
			kind = before
		}
		if kind == 's' {
			l.starts = append(l.starts, len(l.parts))
		}
		if kind != before || kind == 's' {
			l.parts = append(l.parts, part{start: at, line: line, kind: kind})
		}
		p := &l.parts[len(l.parts)-1]
		p.end = at + len(text)
		p.isMessage = p.isMessage || !blank && (kind == 'u' || kind == 'a')
		at, line, before = p.end, line+1, kind
	}
}

// authorOf returns whose line it is: of the user, the program, an answer, or the start of the program; and its content.
func authorOf(line []byte) (kind byte, content []byte) {
	line = bytes.TrimRight(bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF")), "\r\n")
	if bytes.HasPrefix(line, []byte(started)) {
		return 's', line
	}
	for _, mark := range [...]string{user, program} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok || string(line) == mark[:len(mark)-1] {
			if ok {
				line = rest
			} else {
				line = nil
			}
			if mark == user {
				return 'u', bytes.TrimRight(line, " ")
			}
			return 'p', line
		}
	}
	return 'a', line
}

// read reads the parts from the first one on.
func (l *log) read() (*msg.Conversation, error) {
	c := &msg.Conversation{Format: msg.Aider, Origin: l}
	for i := l.first; i < len(l.parts); i++ {
		p := &l.parts[i]
		var lines []string
		for line := range bytes.Lines(l.data[p.start:p.end]) {
			_, content := authorOf(line)
			lines = append(lines, strings.ToValidUTF8(string(content), "\uFFFD"))
		}
		if p.kind == 'p' {
			note(c, lines)
		}
		if !p.isMessage {
			continue
		}
		if len(c.Messages) == msg.MaxMessages {
			return nil, document.TooMany("messages", msg.MaxMessages, jsonl.Pointer(p.line))
		}
		role := msg.User
		if p.kind == 'a' {
			role = msg.Assistant
		}
		text := strings.Trim(strings.Join(lines, "\n"), "\n")
		raw := rawjson.Value("{}").With("role", rawjson.Quote(string(role))).With("content", rawjson.Quote(text))
		c.Messages = append(c.Messages, msg.Message{Role: role, Path: jsonl.Pointer(p.line), Raw: raw, Model: c.Model,
			Origin: place{l, i}, Blocks: []msg.Block{{Kind: msg.KindText, Type: "text", Text: text, Bare: true,
				Raw: raw.Member("content"), Path: jsonl.Pointer(p.line)}}})
	}
	return c, nil
}

// note reads what the program says about its model and about the last answer, such as "Tokens: 2.4k sent, 120 received.
// Cost: $0.0091 message, $0.01 session." (calculate_and_show_tokens_and_cost in aider/coders/base_coder.py).
func note(c *msg.Conversation, lines []string) {
	for _, line := range lines {
		for _, mark := range [...]string{"Model: ", "Main model: "} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				c.Model, _, _ = strings.Cut(strings.TrimRight(rest, " "), " ")
			}
		}
		last := len(c.Messages) - 1
		counts, ok := strings.CutPrefix(line, "Tokens: ")
		if !ok || last < 0 || c.Messages[last].Role != msg.Assistant || c.Messages[last].Usage != nil {
			continue
		}
		m, u := &c.Messages[last], &msg.Usage{}
		counts, cost, _ := strings.Cut(counts, " Cost: $")
		for _, count := range strings.Split(strings.TrimRight(counts, ". "), ", ") {
			n, name, _ := strings.Cut(count, " ")
			switch name {
			case "sent":
				u.Input = tokens(n)
			case "cache write":
				u.CacheWrite = tokens(n)
			case "cache hit":
				u.CacheRead = tokens(n)
			case "received":
				u.Output = tokens(n)
			}
		}
		u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
		cost, _, _ = strings.Cut(cost, " ")
		if m.Cost = document.Millionths(rawjson.Value(cost)); u.Prompt() > 0 {
			m.Usage = u
		}
	}
}

// tokens reads a number as aider writes it: "980", "2.4k" or "12k".
func tokens(text string) int {
	number, isThousand := strings.CutSuffix(text, "k")
	n := document.Millionths(rawjson.Value(number))
	if isThousand {
		return n / 1000
	}
	return n / 1_000_000
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input,
// and the lines of the program stay.
func Render(c *msg.Conversation) ([]byte, error) {
	l, ok := c.Origin.(*log)
	if !ok { // not from Parse
		l = &log{data: []byte(started + "\n")}
		l.split()
	}
	var out []byte
	next := 0
	keep := func(to int) {
		for ; next < to; next++ {
			if p := l.parts[next]; next < l.first || !p.isMessage {
				out = append(out, l.data[p.start:p.end]...)
			}
		}
	}
	keep(l.first)
	end := 0 // of the message before
	for i := range c.Messages {
		m := &c.Messages[i]
		at, isOld := m.Origin.(place)
		if isOld = isOld && at.log == l && at.part >= next; isOld {
			keep(at.part)
			next++
		} else if i == 0 && next < len(l.parts) && l.parts[next].kind == 's' {
			keep(next + 1) // a new message is below the start
		}
		if isOld && !m.Changed {
			if m.Role == msg.User && i > 0 && c.Messages[i-1].Role == msg.User && len(out) == end {
				out = append(out, '\n') // else they would be one
			}
			out = append(out, l.data[l.parts[at.part].start:l.parts[at.part].end]...)
			end = len(out)
			continue
		}
		var err error
		if out, err = written(out, m); err != nil {
			return nil, err
		}
		end = len(out)
	}
	keep(len(l.parts))
	return out, nil
}

// written adds a message.
func written(out []byte, m *msg.Message) ([]byte, error) {
	var texts []string
	for b := range m.Blocks {
		if k := m.Blocks[b].Kind; k != msg.KindText && k != msg.KindSummary {
			return nil, msg.NewError(msg.BadMessage, m.Blocks[b].Path, "cannot write the block: this format has texts only")
		}
		texts = append(texts, m.Blocks[b].Text)
	}
	if len(texts) == 0 {
		return out, nil
	}
	if n := len(out); n > 0 && out[n-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, '\n')
	for _, line := range strings.Split(strings.Trim(strings.Join(texts, "\n\n"), "\n"), "\n") {
		if m.Role != msg.Assistant {
			out = append(append(append(out, user...), line...), "  \n"...)
			continue
		}
		if kind, _ := authorOf([]byte(line)); kind != 'a' {
			out = append(out, ' ') // else it would be a line of another author
		}
		out = append(append(out, line...), '\n')
	}
	return append(out, '\n'), nil
}

// Segments returns the conversations before the last one. c, the conversation that Parse returned, is the last segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	l, ok := c.Origin.(*log)
	if !ok {
		return s
	}
	for i, start := range l.starts {
		if start >= l.first {
			break
		}
		before := &log{data: l.data, parts: l.parts[:l.starts[i+1]], starts: l.starts[:i+1], first: start}
		before.data = l.data[:before.parts[len(before.parts)-1].end]
		segment, err := before.read()
		if err != nil {
			s.Unread = true
		} else if len(segment.Messages) > 0 {
			s.Earlier = append(s.Earlier, segment)
		}
	}
	if n := len(s.Earlier) - jsonl.MaxSegments; n > 0 {
		s.Earlier, s.Unread = s.Earlier[n:], true
	}
	return s
}
