package provenance

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tamp/core/internal/order"
)

// updateWords show that a sentence replaces an earlier statement.
const updateWords = " now actually instead updated update correction changed moved longer jetzt stattdessen nun " +
	"doch maintenant " +
	"plutôt désormais ahora теперь вместо "

const updateMarks = "现在|改为|改成|更新|今は|変更|に変えて|이제|변경|바꿔"

// environments are words that name alternatives of one kind: statements that differ in them are never updates.
const environments = " production prod staging stage test testing dev development qa demo main master develop " +
	"release frontend " +
	"backend client server mobile desktop web api ios android windows linux macos morning evening left right primary " +
	"secondary " +
	"first second third internal external public private read write input output produktion produktiv producción prod " +
	"рабочую "

// Latest returns the statements that still hold, in their order. It drops a statement if
//
//   - a later one repeats it;
//   - a later one has the same kind and Subject and another Value: "at most 80 words", then "at most 120 words";
//   - a later one says that it is a change and differs in one word: "use tabs", then "actually use spaces";
//   - a later one revokes it: "forget the rule about tabs", "you may push to main again".
//
// When unsure it keeps both: statements about production and staging, or about room 4 and room 5, stay apart. A
// revocation is dropped with the rule that it revokes. A statement in other words is looked for among the 1,000 before,
// so that the time is linear.
func Latest(cs []Constraint) []Constraint {
	all := make([]statement, len(cs))
	for i := range cs {
		all[i] = statement{Constraint: &cs[i], words: strings.Fields(cs[i].Subject), prohibits: prohibits(cs[i].Text),
			qualified: hasQualifier(cs[i].Text)}
	}
	type key struct {
		kind    Kind
		subject string
	}
	last := map[key]*statement{}
	for i := range all {
		c := &all[i]
		recent := all[max(0, i-maxCompared):i]
		if c.Revokes {
			if e := revoked(recent, c); e != nil {
				e.dropped, c.dropped = true, true
			}
			continue
		}
		k := key{c.Kind, c.Subject}
		if c.Subject == "" {
			k.subject = "\x00" + fold(c.Text)
		}
		if e := last[k]; e != nil && !e.dropped && (c.Value != e.Value && replaces(e.Value, c.Value, c.Text) ||
			c.Value == e.Value && fold(c.Text) == fold(e.Text)) {
			e.dropped = true
		} else if saysUpdate(c.Text) {
			if e := oneWordApart(recent, c); e != nil {
				e.dropped = true
			} else if e := lessSpecific(recent, c); e != nil {
				e.dropped = true
			}
		}
		last[k] = c
	}
	out := make([]Constraint, 0, len(cs))
	for i := range all {
		if !all[i].dropped {
			out = append(out, cs[i])
		}
	}
	return out
}

// maxCompared is the number of earlier statements with which one is compared: more than people make in a session.
const maxCompared = 1000

// statement is a statement with the keys by which it is compared.
type statement struct {
	*Constraint
	words                         []string // of the subject
	prohibits, qualified, dropped bool
}

// replaces reports whether a new value is of the same class as the old one, or the sentence says that it is a change.
func replaces(old, value, text string) bool {
	if old == "" || value == "" {
		return saysUpdate(text)
	}
	a, _, _ := strings.Cut(old, ":")
	b, _, _ := strings.Cut(value, ":")
	return a == b && a != "other" || saysUpdate(text)
}

func saysUpdate(text string) bool {
	if _, ok := announced(text); ok {
		return true
	}
	low := strings.ToLower(text)
	for _, w := range strings.FieldsFunc(low, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if listed(updateWords, w) {
			return true
		}
	}
	return containsAny(text, updateMarks)
}

// oneWordApart returns the latest statement of the same kind whose subject has the same number of words, at least two,
// and differs in exactly one that names no environment; nil if there is none.
func oneWordApart(earlier []statement, c *statement) *statement {
	for j := len(earlier) - 1; j >= 0; j-- {
		e := &earlier[j]
		if e.dropped || e.Kind != c.Kind || e.Revokes || e.Value != c.Value || len(e.words) != len(c.words) ||
			len(c.words) < 2 {
			continue // another value is of another thing
		}
		if missing(c.words, e.words) == 1 && missing(e.words, c.words) == 1 {
			return e
		}
	}
	return nil
}

// missing returns how many of some words are not in a list, at most two. The name of an environment counts as two.
func missing(words, in []string) (n int) {
	for _, w := range words {
		if !slices.Contains(in, w) {
			if n++; n > 1 || listed(environments, w) {
				return 2
			}
		}
	}
	return n
}

func fold(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}), " "))
}

// keys returns the keys of a statement. Facts and goals of the form "X is Y" have the subject X and the value Y.
func keys(s string, kind Kind) (subject, value string) {
	s, _ = announced(s)
	words := splitWords(nil, spaceScripts(s))
	if kind >= Goal {
		for i := 1; i < len(words)-1; i++ {
			if listed(" is are = ist sind est sont es son это ", words[i].text) {
				if subject := content(words[:i]); subject != "" {
					return subject, classOf(words[i+1:])
				}
			}
		}
	}
	negative := false
	numbers := 0
	for i := range words {
		negative = negative ||
			listed(" never not don't dont no nie niemals nicht kein keine jamais pas nunca не никогда нельзя 不要 禁止 ",
				words[i].text)
		if isNumber(words[i].text) {
			numbers++
		}
	}
	var kept []word
	var values []string
	for i := range words {
		w := words[i].text
		if !isNumber(w) {
			kept = append(kept, words[i])
			continue
		}
		several := numbers > 1 && len(values) == 0 && !isLast(words, i) // the first of several
		identifies := i == 0 && several || i > 0 && (listed(numbered, words[i-1].text) ||
			!listed(stopWords, words[i-1].text) && !words[i].start && (negative && numbers == 1 || several))
		if identifies {
			kept = append(kept, words[i])
			continue
		}
		values = append(values, w)
	}
	if len(values) > 0 {
		value = "number:" + strings.Join(values, " ")
	}
	return content(kept), value
}

