package provenance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Constraints returns the statements of a user's text that bind the agent or inform it, in order, word for word. Pass
// only text whose author is User. The languages are English, Chinese, Japanese, Korean, German, French, Spanish and
// Russian.
//
// A statement is a labelled sentence ("GOAL: …", also behind a role such as "user:"), or a sentence with an imperative
// or a modal that addresses the agent. Code, block quotes, questions, reports ("is never called") and words in
// quotation marks or inline code do not count. When unsure, a sentence is no constraint.
func Constraints(text string) []Constraint {
	r := newRecognizer()
	fence := ""
	unwrappedLines(text, func(line string) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			return
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			return
		case isCode(line):
			return
		}
		lineSentences(line, func(s string) {
			if c, ok := r.read(s); ok {
				r.found = append(r.found, c)
			}
		})
	})
	return r.found
}

// maxSentence is the longest sentence that is read as a statement, in bytes: longer ones are data.
const maxSentence = 600

// isCode reports a line that is not prose of the user: a block quote, a table, code, output of a program.
func isCode(line string) bool {
	text := strings.TrimSpace(line)
	if text == "" {
		return true
	}
	switch text[0] {
	case '>', '|', '$', '@', '{', '}', '<', '/', '\\', '%':
		return true
	}
	for p := range strings.SplitSeq("#include|import |from |def |func |const |let |var |class |return |if (|"+
		"for (|while (|public |private |at |--- |+++ |diff |Error:|error:|warning:|Warning:|WARN|ERROR|INFO|"+
		"DEBUG|Traceback|panic:|FAIL|[ERROR|[WARN|[INFO|error[", "|") {
		if strings.HasPrefix(text, p) && (p != "from " || strings.Contains(text, " import ")) {
			return true
		}
	}
	if end := text[len(text)-1]; end == '{' || end == ';' || end == '}' {
		return true
	}
	if n := leadingDigits(text); n > 0 && n < 7 && n < len(text) &&
		(text[n] == ':' || text[n] == '|' || strings.HasPrefix(text[n:], "→")) {
		return true // a numbered line of a file
	}
	return strings.Contains(text, "();") || strings.Contains(text, "=> {") || strings.HasPrefix(line, "    ") &&
		(strings.Contains(text, "(") && strings.Contains(text, ")") || strings.Contains(text, " = ")) || isTimestamp(text)
}

// isTimestamp reports a line of a log: it begins with a date or a time.
func isTimestamp(text string) bool {
	text = strings.TrimLeft(text, "[")
	return len(text) > 10 && leadingDigits(text[:4]) == 4 && text[4] == '-' ||
		len(text) > 8 && leadingDigits(text) == 2 && text[2] == ':' &&
			leadingDigits(text[3:]) == 2 && text[5] == ':'
}

// leadingDigits counts the digits at the beginning of a text.
func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// recognizer finds cues by the first byte of their phrase.
type recognizer struct {
	found []Constraint
	heads [256]int16
	next  [len(cues)]int16
	words []word
}

// word is one word of a sentence in lower case.
type word struct {
	text  string
	start bool // of a clause
	comma bool // a comma is before it
	upper bool // written with a capital
}

func newRecognizer() *recognizer {
	r := &recognizer{}
	for i := len(cues) - 1; i >= 0; i-- {
		b := cues[i].phrase[0]
		r.next[i] = r.heads[b]
		r.heads[b] = int16(i + 1)
	}
	return r
}

// read returns the statement of a sentence.
func (r *recognizer) read(s string) (Constraint, bool) {
	if len(s) > maxSentence {
		return Constraint{}, false
	}
	s = strings.TrimSpace(strings.Trim(s, "*_"))
	kind, rest, ok := label(s)
	if !ok {
		if rest = masked(s); isQuestion(rest) || strings.HasSuffix(s, ":") { // the second opens a list
			return Constraint{}, false
		}
		if kind, ok = r.kindOf(rest); !ok {
			if statement, changes := announced(rest); changes {
				kind, ok = r.kindOf(statement)
			}
		}
	}
	what, topic := revocation(rest)
	if what != lifted {
		if !ok {
			kind = Fact // it informs the agent
		}
		subject, _ := keys(topic, Rule)
		return Constraint{Kind: kind, Text: s, Subject: subject, Revokes: true}, true
	}
	if !ok {
		return Constraint{}, false
	}
	c := Constraint{Kind: kind, Text: s}
	c.Subject, c.Value = keys(rest, kind)
	return c, true
}

