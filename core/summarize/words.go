package summarize

import "strings"

// Constraints returns the sentences of a user's text that constrain the work, word for word: requirements,
// prohibitions, things to keep. English words match as whole words, Chinese words anywhere.
func Constraints(text string) []string {
	var out []string
	sentences(text, func(s string) {
		if len(s) <= 600 && isConstraint(s) {
			out = append(out, s)
		}
	})
	return out
}

var constraintWords = []string{"must", "must not", "mustn't", "never", "do not", "don't", "always", "only", "required",
	"require", "requirement",
	"constraint", "keep", "ensure", "make sure", "should not", "shouldn't", "without", "avoid", "no longer", "instead of", "needs to", "need to",
	"have to", "cannot", "forbidden", "not allowed", "exactly", "at least", "at most", "prefer"}

var constraintWordsChinese = []string{"不能", "必须", "禁止", "要求", "约束", "不要", "不得", "务必", "只能", "不允许", "一定要", "应该", "保持",
	"始终", "永远"}

func isConstraint(s string) bool {
	return hasWord(s, constraintWords) || hasAny(s, constraintWordsChinese)
}

// Words of sentences that give a reason, and of those that report a result.
var (
	decisionWords = []string{"decided", "decision", "instead of", "because", "root cause", "the issue is",
		"the problem is", "the bug is",
		"turns out", "the reason", "caused by", "due to", "rather than", "i'll use", "we'll use", "chose", "conclusion", "trade-off"}
	findingWords = []string{"the fix", "the bug", "that means", "this means", "so the", "approach", "found the",
		"in summary", "fixed", "implemented",
		"now i understand", "confirmed", "verified", "works", "passes", "fails", "failing", "broken", "missing"}
	decisionWordsChinese = []string{"决定", "因为", "原因", "根本", "问题是", "改用", "结论", "而不是", "由于"}
	findingWordsChinese  = []string{"方案", "发现", "修复", "确认", "因此", "失败", "通过"}
)

func isDecision(s string) bool { return hasWord(s, decisionWords) || hasAny(s, decisionWordsChinese) }
func isFinding(s string) bool  { return hasWord(s, findingWords) || hasAny(s, findingWordsChinese) }

var planWords = []string{"next", "todo", "remaining", "still need", "then i", "plan", "not yet", "left to do",
	"follow-up",
	"pending", "in progress"}

var planWordsChinese = []string{"接下来", "下一步", "待办", "剩下", "还需要", "计划", "尚未"}

func isPlan(s string) bool { return hasWord(s, planWords) || hasAny(s, planWordsChinese) }

// fillerWords start sentences that announce an action; the action itself is in the summary.
var fillerWords = []string{"let me", "now let", "i'll start", "i'll now", "now i'll", "perfect", "great", "good",
	"excellent",
	"let's", "now i need", "now add", "now update", "now run", "you're right", "you're absolutely right", "okay", "ok,", "done", "sure", "looking at"}

func isFiller(s string) bool {
	low := strings.ToLower(s[:min(len(s), 30)])
	for _, f := range fillerWords {
		if strings.HasPrefix(low, f) {
			return true
		}
	}
	return false
}

// hasWord reports whether s contains one of the words as a whole word, in any case.
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
