package provenance

import (
	"slices"
	"strings"
)

// Context is what the text blocks of one message so far say about the next one. The zero value is the start of a
// message.
type Context uint8

const (
	inserted Context = 1 << iota // the next text block continues inserted text
	asked                        // that text is the result of a tool that asks the user
)

// Split returns the parts of a text, which is the only block of its message. The parts are adjacent and cover the
// text; white space belongs to a neighbor. The result is nil for "". Time: linear.
//
// A table entry counts at the start of a line. It does not count in inline code, in a fenced block that holds all of
// it, or in the middle of a sentence. An element reaches to the last of its end tags before the next start tag, so that
// an end tag inside its content does not turn the rest into the user's words. An element without an end tag is the
// user's text.
func Split(text string) []Span {
	spans, _ := SplitNext(text, 0)
	return spans
}

// SplitNext is Split for the next text block of a message. It returns the context of the block after it.
func SplitNext(text string, c Context) ([]Span, Context) {
	s := splitter{text: text}
	if c&inserted != 0 {
		s.result(0, c&asked != 0)
		return s.spans, 0
	}
	s.splitText(false)
	return s.spans, s.next
}

// Next returns the context that SplitNext would return. It costs little for text that continues in no other block.
func Next(text string, c Context) Context {
	start := strings.TrimLeft(text, " \t\r\n")
	if c&inserted != 0 || !strings.HasSuffix(strings.TrimRight(text, " \t\r\n"), resultTail) &&
		!strings.HasPrefix(start, "<command-message") && !opensNext(text) {
		return 0
	}
	_, c = SplitNext(text, c)
	return c
}

// opensNext reports whether a text holds the first words of an insertion that continues in the next block.
func opensNext(text string) bool {
	for i := range insertions {
		if insertions[i].extent == toNext && strings.Contains(text, insertions[i].prefix) {
			return true
		}
	}
	return false
}

// Whole reports whether a program wrote all of a text. It is false for white space alone.
func Whole(text string) bool { return WholeNext(text, 0) }

// WholeNext is Whole for the next text block of a message. It reads no more than the first words of a prompt.
func WholeNext(text string, c Context) bool {
	s := splitter{text: text}
	if c&inserted != 0 {
		s.result(0, c&asked != 0)
	} else if s.splitText(true); s.foreign {
		return false
	}
	return len(s.spans) == 1 && s.spans[0].Author == Program
}

// RejectionReason returns the offset of the user's words in the failed result of a call that the user rejected with a
// reason; 0 for every other text.
func RejectionReason(text string) int {
	if !strings.HasPrefix(text, rejected) {
		return 0
	}
	for _, start := range reasonStarts {
		if i := strings.Index(text, start); i >= 0 {
			reason := strings.TrimSpace(text[i+len(start):])
			if reason == "" || strings.HasPrefix(reason, clarifies) {
				return 0
			}
			return i + len(start)
		}
	}
	return 0
}