// label reads "KIND: statement", also behind the role of a speaker and with a number after the kind.
func label(s string) (k Kind, rest string, ok bool) {
	for range 3 {
		head, tail, found := cutColon(s)
		if !found || len(head) > 60 {
			return 0, "", false
		}
		head = strings.Trim(head, "*_[]()# ")
		name := strings.TrimRight(strings.ToLower(head), "0123456789 .")
		if i := strings.LastIndexByte(name, ']'); i >= 0 {
			name = strings.Trim(name[i+1:], "*_# ")
		}
		for _, drop := range [...]string{"new ", "updated ", "hard ", "update to ", "user "} {
			name = strings.TrimPrefix(name, drop)
		}
		name = strings.TrimSuffix(name, " update")
		tail = strings.TrimSpace(strings.TrimLeft(tail, "* "))
		for _, l := range labels {
			if listed(l.words, name) && tail != "" {
				return l.kind, tail, true
			}
		}
		if !listed(" user human update correction usuario benutzer utilisateur 用户 ユーザー 사용자 ", name) &&
			leadingDigits(head) == 0 {
			return 0, "", false
		}
		s = tail
	}
	return 0, "", false
}

// masked returns a sentence without inline code and without quotations of more than two words: they are not the
// user's own statement. What replaces them counts as a word.
func masked(s string) string {
	for _, q := range [...]string{"``", "\"\"", "“”", "„“", "«»", "「」", "『』", "‘’"} {
		open, size := utf8.DecodeRuneInString(q)
		closing := q[size:]
		out, done := []byte(nil), 0
		for from := 0; ; {
			i := strings.IndexRune(s[from:], open)
			if i < 0 {
				break
			}
			i += from
			n := strings.Index(s[i+size:], closing)
			if n < 0 {
				break
			}
			inner := s[i+size : i+size+n]
			from = i + size + n + len(closing)
			if open == '`' || strings.Count(inner, " ") >= 2 || isWide(inner) {
				out, done = append(append(out, s[done:i]...), "…"...), from
			}
		}
		if done > 0 {
			s = string(append(out, s[done:]...))
		}
	}
	return s
}

// isWide reports a text of more than six characters in a script without spaces.
func isWide(s string) bool {
	n := 0
	for _, c := range s {
		if c >= 0x3040 {
			n++
		}
	}
	return n > 6
}

func isQuestion(s string) bool {
	s = strings.TrimRight(s, " *_)\"”」")
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return true
	}
	s = strings.TrimRight(s, "。.!！ ")
	return hasSuffix(s, "吗|呢|ですか|ますか|ましたか|でしょうか|니까|나요|까요|가요|을까|할까")
}

// kindOf returns the kind of a sentence by its words.
func (r *recognizer) kindOf(s string) (Kind, bool) {
	han, kana, hangul := scripts(s)
	switch {
	case hangul:
		return korean(s)
	case kana:
		return japanese(s)
	case han:
		if k, ok := chinese(s); ok {
			return k, true
		}
	}
	r.words = splitWords(r.words[:0], s)
	return r.alphabetic()
}

func scripts(s string) (han, kana, hangul bool) {
	for _, c := range s {
		switch {
		case c < 0x1100:
		case c >= 0x3041 && c <= 0x30FF:
			kana = true
		case c >= 0xAC00 && c <= 0xD7A3:
			hangul = true
		case unicode.Is(unicode.Han, c):
			han = true
		}
	}
	return han, kana, hangul
}

