package summarize

import "strings"

// Words of sentences that give a reason, and of those that report a result.
var (
	decisionWords = newWordList("decided", "decision", "instead of", "because", "root cause", "the issue is",
		"the problem is", "the bug is",
		"turns out", "the reason", "caused by", "due to", "rather than", "i'll use", "we'll use", "chose", "conclusion",
		"trade-off")
	findingWords = newWordList("the fix", "the bug", "that means", "this means", "so the", "approach", "found the",
		"in summary", "fixed", "implemented",
		"confirmed", "verified", "works", "passes", "fails", "failing", "broken", "missing")
	// Words of other languages, or their beginnings.
	decisionParts = newWordList(strings.Split("决定|因为|原因|根本|问题是|改用|结论|而不是|由于|"+
		"때문|결정|대신|원인|문제는|결론|決定|代わりに|結論|問題は|"+
		"entschieden|Ursache|stattdessen|weil |aufgrund|Fazit|décidé|parce qu|plutôt que|au lieu de|en raison d|"+
		"decidí|decidió|decidid|porque |causa es|causa era|causa del|en lugar de|en vez de|debido a|"+
		"решил|Решил|потому что|причин|Причин|вместо |из-за ", "|")...)
	findingParts = newWordList(strings.Split("方案|发现|修复|确认|因此|失败|通过|발견|해결|실패|성공|확인됨|확인했|修正|解決|失敗|成功|発見|確認しま|"+
		"behoben|bestätigt|funktioniert|schlägt fehl|gefunden|corrigé|confirmé|fonctionne|échou|"+
		"corregid|confirmad|funciona|falló|falla |"+
		"исправ|Исправ|подтвер|Подтвер|работает|не удалось|обнаруж|Обнаруж|найден|Найден", "|")...)
)

func isDecision(s string) bool {
	return !isTitle(s) && (hasWord(s, decisionWords) || hasAny(s, decisionParts))
}

func isFinding(s string) bool {
	return !isTitle(s) && (hasWord(s, findingWords) || hasAny(s, findingParts))
}

// isTitle reports a line that only announces the following lines: "Root cause:".
func isTitle(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }

var planWords = newWordList("next", "todo", "remaining", "still need", "then i", "plan", "not yet", "left to do",
	"follow-up",
	"pending", "in progress")

var planParts = newWordList(strings.Split("接下来|下一步|待办|剩下|还需要|计划|尚未|다음 단계|남은|아직|次に|残り|まだ|"+
	"als Nächstes|nächste Schritt|noch offen|prochaine étape|il reste|siguiente paso|queda |дальше|осталось|"+
	"следующ", "|")...)

func isPlan(s string) bool { return hasWord(s, planWords) || hasAny(s, planParts) }

// announcementWords start sentences that announce an action; the action itself is in the summary. What it is about is
// no finding and no plan: "Let me try another approach", "Now let me read the plan".
var announcementWords = []string{"let me", "now let", "first, let me", "first let me", "next, let me", "i'll start",
	"i'll now", "now i'll", "let's", "now i need", "now add", "now check", "now commit", "now create", "now delete",
	"now fix", "now move", "now remove", "now rewrite", "now run", "now test", "now update", "now verify", "looking at"}

func isAnnouncement(s string) bool { return begins(s, announcementWords) }

// fillerWords start sentences of politeness.
var fillerWords = []string{"perfect", "great", "good", "excellent", "you're right", "you're absolutely right", "okay",
	"ok,", "done", "sure", "of course", "certainly", "absolutely", "you're welcome", "happy to", "glad to",
	"好的", "当然", "没问题", "네,", "물론", "はい", "もちろん", "gerne", "natürlich", "bien sûr", "claro", "por supuesto",
	"конечно"}

func isFiller(s string) bool { return begins(s, fillerWords) }

// begins reports whether s begins with one of the words, in any case.
func begins(s string, words []string) bool {
	low := strings.ToLower(s[:min(len(s), 30)])
	for _, w := range words {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return false
}

// wordList is a list of words, phrases or parts of words, by their first byte.
type wordList struct {
	byFirst [256][]string
}

func newWordList(words ...string) *wordList {
	l := new(wordList)
	for _, w := range words {
		l.byFirst[w[0]] = append(l.byFirst[w[0]], w)
	}
	return l
}

// hasWord reports whether s contains one of the words, which begin with a lower-case letter, as a whole word, in any
// case.
func hasWord(s string, words *wordList) bool {
	low := strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	before := uint8(0) // the class of the byte before
	for i := 0; i < len(low); i++ {
		class := byteClasses[low[i]]
		if class == lowerByte && before&nameBytes == 0 {
			for _, w := range words.byFirst[low[i]] {
				end := i + len(w)
				if end <= len(low) && low[i:end] == w && (end == len(low) || byteClasses[low[end]]&nameBytes == 0) {
					return true
				}
			}
		}
		before = class
	}
	return false
}

func hasAny(s string, words *wordList) bool {
	for i := range len(s) {
		if words.byFirst[s[i]] != nil && words.begin(s[i:]) {
			return true
		}
	}
	return false
}

// begin reports whether a text begins with one of the words.
func (l *wordList) begin(text string) bool {
	if text == "" {
		return false
	}
	for _, w := range l.byFirst[text[0]] {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}
