package extract

import "strings"

// Constraints returns the sentences of a user's text that bind the work, word for word: what must or must not be, what to keep,
// what to do always or never. Whole words in English, anywhere in Chinese.
func Constraints(text string) []string {
	var out []string
	sentences(text, func(s string) {
		if len(s) <= 600 && isConstraint(s) {
			out = append(out, s)
		}
	})
	return out
}

var binding = []string{"must", "must not", "mustn't", "never", "do not", "don't", "always", "only", "required", "require", "requirement",
	"constraint", "keep", "ensure", "make sure", "should not", "shouldn't", "without", "avoid", "no longer", "instead of", "needs to", "need to",
	"have to", "cannot", "forbidden", "not allowed", "exactly", "at least", "at most", "prefer"}

var bindingChinese = []string{"不能", "必须", "禁止", "要求", "约束", "不要", "不得", "务必", "只能", "不允许", "一定要", "应该", "保持", "始终", "永远"}

func isConstraint(s string) bool { return hasWord(s, binding) || hasAny(s, bindingChinese) }

// Sentences that say why, and those that say what came of it.
var (
	causing = []string{"decided", "decision", "instead of", "because", "root cause", "the issue is", "the problem is", "the bug is", "turns out", "the reason",
		"caused by", "due to", "rather than", "i'll use", "we'll use", "chose", "conclusion", "trade-off"}
	finding = []string{"the fix", "the bug", "that means", "this means", "so the", "approach", "found the", "in summary", "fixed", "implemented",
		"now i understand", "confirmed", "verified", "works", "passes", "fails", "failing", "broken", "missing"}
	causingChinese = []string{"决定", "因为", "原因", "根本", "问题是", "改用", "结论", "而不是", "由于"}
	findingChinese = []string{"方案", "发现", "修复", "确认", "因此", "失败", "通过"}
)

func isDecision(s string) bool { return hasWord(s, causing) || hasAny(s, causingChinese) }
func isFinding(s string) bool  { return hasWord(s, finding) || hasAny(s, findingChinese) }

var planning = []string{"next", "todo", "remaining", "still need", "then i", "plan", "not yet", "left to do", "follow-up", "pending", "in progress"}

var planningChinese = []string{"接下来", "下一步", "待办", "剩下", "还需要", "计划", "尚未"}

func isPlan(s string) bool { return hasWord(s, planning) || hasAny(s, planningChinese) }

// What agents say before they do something: the act itself is on record.
var filler = []string{"let me", "now let", "i'll start", "i'll now", "now i'll", "perfect", "great", "good", "excellent", "let's", "now i need", "now add",
	"now update", "now run", "you're right", "you're absolutely right", "okay", "ok,", "done", "sure", "looking at"}

func isFiller(s string) bool {
	low := strings.ToLower(s[:min(len(s), 30)])
	for _, f := range filler {
		if strings.HasPrefix(low, f) {
			return true
		}
	}
	return false
}

// hasWord looks for whole words in any case.
func hasWord(s string, words []string) bool {
	low := strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(low[from:], w)
			if i < 0 {
				break
			}
			i += from
			end := i + len(w)
			if (i == 0 || !nameByte(low[i-1])) && (end == len(low) || !nameByte(low[end])) {
				return true
			}
			from = end
		}
	}
	return false
}

func hasAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