// splitWords appends the words of a sentence.
func splitWords(words []word, s string) []word {
	s = strings.ReplaceAll(s, "’", "'")
	start, comma := true, false
	begin := -1
	flush := func(end int) {
		if begin < 0 {
			return
		}
		text := s[begin:end]
		low := strings.ToLower(text)
		first, _ := utf8.DecodeRuneInString(text)
		words = append(words, word{low, start, comma, unicode.IsUpper(first)})
		start, comma = start && listed(polite, low) || listed(" and but so then und aber et mais y pero и но ", low), false
		begin = -1
	}
	for i, c := range s {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '\'' || c == '-' || c == '_' || c == '…' {
			if begin < 0 && c != '-' && c != '\'' {
				begin = i
			}
			if c == '-' && begin < 0 {
				start = true
			}
			continue
		}
		flush(i)
		switch c {
		case ',', ';', ':', '(', ')', '–', '—', '!', '.', '¡', '?':
			start, comma = true, c == ','
		}
	}
	flush(len(s))
	return words
}

// at returns the text of a word, "" outside the sentence.
func (r *recognizer) at(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].text
}

// alphabetic applies the cues and the rules for clauses.
func (r *recognizer) alphabetic() (Kind, bool) {
	best, found := Kind(255), false
	take := func(k Kind) {
		found = true
		best = min(best, k)
	}
	for i := range r.words[:r.reported()] {
		w := r.words[i].text
		for n := r.heads[w[0]]; n > 0; n = r.next[n-1] {
			c := &cues[n-1]
			if c.kind >= best {
				continue
			}
			length := r.matches(i, c.phrase)
			if length == 0 {
				continue
			}
			prev, next := r.at(i-1), r.at(i+length)
			switch {
			case !r.words[i].start && listed(c.notPrev, prev):
			case listed(c.notNext, next):
			case c.at == clause && !r.words[i].start && !listed(leads, prev):
			case c.phrase == "must" && r.epistemic(i):
			case listed(leads, prev) && !r.words[i].start && listed(" i we they it that this ", r.at(i-2)):
			case strings.HasSuffix(c.phrase, "s to") && listed(" if when whenever while once ", r.at(0)):
			case c.at == clause && next == "" && length == 1:
			default:
				take(c.kind)
			}
		}
		if best > Rule && (r.words[i].start && r.instruction(i) || r.russianRule(i)) {
			take(Rule)
		}
	}
	return best, found
}

// matches returns the number of words of a phrase if it begins at word i, else 0.
func (r *recognizer) matches(i int, phrase string) int {
	n := 0
	for {
		w, rest, more := strings.Cut(phrase, " ")
		if r.at(i+n) != w {
			return 0
		}
		if n++; !more {
			return n
		}
		phrase = rest
	}
}

// epistemic reports a "must" that concludes: "must be a bug", "must have changed".
func (r *recognizer) epistemic(i int) bool {
	next := r.at(i + 1)
	switch next {
	case "have", "'ve", "admit", "say", "confess":
		return true
	case "be":
		after := r.at(i + 2)
		return listed(" it this that there you something ", r.at(i-1)) || listed(" because something due ", after)
	}
	return r.at(i-1) == "i"
}

// reported returns the first word from which a sentence repeats the statement of another ("the docs say that …", "he
// told me to …"); the number of words if there is none. A sentence that ends with the report repeats as a whole.
func (r *recognizer) reported() int {
	if listed(" why whether ", r.at(0)) {
		return 0
	}
	for i := range r.words {
		w := r.words[i].text
		verb := listed(" says said claims claimed told wrote writes mentions mentioned states stated according sagt steht "+
			"meint sagte "+
			"dit disait selon dice dijo según говорит сказал сказано написано пишет ", w) ||
			w == "say" && listed(" docs they people comments comment guidelines readme it ", r.at(i-1))
		if verb && !listed(" i i've we as ich je yo я ", r.at(i-1)) && !listed(" i i've ", r.at(i-2)) {
			if i == len(r.words)-1 && listed(" he she they ", r.at(i-1)) {
				return 0
			}
			return i
		}
	}
	return len(r.words)
}

