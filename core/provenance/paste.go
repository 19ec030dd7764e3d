package provenance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds text in a prompt that its author pasted, or that a framework sent as a prompt: what a
// wrapper encloses, and what follows a label such as "Tool output:" or "Summarize this page:". Its origin is unknown.

// reach is how far a pasted text without an end mark reaches.
type reach uint8

const (
	noPaste   reach = iota
	paragraph       // to the next empty line
	onwards         // to the end of the block, or to prose after a paragraph of log lines or code
	rest            // to the end of the block
)

// blanks are skipped at the start of a line. Other white space begins a line, so a line has a first byte.
const blanks = " \t\r\n"

// wrapped returns the end of the wrapper that begins at p, the start of a line; 0 if there is none: a
// fenced block, quoted lines, an element, a quotation of several lines, or what is between two lines such
// as BEGIN and END.
func (s *splitter) wrapped(p int) int {
	if end := s.fenceEnd(p); end > 0 {
		return end
	}
	text, end := s.text, lineEnd(s.text, p)
	line := strings.Trim(text[p:end], blanks)
	switch line[0] {
	case '>':
		for end < len(text) && strings.HasPrefix(strings.TrimLeft(text[end:], " \t"), ">") {
			end = lineEnd(text, end)
		}
		return end
	case '<':
		if name, after := openTag(text, p); name != "" && !listed(ownTags, strings.ToLower(name)) {
			if start, _ := s.endTag(name, after); start >= 0 || after-p == len(line) {
				_, stop := s.element(name, after)
				return stop
			}
		}
	}
	open, size := utf8.DecodeRuneInString(line)
	for _, q := range [...]string{"\"\"", "“”", "„“", "«»", "「」", "『』"} {
		first, n := utf8.DecodeRuneInString(q)
		if first == open && !strings.Contains(line[size:], q[n:]) && !strings.Contains(s.noEnd, q[:n]) {
			if i := strings.Index(text[end:], q[n:]); i >= 0 {
				return end + i + len(q) - n
			}
			s.noEnd += q[:n]
		}
	}
	closes := func(l string) bool { return l == line }
	switch {
	case line == `"""` || line == "'''":
	case isRuler(line) && strings.Contains("<[{", line[:1]):
		closes = func(l string) bool { return isRuler(l) && strings.Contains(">]}", l[:1]) }
	case delimits(line, beginnings):
		closes = func(l string) bool { return delimits(l, closings) }
	default:
		return 0
	}
	if strings.Contains(s.noEnd, line[:1]) {
		return 0
	}
	for at := end; at < len(text); at = lineEnd(text, at) {
		if closes(strings.TrimSpace(text[at:lineEnd(text, at)])) {
			return lineEnd(text, at)
		}
	}
	s.noEnd += line[:1]
	return 0
}

// isRuler reports a line of at least three equal marks.
func isRuler(line string) bool {
	return len(line) > 2 && strings.Trim(line, line[:1]) == "" && strings.Contains("-=*_~#<>[]{}+`", line[:1])
}

const (
	beginnings = " begin beginning start anfang début inicio начало "
	closings   = " end stop finish ende fin final конец "
)

// delimits reports a line such as "--- BEGIN LOG ---": one of the words is in it, between marks or in capitals.
func delimits(line, words string) bool {
	if len(line) > 80 || strings.HasSuffix(line, ";") {
		return false
	}
	found, capitals := false, line == strings.ToUpper(line)
	for _, w := range strings.FieldsFunc(strings.ToLower(line), func(c rune) bool { return !unicode.IsLetter(c) }) {
		found = found || listed(words, w)
	}
	return found && (capitals || isMark(line[0]) && isMark(line[len(line)-1])) || found && isMark(line[0]) &&
		isMark(line[1])
}

func isMark(c byte) bool { return strings.IndexByte("-=*_~#<>[](){}+|", c) >= 0 }

// resume ends an undelimited pasted text before line [p, end) if the user speaks again there.
func (s *splitter) resume(i, p, end int) {
	if s.plain == User {
		return
	}
	line := strings.TrimSpace(s.text[p:end])
	code := isCode(s.text[p:end]) || !hasLetters(line)
	if strings.Contains(s.text[i:p], "\n") && (s.reach == paragraph || s.reach == onwards && s.code &&
		!code && strings.Count(line, " ") > 1) {
		s.addPart(Unknown, p)
		s.plain, s.reach = User, noPaste
	}
	s.code, s.first = (s.first || s.code) && code, false
}

