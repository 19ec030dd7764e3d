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
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			continue
		case isCode(line):
			continue
		}
		lineSentences(line, func(s string) {
			if c, ok := r.read(s); ok {
				r.found = append(r.found, c)
			}
		})
	}
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
	end := text[len(text)-1]
	if end == '{' || end == ';' || end == '}' || strings.HasSuffix(text, "({") || strings.HasSuffix(text, ");") {
		return true
	}
	if n := digits(text); n > 0 && n < 7 && n < len(text) &&
		(text[n] == ':' || text[n] == '|' || strings.HasPrefix(text[n:], "→")) {
		return true // a numbered line of a file
	}
	return strings.Contains(text, "();") || strings.Contains(text, "=> {") || strings.HasPrefix(line, "    ") &&
		(strings.Contains(text, "(") && strings.Contains(text, ")") || strings.Contains(text, " = ")) || isTimestamp(text)
}

// isTimestamp reports a line of a log: it begins with a date or a time.
func isTimestamp(text string) bool {
	text = strings.TrimLeft(text, "[")
	return len(text) > 10 && digits(text[:4]) == 4 && text[4] == '-' ||
		len(text) > 8 && digits(text) == 2 && text[2] == ':' &&
			digits(text[3:]) == 2 && text[5] == ':'
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

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
	revokes := isRevocation(rest)
	if !ok && !revokes {
		return Constraint{}, false
	}
	c := Constraint{Kind: kind, Text: s, Revokes: revokes}
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
			if name != "" && listed(l.words, name) && tail != "" {
				return l.kind, tail, true
			}
		}
		if !listed(" user human update correction usuario benutzer utilisateur 用户 ユーザー 사용자 ", name) && digits(head) == 0 {
			return 0, "", false
		}
		s = tail
	}
	return 0, "", false
}