// StartsTask reports whether a text, which a client wrote, tells the agent to run a command or a plan of the user.
func StartsTask(text string) bool {
	text = strings.TrimSpace(text)
	for _, start := range taskStarts {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// splitter builds the spans of one text.
type splitter struct {
	text    string
	spans   []Span
	next    Context
	foreign bool             // of run(true): there is text of another author
	tags    map[string][]tag // of all elements; nil: not read
	noFence string           // the fence characters that have no closing line after here
}

// addPart appends a span from the end of the last one. White space joins its neighbor.
func (s *splitter) addPart(a Author, end int) {
	start, last := 0, len(s.spans)-1
	if last >= 0 {
		start = s.spans[last].End
	}
	switch {
	case start >= end:
	case last >= 0 && (s.spans[last].Author == a || a != Program && blank(s.text[start:end])):
		s.spans[last].End = end
	default:
		s.spans = append(s.spans, Span{a, start, end})
	}
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// splitText splits the text. With whole set it stops at the first text that no program wrote.
func (s *splitter) splitText(whole bool) {
	text := s.text
	for i := 0; i < len(text); {
		p := i + len(text[i:]) - len(strings.TrimLeft(text[i:], blanks))
		if p == len(text) {
			break
		}
		if s.insertedAt(i, p) {
			i = s.spans[len(s.spans)-1].End
			if whole && s.spans[len(s.spans)-1].Author != Program {
				s.foreign = true
				return
			}
			continue
		}
		if whole {
			s.foreign = true
			return
		}
		if end := s.fenceEnd(p); end > 0 {
			i = end
			continue
		}
		end := lineEnd(text, p)
		if start, stop := s.elementInLine(p, end); stop > 0 {
			s.addPart(User, start)
			s.addPart(Program, stop)
			end = stop
		}
		i = end
	}
	s.addPart(User, len(text))
}

// insertedAt adds the inserted text that begins at p, and the user's text before it; the text up to i is read. It
// reports whether there is any.
func (s *splitter) insertedAt(i, p int) bool {
	text := s.text
	if i == 0 && isObservation(text) {
		s.addPart(Program, len(text))
		return true
	}
	if name, after := openTag(text, p); listed(tags, name) {
		atStart := s.onlyInserted(i)
		end, ok := s.element(name, after)
		if !ok {
			return false // an element without an end tag is text of the user
		}
		s.addPart(User, p)
		if inner := end - len("</>") - len(name); name == "command-args" && atStart && inner > after {
			s.typed(after, inner)
		}
		if name == "command-message" && len(s.spans) == 0 {
			s.next = inserted // the text of the command's file is the next block
		}
		s.addPart(Program, end)
		return true
	}
	if tool, after := resultHeader(text, p); tool != "" {
		s.addPart(User, p)
		asks := listed(askTools, tool)
		s.addPart(Program, after)
		s.result(after, asks)
		if blank(text[after:]) {
			if s.next = inserted; asks {
				s.next |= asked
			}
		}
		return true
	}
	if strings.IndexByte(insertionStarts, text[p]) < 0 {
		return false
	}
	atStart := s.onlyInserted(i)
	for k := range insertions {
		e := &insertions[k]
		if e.extent != toLine && !atStart || !strings.HasPrefix(text[p:], e.prefix) {
			continue
		}
		end := len(text)
		switch e.extent {
		case toNext:
			s.next = inserted
		case toLine:
			end = lineEnd(text, p)
		case toMarker:
			if m := strings.Index(text[p:], e.marker); m >= 0 {
				end = p + m + len(e.marker)
			}
		}
		s.addPart(User, p)
		if from := p + len(e.prefix); e.extent == aroundTyped {
			n := strings.Index(text[from:], e.marker)
			if n < 0 {
				n = end - from // it was cut
			}
			if n > 0 {
				s.typed(from, from+n)
			}
		}
		s.addPart(Program, end)
		return true
	}
	return false
}

// typed adds the text [from, to) that the user typed in inserted text.
func (s *splitter) typed(from, to int) {
	s.addPart(Program, from)
	spans, _ := SplitNext(s.text[from:to], 0)
	for _, span := range spans {
		s.addPart(span.Author, from+span.End)
	}
}

// onlyInserted reports whether the text up to i has no words of the user.
func (s *splitter) onlyInserted(i int) bool {
	if i == 0 {
		return true
	}
	n := len(s.spans)
	return n > 0 && s.spans[n-1].End == i && s.spans[0].Author == Program && n == 1
}

// element returns the end of an element whose content begins at from; ok is false if it has no end tag.
func (s *splitter) element(name string, from int) (end int, ok bool) {
	_, end = s.endTag(name, from)
	if end < 0 {
		return 0, false
	}
	list := s.tagsOf(name)
	k, _ := slices.BinarySearchFunc(list, end, func(t tag, at int) int { return t.start - at })
	for ; k < len(list) && list[k].closing; k++ {
		if stop := list[k].end; blank(s.text[stop:lineEnd(s.text, stop)]) && s.text[list[k].start-1] != '`' {
			end = stop
		}
	}
	return end, true
}

// endTag returns the first end tag of an element at or after from; -1 if there is none.
func (s *splitter) endTag(name string, from int) (start, end int) {
	list := s.tagsOf("/" + name)
	k, _ := slices.BinarySearchFunc(list, from, func(t tag, at int) int { return t.start - at })
	if k == len(list) {
		return -1, -1
	}
	return list[k].start, list[k].end
}

// tag is a start or end tag in a text; the end is that of an end tag.
type tag struct {
	start, end int
	closing    bool
}

// tagsOf returns the tags of an element, or its end tags for its name behind a slash, in their order. The text is read
// once for all names.
func (s *splitter) tagsOf(name string) []tag {
	if s.tags == nil {
		s.tags = map[string][]tag{}
		for at := 0; ; {
			i := strings.IndexByte(s.text[at:], '<')
			if i < 0 {
				break
			}
			start := at + i
			at = start + 1
			t := tag{start: start, closing: strings.HasPrefix(s.text[at:], "/")}
			if t.closing {
				at++
			}
			n := at
			for n < len(s.text) && n < at+maxName && nameByte(s.text[n]) {
				n++
			}
			if t.closing {
				tail := s.text[n:min(len(s.text), n+40)]
				j := strings.IndexByte(tail, '>')
				if j < 0 || j > 0 && tail[0] != ' ' {
					continue
				}
				t.end = n + j + 1
				s.tags[s.text[at-1:n]] = append(s.tags[s.text[at-1:n]], t)
			}
			if n > at {
				s.tags[s.text[at:n]] = append(s.tags[s.text[at:n]], t)
			}
		}
	}
	return s.tags[name]
}

// elementInLine returns the first inserted element that begins within a line and ends at the end of a line; stop is 0
// if there is none.
func (s *splitter) elementInLine(from, end int) (start, stop int) {
	quoted := false // inside inline code
	for i := from; i < end; i++ {
		switch s.text[i] {
		case '`':
			quoted = !quoted
		case '<':
			if quoted {
				continue
			}
			name, after := openTag(s.text, i)
			if !listed(tags, name) {
				continue
			}
			if _, stop := s.endTag(name, after); stop > 0 && blank(s.text[stop:lineEnd(s.text, stop)]) {
				return i, stop
			}
		}
	}
	return 0, 0
}

// fenceEnd returns the end of the fenced block that begins at p, 0 if there is none. A block that an element begun
// inside it outlasts is none: its closing line belongs to the element.
func (s *splitter) fenceEnd(p int) int {
	text := s.text
	if !strings.HasPrefix(text[p:], "```") && !strings.HasPrefix(text[p:], "~~~") ||
		strings.Contains(s.noFence, text[p:p+1]) {
		return 0
	}
	last := 0 // the last end of an element that begins inside
	for i := lineEnd(text, p); i < len(text); i = lineEnd(text, i) {
		line := text[i:lineEnd(text, i)]
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, text[p:p+3]) && strings.Trim(trimmed, text[p:p+1]) == "" {
			if end := i + len(line); last <= end {
				return end
			}
			return 0
		}
		at := i + len(line) - len(strings.TrimLeft(line, " \t"))
		if name, after := openTag(text, at); listed(tags, name) {
			_, end := s.endTag(name, after)
			last = max(last, end)
		}
	}
	s.noFence += text[p : p+1]
	return 0
}

// result adds the result of a tool from the offset from to the end of the text. asks: the result is the user's reply if
// it begins with one of its marks, which nothing but the client can write there.
func (s *splitter) result(from int, asks bool) {
	if asks {
		body := s.text[from:]
		p := from + len(body) - len(strings.TrimLeft(body, " \t\r\n"))
		if rest, ok := strings.CutPrefix(s.text[p:], feedbackIntro); ok {
			line, _, _ := strings.Cut(rest, "\n")
			p += len(feedbackIntro) + len(line)
			p += len(s.text[p:]) - len(strings.TrimLeft(s.text[p:], " \t\r\n"))
		}
		for _, tag := range replyTags {
			if name, after := openTag(s.text, p); name == tag {
				if start, _ := s.endTag(name, after); start >= 0 {
					s.addPart(Program, after)
					s.addPart(User, start)
				}
			}
		}
	}
	s.addPart(Program, len(s.text))
}

// resultHeader reads "[tool] Result:" and "[tool for '…'] Result:" at p. It returns the name of the tool, "" if there
// is none, and the offset after it.
func resultHeader(text string, p int) (tool string, after int) {
	if text[p] != '[' {
		return "", 0
	}
	n := p + 1
	for n < len(text) && n < p+80 && nameByte(text[n]) {
		n++
	}
	if tool = text[p+1 : n]; tool == "" {
		return "", 0
	}
	if strings.HasPrefix(text[n:], resultTail) {
		return tool, n + len(resultTail)
	}
	if strings.HasPrefix(text[n:], " for ") { // a command in quotes can have lines and brackets
		if i := strings.Index(text[n:min(len(text), n+maxHeader)], resultTail); i > 0 {
			return tool, n + i + len(resultTail)
		}
	}
	return "", 0
}

const resultTail = "] Result:"

const maxHeader = 8000 // bytes; a header repeats the command of the call

// openTag reads the start tag at p. It returns the element's name, "" if there is none, and the offset after the tag.
func openTag(text string, p int) (name string, after int) {
	if p >= len(text) || text[p] != '<' {
		return "", 0
	}
	n := p + 1
	for n < len(text) && n < p+maxName && nameByte(text[n]) {
		n++
	}
	if n == p+1 || n == len(text) || text[n] != '>' && text[n] != ' ' && text[n] != '\n' {
		return "", 0
	}
	i := strings.IndexAny(text[n:min(len(text), n+maxTag)], "<>")
	if i < 0 || text[n+i] == '<' {
		return "", 0
	}
	return text[p+1 : n], n + i + 1
}

// blanks are skipped at the start of a line. Other white space begins a line, so a line has a first byte.
const blanks = " \t\r\n"

const (
	maxName = 60  // bytes of the name of an element
	maxTag  = 600 // bytes of attributes
)

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// listed reports whether a list of words in spaces has the word. Most lines have no tag, so "" is not looked up.
func listed(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// lineEnd returns the offset after the line of p.
func lineEnd(text string, p int) int {
	if i := strings.IndexByte(text[p:], '\n'); i >= 0 {
		return p + i + 1
	}
	return len(text)
}