// hasLetters reports a line that is mostly letters.
func hasLetters(line string) bool {
	letters, all := 0, 0
	for _, c := range line {
		if c != ' ' {
			all++
		}
		if unicode.IsLetter(c) {
			letters++
		}
	}
	return letters*5 > all*4
}

// labelAt returns where a pasted text begins that the line [p, end) introduces, and its reach. stop is its end if two
// equal rulers enclose it.
func (s *splitter) labelAt(p, end int) (at, stop int, r reach) {
	line := strings.Trim(s.text[p:end], blanks)
	next := end + len(s.text[end:]) - len(strings.TrimLeft(s.text[end:], blanks))
	if s.isHeader(p) || isMark(line[0]) && delimits(line, beginnings) {
		return p, 0, rest
	}
	if isShell(line) {
		return end, 0, onwards
	}
	head, tail, colon := cutLabel(strings.TrimLeft(line, "#*=-_~[( "))
	if line[0] == '[' {
		head, tail, colon = strings.Cut(line[1:], "]")
		tail = strings.TrimLeft(tail, " :")
	}
	if colon && tail != "" {
		return p + strings.LastIndex(s.text[p:end], tail), 0, introduces(head, false, false)
	}
	if next == len(s.text) {
		return end, 0, noPaste
	}
	following := strings.TrimSpace(s.text[next:lineEnd(s.text, next)])
	switch {
	case colon || isMark(line[0]):
		if r = introduces(head, true, isListItem(following)); !colon && r != rest { // a heading
			r = noPaste
		}
	default:
		r = announcesText(line)
	}
	if r <= s.reach {
		return end, 0, noPaste
	}
	if isRuler(following) {
		for n := lineEnd(s.text, next); n < len(s.text); n = lineEnd(s.text, n) {
			if strings.TrimSpace(s.text[n:lineEnd(s.text, n)]) == following {
				return end, lineEnd(s.text, n), r
			}
		}
	}
	if r != rest && s.wrapped(next) > 0 {
		r = noPaste // the wrapper has an end
	}
	return end, 0, r
}

// cutLabel returns the last sentence before the colon at the end of a line, or before its first colon.
func cutLabel(line string) (head, tail string, colon bool) {
	line = strings.TrimRight(line, " *_])=-~#")
	if head, colon = strings.CutSuffix(line, ":"); !colon {
		head, colon = strings.CutSuffix(line, "：")
	}
	if !colon {
		head, tail, colon = cutColon(line)
		tail = strings.TrimLeft(tail, " *_")
		if colon && strings.HasPrefix(tail, "//") || len(head) > maxLabel {
			return "", "", false
		}
	}
	if !colon {
		head = line
	}
	for _, mark := range [...]string{". ", "? ", "! ", ": ", "。", "？", "！"} {
		if i := strings.LastIndex(head, mark); i >= 0 {
			head = head[i+len(mark):]
		}
	}
	if len(head) > maxLabel {
		return "", "", false
	}
	return strings.TrimRight(head, " *_])"), tail, colon
}

const maxLabel = 160 // bytes; a longer sentence introduces nothing