// isLast reports whether no number follows word i.
func isLast(words []word, i int) bool {
	return !slices.ContainsFunc(words[i+1:], func(w word) bool { return isNumber(w.text) })
}

func isNumber(w string) bool { return w[0] >= '0' && w[0] <= '9' }

// content joins the words with a topic, sorted and without repetitions.
func content(words []word) string {
	var out []string
	for _, w := range words {
		if !listed(stopWords, w.text) && !listed(updateWords, w.text) && w.text != "…" {
			out = append(out, w.text)
		}
	}
	order.Stable(out, strings.Compare)
	return strings.Join(slices.Compact(out), " ")
}

// classOf returns a value with its class, so that "is Friday" replaces "is Monday", and "is angry" not "is from Rome".
func classOf(words []word) string {
	for len(words) > 1 && (listed(stopWords, words[0].text) || listed(updateWords, words[0].text)) {
		words = words[1:]
	}
	class, text := "other", ""
	switch first := words[0]; {
	case isNumber(first.text):
		class = "number"
	case listed(" monday tuesday wednesday thursday friday saturday sunday january february march april may june july "+
		"august "+
		"september october november december today tomorrow ", first.text):
		class = "date"
	case first.upper && len(words) <= 3:
		class = "name"
	}
	for _, w := range words {
		text += " " + w.text
	}
	return class + ":" + text[1:]
}

// spaceScripts separates the words of scripts without spaces, roughly: Chinese characters in pairs that overlap,
// numbers apart, Korean without particles. The modal words of the languages are left out.
func spaceScripts(s string) string {
	han, kana, hangul := scripts(s)
	if !han && !kana && !hangul {
		return s
	}
	for w := range strings.SplitSeq("必须|不要|禁止|务必|只能|不得|不能|请|现在|改为|今後は|必ず|ください|禁止|反复|忘掉|规则|又可以|可以|不用再|关于|那条|的|到|向|往|"+
		"了|在|반드시|절대|항상|이제|마세요|하세요|합니다|규칙|말라는|대한|다시|더 이상", "|") {
		s = strings.ReplaceAll(s, w, " ")
	}
	var out strings.Builder
	last := rune(0)
	for _, c := range s {
		switch {
		case unicode.Is(unicode.Han, c) || c >= 0x30A0 && c <= 0x30FF:
			if last != 0 {
				out.WriteString(" " + string(last) + string(c))
			}
			last = c
			continue
		case c >= 0x3041 && c <= 0x309F:
			out.WriteByte(' ')
		default:
			if last != 0 {
				out.WriteByte(' ')
			}
			out.WriteRune(c)
		}
		last = 0
	}
	if !hangul {
		return out.String()
	}
	fields := strings.Fields(out.String())
	for i, w := range fields {
		for _, p := range [...]string{"으로", "에서", "을", "를", "은", "는", "이", "가", "에", "로", "도", "의"} {
			if rest, ok := strings.CutSuffix(w, p); ok && utf8.RuneCountInString(rest) > 1 {
				fields[i] = rest
				break
			}
		}
	}
	return strings.Join(fields, " ")
}

// BindingClause returns the part of a constraint that binds, at most limit code points: the clauses from the one with
// the first cue on, as many as fit, with "…" for the rest. A constraint within the limit is returned whole, and
// one without a cue is cut at its end. The words are the user's; the result is "" if limit is under 2.
func BindingClause(c Constraint, limit int) string {
	if utf8.RuneCountInString(c.Text) <= limit {
		return c.Text
	}
	if limit < 2 {
		return ""
	}
	start := 0
	r := newRecognizer()
	for _, part := range clauses(c.Text) {
		if part[1]-part[0] > maxSentence {
			continue // no statement, and the time to read it grows with its square
		}
		if _, ok := r.kindOf(masked(c.Text[part[0]:part[1]])); ok {
			start = part[0]
			break
		}
	}
	head := ""
	if start > 0 && limit > 10 { // in less room, the mark takes too large a share
		head, limit = "… ", limit-2
	}
	text := c.Text[start:]
	if utf8.RuneCountInString(text) <= limit {
		return head + text
	}
	cut, n := 0, 0
	for i := range text {
		if n == max(limit-1, 0) {
			cut = i
			break
		}
		n++
	}
	text = text[:cut]
	for i := len(text) - 1; i > cut*3/5; i-- { // whole words, if that keeps most of it
		if text[i] == ' ' {
			text = text[:i]
			break
		}
	}
	return head + strings.TrimRight(text, " ,;:") + "…"
}

// clauses returns the offsets of the clauses of a sentence.
func clauses(s string) (out [][2]int) {
	start := 0
	for i, c := range s {
		if strings.ContainsRune(",;:—–，；：、(", c) {
			out = append(out, [2]int{start, i})
			start = i + utf8.RuneLen(c)
			start += len(s[start:]) - len(strings.TrimLeft(s[start:], " "))
		}
	}
	if start < len(s) {
		out = append(out, [2]int{start, len(s)})
	}
	return out
}
