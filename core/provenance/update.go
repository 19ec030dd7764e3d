package provenance

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// changePhrases say at the start or the end of a sentence that a rule is new. They have no topic.
var changePhrases = [...]string{
	"good news", "gute nachrichten", "gute nachricht", "bonne nouvelle", "buenas noticias", "buena noticia",
	"хорошие новости", "хорошая новость", "好消息", "良いニュース", "좋은 소식",
	"from now on", "going forward", "as of now", "as of today", "starting today", "from today on", "from here on",
	"ab jetzt", "ab sofort", "ab heute", "von nun an", "von jetzt an", "künftig", "in zukunft", "désormais", "dorénavant",
	"à partir de maintenant", "à partir d'aujourd'hui", "à l'avenir", "a partir de ahora", "a partir de hoy",
	"de ahora en adelante", "desde ahora", "en adelante", "ahora", "отныне", "теперь", "с этого момента",
	"с сегодняшнего дня", "впредь",
	"从现在起", "从现在开始", "从今天起", "从今以后", "今后", "以后都", "今後は", "今後", "これからは", "これから", "以降は", "本日から",
	"이제부터는", "이제부터", "지금부터", "오늘부터", "앞으로는", "앞으로", "대신",
}

// changeWords in a short clause before a colon say that the statement after it replaces another: "Change: …".
const changeWords = " change changes changed update updated correction instead modified modification revised " +
	"different " +
	"änderung geändert anders korrektur aktualisierung changement changé changée rectification cambio cambió cambiado " +
	"cambia corrección actualización изменение изменения изменился изменилась изменилось изменились поправка " +
	"исправление " +
	"обновление "

const changeMarks = "更改|改|变|變|更新|修正|更正|変更|変わ|訂正|변경|바뀌|바꿔|바뀐|정정"

// newWords say the same with one of newNouns: "New limit: …" is a change, and "New files: …" has a topic.
const (
	newWords = " new neu neue neuer neues neuen nouveau nouvelle nouvel nuevo nueva новый новая новое новые "
	newNouns = " limit limits rule rules budget deadline value number maximum minimum cap quota requirement " +
		"policy grenze limit " +
		"regel vorgabe obergrenze frist wert höchstzahl limite règle échéance plafond valeur límite regla " +
		"presupuesto plazo tope " +
		"valor предел лимит правило бюджет срок значение ограничение "
)

const newMarks = "新的限制|新限制|新上限|新的上限|新规则|新的规则|新预算|新的预算|新期限|新的要求|新要求|新しい上限|新しい制限|新しいルール|新しい予算|新しい期限|新ルール|새 제한|새 " +
	"규칙|새 예산|새 한도|새 기한|새로운 제한|새로운 규칙|새로운 한도"

// maxLead is the longest clause before a colon that is read as the announcement of a change, in code points.
const maxLead = 48

// announced splits the announcement of a change from a sentence: "Change: keep it for 30 days" and "From now on, keep
// it for 30 days" both have the statement "keep it for 30 days". changes reports an announcement.
func announced(s string) (statement string, changes bool) {
	if head, tail, ok := cutColon(s); ok && utf8.RuneCountInString(head) <= maxLead && strings.TrimSpace(tail) != "" {
		if announces(head) {
			s, changes = strings.TrimSpace(tail), true
		}
	} else if i := strings.IndexAny(s, "，、"); i > 0 && utf8.RuneCountInString(s[:i]) <= maxLead/2 {
		if head := s[:i]; hasSuffix(head, "了|一下|として|ので") && announces(head) {
			s, changes = s[i+len("，"):], true
		}
	}
	low := strings.ToLower(s)
	if len(low) != len(s) { // offsets would differ
		low = s
	}
	for _, p := range changePhrases {
		i := strings.Index(low, p)
		if i < 0 || !wholeWords(low, i, i+len(p)) {
			continue
		}
		s = strings.TrimSpace(s[:i]) + " " + strings.TrimLeft(s[i+len(p):], " ,，、:：")
		return strings.TrimSpace(s), true
	}
	return s, changes
}

func announces(head string) bool {
	isNew, noun := false, false
	for _, w := range splitWords(nil, head) {
		if listed(changeWords, w.text) {
			return true
		}
		isNew, noun = isNew || listed(newWords, w.text), noun || listed(newNouns, w.text)
	}
	return isNew && noun || containsAny(head, changeMarks) || containsAny(head, newMarks)
}

// wholeWords reports whether no Latin, Cyrillic or Korean letter continues the phrase at either end.
func wholeWords(s string, start, end int) bool {
	letter := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 0xC0 && c < 0x2000 || c >= 0xAC00 && c <= 0xD7A3
	}
	first, _ := utf8.DecodeRuneInString(s[start:])
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	if !letter(first) {
		return true
	}
	return (start == 0 || !letter(before)) && (end == len(s) || !letter(after))
}

// lessSpecific returns the only statement of the same kind that has all words of c's subject and a value of the same
// class; nil if there is none or more than one. It is for sentences that say that they are a change.
func lessSpecific(earlier []statement, c *statement) (found *statement) {
	if len(c.words) == 0 || c.Value == "" {
		return nil
	}
	class, _, _ := strings.Cut(c.Value, ":")
	for j := range earlier {
		e := &earlier[j]
		if e.dropped || e.Kind != c.Kind || e.Revokes || !strings.HasPrefix(e.Value, class+":") ||
			slices.ContainsFunc(c.words, func(w string) bool { return !slices.Contains(e.words, w) }) {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}