// introduces returns the reach of what follows a label: the words before a colon. alone reports a label that ends its
// line, list that the items of a list follow it.
func introduces(head string, alone, list bool) reach {
	human := paragraph
	if alone {
		human = onwards
	}
	if han, kana, hangul := scripts(head); han || kana || hangul {
		switch {
		case containsAny(head, wideOwn) || utf8.RuneCountInString(head) > 40:
		case containsAny(head, wideMachine):
			return rest
		case containsAny(head, wideTexts) && (alone && !list && utf8.RuneCountInString(head) < 6 ||
			containsAny(head, wideIntros)),
			containsAny(head, wideVerbs) && !containsAny(head, wideNegations),
			hasSuffix(head, "说|写道|回复|言いました|書きました|말했습니다|썼습니다") && !containsAny(head, "我"):
			return human
		}
		return noPaste
	}
	r := recognizer{words: splitWords(nil, head)}
	for listed(articles, r.at(0)) {
		r.words = r.words[1:]
	}
	n := len(r.words)
	if n > 16 {
		return noPaste
	}
	first, second, last := r.at(0), r.at(1), r.at(n-1)
	own := r.has(0, ownLabels) || r.has(0, negations) || r.has(0, " if when whenever unless wenn falls si "+
		"quand cuando если когда ")
	noun, text := r.has(0, texts+things+products+sources), r.has(0, texts)
	this := r.has(0, deixis)
	switch {
	case n <= 4 && listed(sources, first), n <= 6 && listed(runners, first) && (listed(products, second) ||
		listed(" returned printed said ", last)),
		n <= 8 && listed(products, first) && listed(origins, second), alone && n <= 4 && !list &&
			listed(services, first) && listed(products, second):
		return rest
	case own || listed(attributions, last) && r.has(0, " i i've we user ich wir je j'ai nous yo я мы "):
		return noPaste
	case n > 1 && listed(attributions, last),
		noun && (listed(origins, second) || listed(" from by von del от ", r.at(2))) &&
			(listed(texts+things, first) || listed(texts+things, second)),
		text && listed(" from aus de ", first), noun && listed(intros, first) && !r.has(0, " my our "):
		return human
	case r.asks(strongVerbs) && (this || noun || r.isTranslation()), r.asks(weakVerbs) && this && text,
		text && r.has(0, " got received ") && this:
		return human
	case alone && (r.asks(weakVerbs) && (this || noun) && (noun || !list) || this && noun && !listed(" in on "+
		"for at to with auf für sur dans en ", first)),
		alone && !list && noun && n <= 3 && r.allOf(texts+things+products+adjectives):
		return onwards
	}
	return noPaste
}

// asks reports a request with one of the verbs.
func (r *recognizer) asks(verbs string) bool {
	for i := range r.words {
		if listed(verbs, r.words[i].text) && (i == 0 || r.words[i].start || listed(" you please and then bitte ",
			r.at(i-1)) ||
			r.at(i-1) == "to" && r.at(i-2) == "you") {
			return true
		}
	}
	return false
}

// isTranslation reports a request that names a language at most: "translate into German".
func (r *recognizer) isTranslation() bool {
	return len(r.words) == 1 || len(r.words) <= 4 && listed(" into to in ins en auf auf au на al ", r.at(len(r.words)-2))
}

func (r *recognizer) allOf(list string) bool {
	for i := range r.words {
		if !listed(list, r.words[i].text) {
			return false
		}
	}
	return true
}

// announcesText returns the reach of what follows a line without a colon: "Is this spam?", "Translate the
// following text."
func announcesText(line string) reach {
	if len(line) > maxLabel || !hasSuffix(line, ".|?|。|？") {
		return noPaste
	}
	low := strings.ToLower(line)
	r := recognizer{words: splitWords(nil, line)}
	if hasSuffix(line, "?|？") && containsAny(low, "spam|phishing|scam|betrug|arnaque|estafa|спам|мошенни|垃圾邮件|"+
		"诈骗|迷惑メール|詐欺|스팸|사기") ||
		containsAny(low, "the following|below|folgende|suivant|siguiente|следующ|ci-dessous|以下|下面|次の|다음") &&
			(r.asks(strongVerbs+weakVerbs) || containsAny(low, wideVerbs)) && !r.has(0, ownLabels) {
		return onwards
	}
	return noPaste
}

func isListItem(line string) bool { return StripMarkup(line) != line && !isRuler(line) }

// isShell reports a line of a terminal: a prompt and a command.
func isShell(line string) bool {
	for _, prompt := range [...]string{"$ ", "% ", "PS C:\\", "C:\\", "root@"} {
		if strings.HasPrefix(line, prompt) {
			return true
		}
	}
	i := strings.IndexAny(line, " ")
	return i > 1 && strings.Contains(line[:i], "@") && strings.HasSuffix(line[:i], "$")
}

// isHeader reports the head of a mail or of an issue at p: a subject and another header, or a sender with an address.
func (s *splitter) isHeader(p int) bool {
	found, subject := 0, false
	for at := p; at < len(s.text) && found < 6; at = lineEnd(s.text, at) {
		name, value, ok := cutColon(strings.Trim(s.text[at:lineEnd(s.text, at)], "* \t\r\n"))
		name = strings.ToLower(strings.Trim(name, "* "))
		if !ok || len(name) > 30 || !listed(headers, name) && !listed(subjects, name) {
			break
		}
		if found == 0 && strings.Contains(value, "@") {
			return true
		}
		found++
		subject = subject || listed(subjects, name)
	}
	return subject && found > 1
}
