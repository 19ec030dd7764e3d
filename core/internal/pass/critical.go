package pass

import (
	"slices"
	"strings"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// Critical messages keep their exact text: calls with side effects, errors, and demands of the user. The rules are
// exactly those of the published design. Its rule for errors marks most source files, so Tamp's own preset uses the
// error reports of tools instead (see core/summarize).

// Critical is the policy of the rule.
type Critical struct {
	Tools []string `json:"criticalTools"` // tools with side effects
}

// These texts mark a demand: constraintWords as whole words, constraintPhrases anywhere.
var (
	constraintWords   = [...]string{"must not", "must", "required", "constraint", "never", "do not"}
	constraintPhrases = [...]string{"不能", "必须", "禁止", "要求", "约束"}
)

// Mark returns for each message whether it is critical. Pairs are not split: a marked call marks the message of its
// result, a marked result that of its call.
func (p Critical) Mark(in *Input) []bool {
	c := in.Conversation
	marked := make([]bool, len(c.Messages))
	for m := range c.Messages {
		marked[m] = p.critical(in, &c.Messages[m])
	}
	for changed := true; changed; {
		changed = false
		for it := c.Walk(); it.Next(); {
			result := it.Ref
			call, ok := in.Pairing.Call(result)
			if ok && marked[call.Message] != marked[result.Message] {
				marked[call.Message], marked[result.Message], changed = true, true, true
			}
		}
	}
	return marked
}

func (p Critical) critical(in *Input, m *msg.Message) bool {
	prompt := provenance.IsPrompt(m)
	for b := range m.Blocks {
		block := &m.Blocks[b]
		switch {
		case block.Kind == msg.KindToolUse && m.Role == msg.Assistant && slices.Contains(p.Tools, block.Name):
			return true
		case block.Kind == msg.KindToolResult && (block.IsError || in.makesCritical(block, saysError)):
			return true
		case prompt && block.Kind == msg.KindText && !provenance.IsInjected(m, b) && in.makesCritical(block, Demands):
			return true
		}
	}
	return false
}

// makesCritical reports whether the text of a block makes the block critical, by the rule for blocks of its kind.
func (in *Input) makesCritical(b *msg.Block, rule func(string) bool) bool {
	facts := in.Blocks.Of(b)
	if facts.critical == unread {
		facts.critical = notCritical
		if rule(b.Text) {
			facts.critical = isCritical
		}
	}
	return facts.critical == isCritical
}

func saysError(text string) bool {
	return containsFold(text, "error") || containsFold(text, "exception")
}

// Demands reports whether a text states a constraint.
func Demands(text string) bool {
	for _, phrase := range constraintPhrases {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	lower := strings.ToLower(text)
	for _, word := range constraintWords {
		for rest, at := lower, 0; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			at += i
			if !letterAt(lower, at-1) && !letterAt(lower, at+len(word)) {
				return true
			}
			at += len(word)
			rest = lower[at:]
		}
	}
	return false
}

func letterAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] == '_')
}

// containsFold is strings.Contains for a word in lower-case ASCII of two letters or more, ignoring case, without a copy
// of the text.
func containsFold(text, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && text[i+1]|0x20 == word[1] && strings.EqualFold(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
