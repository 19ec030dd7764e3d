package pass

import (
	"slices"
	"strings"

	"tamp/core/msg"
)

// Critical messages keep their exact text: calls with side effects, and errors. The rules are those of the published
// design, which also keeps prompts with words such as "must": here the summary has every word of the user, and one that
// stays below it would be below a later one that changes it. Its rule for errors marks most source files, so Tamp's own
// preset uses the error reports of tools instead (see core/summarize).

// Critical is the policy of the rule.
type Critical struct {
	Tools []string `json:"criticalTools"` // tools with side effects
}

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
	for b := range m.Blocks {
		block := &m.Blocks[b]
		switch {
		case block.Kind == msg.KindToolUse && m.Role == msg.Assistant && slices.Contains(p.Tools, block.Name):
			return true
		case block.Kind == msg.KindToolResult && (block.IsError || in.saysError(block)):
			return true
		}
	}
	return false
}

// saysError reports whether the text of a result has the word error or exception.
func (in *Input) saysError(b *msg.Block) bool {
	facts := in.Blocks.Of(b)
	if facts.critical == unread {
		facts.critical = notCritical
		if containsFold(b.Text, "error") || containsFold(b.Text, "exception") {
			facts.critical = isCritical
		}
	}
	return facts.critical == isCritical
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