func cutColon(s string) (head, tail string, ok bool) {
	i := strings.IndexByte(s, ':')
	if j := strings.Index(s, "："); j >= 0 && (i < 0 || j < i) {
		return s[:j], s[j+len("："):], true
	}
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// masked returns a sentence without inline code and without quotations of more than two words: they are not the
// user's own statement. What replaces them counts as a word.
func masked(s string) string {
	for _, q := range [...]string{"``", "\"\"", "“”", "„“", "«»", "「」", "『』", "‘’"} {
		open, size := utf8.DecodeRuneInString(q)
		closing := q[size:]
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
			end := i + size + n + len(closing)
			if open != '`' && strings.Count(inner, " ") < 2 && !isWide(inner) {
				from = end
				continue
			}
			s = s[:i] + "…" + s[end:]
			from = i + len("…")
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
			case prev != "" && !r.words[i].start && listed(c.notPrev, prev):
			case next != "" && listed(c.notNext, next):
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
	for i := range r.words {
		w := r.words[i].text
		verb := listed(" says said claims claimed told wrote writes mentions mentioned states stated according sagt steht "+
			"meint sagte "+
			"dit disait selon dice dijo según говорит сказал сказано написано пишет ", w) ||
			w == "say" && listed(" docs they people comments comment guidelines readme it ", r.at(i-1))
		switch {
		case verb && !listed(" i i've we as ich je yo я ", r.at(i-1)) && !listed(" i i've ", r.at(i-2)):
			if i == len(r.words)-1 && listed(" he she they ", r.at(i-1)) {
				return 0
			}
			return i
		case (w == "why" || w == "whether") && i == 0:
			return 0
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
	if w == "…" {
		return false
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

// negated reports a Spanish form of a negative imperative.
func negated(w string) bool {
	if listed(usted, w) {
		return true
	}
	return len(w) > 3 && (strings.HasSuffix(w, "es") || strings.HasSuffix(w, "as")) &&
		!listed(" tienes eres sabes ves nosotras ellas puedes debes ", w)
}

// russian reports a Russian imperative or an infinitive.
func russian(w string) bool {
	return len(w) > 4 && hasSuffix(w, "й|йте|и|ите|ь|ьте") &&
		!hasSuffix(w, "ли|ей|ой|ый|ий|ии|ами|ость") && !listed(" очень есть теперь здесь лишь опять ", w)
}

// russianRule reports a Russian rule whose cue, word i, follows its topic: "для базы всегда используй …", "копии нужно
// хранить …".
func (r *recognizer) russianRule(i int) bool {
	prev, next := r.at(i-1), r.at(i+1)
	if i == 0 || r.words[i].start || listed(" я мы он она они мне нам ему ей им не что и ли ", prev) {
		return false
	}
	switch r.at(i) {
	case "всегда":
		return russian(next)
	case "никогда":
		return next == "не" && russian(r.at(i+2))
	case "нужно", "надо", "следует":
		return len(next) > 4 && hasSuffix(next, "ть|ти|чь|ться|тись")
	}
	return false
}

func hasSuffix(s, ends string) bool {
	for end := range strings.SplitSeq(ends, "|") {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// containsAny reports whether s contains one of the words, which are separated by bars. A list of arguments would be
// compiled to code that is three times as large.
func containsAny(s, words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// chinese, japanese and korean read sentences without word forms: cues anywhere, except in reports.

func chinese(s string) (Kind, bool) {
	if containsAny(s, "为什么|是否|怎么|是不是|要不要|能不能|什么时候") ||
		containsAny(s, "文档说|他说|她说|据说|写着|提示说|报错|里说|上说|他们说|声称|表示") {
		return 0, false
	}
	t := s
	for _, drop := range [...]string{"不必须", "不是必须", "被禁止", "已禁止", "不要紧", "不能运行", "只能说", "必须的"} {
		t = strings.ReplaceAll(t, drop, "")
	}
	if containsAny(t, "必须|不要|禁止|务必|只能|不得|严禁|切勿|请勿|不许|不准|不可以|千万|一定要|从现在起|从现在开始|今后|以后都|永远不|绝不|绝对不能|你不能|只用|只使用|"+
		"仅使用|只允许|不允许|请确保|请始终|请总是|请保持|应始终") {
		return Rule, true
	}
	for _, clause := range strings.FieldsFunc(t, func(c rune) bool { return strings.ContainsRune("，,；;：:、 （(", c) }) {
		clause = strings.TrimPrefix(clause, "请")
		for _, p := range [...]string{"不能", "确保", "始终", "总是", "别", "只改", "只修改", "避免", "保持", "仅限"} {
			if rest, ok := strings.CutPrefix(clause, p); ok && rest != "" &&
				!(p == "别" && hasPrefix(rest, "的", "人", "名", "处", "样")) {
				return Rule, true
			}
		}
	}
	switch {
	case containsAny(t, "目标是"):
		return Goal, true
	case containsAny(t, "我希望|更喜欢|我喜欢|倾向于|偏好|我想要|最好|我更|我想用"):
		return Preference, true
	}
	return 0, false
}

func hasPrefix(s string, starts ...string) bool {
	for _, p := range starts {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func japanese(s string) (Kind, bool) {
	t := strings.TrimRight(s, "。.！! ")
	if containsAny(t, "と書いて|と書かれて|と言って|と言われ|によると|らしい|そうです|とのこと|でしょうか|なぜ") {
		return 0, false
	}
	if containsAny(t, "てはいけ|ではいけ|てはならな|てはなりません|ではならな|てはだめ|ちゃだめ|ないでください|ないで下さい|しないで|ないでほしい|なければならな|なければなりません|"+
		"ようにしてください|ようにして下さい|べきではな|厳禁|は不可") ||
		strings.Contains(t, "禁止") && !containsAny(t, "禁止されて|禁止され、|禁止した") || strings.HasSuffix(t, "ないこと") {
		return Rule, true
	}
	if containsAny(t, "必ず|絶対|常に|のみ|だけ|今後は|これからは|以降は|決して") &&
		(containsAny(t, "ください|下さい|こと|せよ|しろ|なさい|てくれ|ように|べき") ||
			hasSuffix(t, "て|用|ない|限る|お願いします")) &&
		!containsAny(t, "ことが|ことは|呼ばれな|されない") {
		return Rule, true
	}
	switch {
	case containsAny(t, "目標は"):
		return Goal, true
	case containsAny(t, "できれば|なるべく|ほしい|好みです|が好き|望ましい|希望します|したいです|がいいです"):
		return Preference, true
	}
	return 0, false
}

func korean(s string) (Kind, bool) {
	t := strings.TrimRight(s, ".! ")
	if containsAny(t, "라고 적|라고 써|라고 쓰|라고 말|라고 했|라고 되|라고 한다|다고 합니다|다고 한다|다고 했|왜 ") {
		return 0, false
	}
	if containsAny(t, "지 마|지마|지 말|지말|면 안 |면 안됩|면 안돼|면 안된|서는 안 |서는 안됩|해야만") ||
		strings.Contains(t, "금지") && !containsAny(t, "금지되|금지됐|금지한 ") {
		return Rule, true
	}
	imperative := containsAny(t, "세요|십시오|시오|주세") ||
		hasSuffix(t, "하라|해라|할 것|말 것|마라|줘|야 해|야 한다|야 합니다|야 돼|야 됩니다|야 해요|야 돼요|해|하기|합시다")
	if containsAny(t, "반드시|절대|항상|꼭 |언제나|무조건|이제부터|앞으로|지금부터|만 사용|만 써|만 수정|만 변경|에만 |으로만|로만 ") && imperative &&
		!containsAny(t, "지 않는다|지 않습니다") {
		return Rule, true
	}
	if hasSuffix(t, "야 한다|야 합니다|야 해|야 해요|야 돼|야 됩니다") {
		return Rule, true
	}
	switch {
	case containsAny(t, "목표는"):
		return Goal, true
	case containsAny(t, "선호|원합니다|원해|좋겠|싶|가급적|되도록|더 좋아"):
		return Preference, true
	}
	return 0, false
}