// instruction reports a clause, beginning at word i, whose form binds: an imperative with "only", "without", "instead
// of" or ", not", or a negated or adverbial imperative of the other languages.
func (r *recognizer) instruction(i int) bool {
	w, next := r.at(i), r.at(i+1)
	switch w {
	case "only", "nur", "solo", "sólo", "únicamente", "uniquement", "seulement", "только":
		return listed(imperatives, next) || w == "nur" && r.infinitive(i) || w == "только" && russian(next)
	case "no":
		if i == 0 && next != "" && !r.startsClause(1) && len(r.words) <= 7 && !r.has(0, spanish) && !listed(
			" problem idea worries need one way longer such matter doubt thanks error errors luck change test tests it i hay ",
			next) &&
			!r.has(0, " is was are were failed found works worked ") {
			return true
		}
		return negated(next) && r.has(0, spanish)
	case "nunca", "jamás":
		return negated(next)
	case "nie", "niemals", "immer":
		return r.infinitive(i) || listed(imperatives, r.at(i-1))
	case "kein", "keine", "keinen":
		return i == 0 && len(r.words) <= 7 && !r.has(0, aux)
	case "ne", "n'":
		return r.has(i, " pas jamais plus rien aucun aucune ")
	case "toujours":
		return listed(imperatives, next) || strings.HasSuffix(next, "er")
	case "siempre":
		return listed(imperatives, next)
	case "stop":
		return strings.HasSuffix(next, "ing")
	case "не":
		return russian(next)
	case "никогда":
		return next == "не" && russian(r.at(i+2))
	case "всегда":
		return russian(next)
	}
	if strings.HasPrefix(w, "n'") && r.has(i, " pas jamais plus rien aucun aucune ") {
		return true
	}
	if i == 0 && listed(" uniquement seulement solo sólo únicamente ", next) && len(w) > 4 && hasSuffix(w, "e|ez|a|en") &&
		!r.hasUpTo(i+2, i+3, " est sont es son ") {
		return true // an imperative of any verb
	}
	if listed(imperatives, w) {
		if listed(" only always never nur nie niemals immer nicht kein keine keinen toujours jamais uniquement seulement "+
			"siempre nunca solo "+
			"sólo únicamente ", next) {
			return true
		}
		for n := i + 1; n < len(r.words); n++ {
			text, after := r.words[n].text, r.at(n+1)
			switch {
			case text == "without" && strings.HasSuffix(after, "ing"), text == "instead" && after == "of",
				text == "rather" && after == "than", text == "not" && r.words[n].comma, text == "statt" || text == "anstatt",
				text == "sans", text == "sin" && strings.HasSuffix(after, "r"),
				listed(" only always nie niemals immer nicht nur keine keinen jamais toujours siempre nunca uniquement únicamente ",
					text) && n <= i+4:
				return true
			}
		}
		return false
	}
	if next == "sie" || strings.HasSuffix(w, "e") && r.words[i].upper && !listed(aux, w) {
		for n := i + 1; n < min(len(r.words), i+5); n++ {
			if r.words[n].start {
				break
			}
			if listed(" nie niemals immer nicht nur keine keinen keinesfalls ", r.words[n].text) {
				return !listed(aux+" kann können konnte funktioniert ", w) && !r.hasUpTo(i+1, n, auxVerbs)
			}
		}
	}
	if russian(w) && len(w) > 6 {
		for n := i + 1; n < min(len(r.words), i+4); n++ {
			if listed(" только всегда ", r.words[n].text) {
				return true
			}
		}
	}
	return false
}

func (r *recognizer) startsClause(i int) bool { return i < len(r.words) && r.words[i].start }

func (r *recognizer) has(from int, list string) bool { return r.hasUpTo(from, len(r.words), list) }

func (r *recognizer) hasUpTo(from, end int, list string) bool {
	for i := from; i < end; i++ {
		if listed(list, r.words[i].text) {
			return true
		}
	}
	return false
}

// infinitive reports a German sentence that begins with an adverb at word i and ends with an infinitive.
func (r *recognizer) infinitive(i int) bool {
	last := r.at(len(r.words) - 1)
	return i < len(r.words)-1 && (strings.HasSuffix(last, "en") || strings.HasSuffix(last, "ern") ||
		listed(imperatives, r.at(i+1))) &&
		!r.hasUpTo(i+1, i+2, aux)
}
