package pass_test

import (
	"strings"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/tokens"
)

// slowClear says which results are cleared, straight from the sentences of the published designs: for each result by
// itself, every condition, computed independently.
func slowClear(c *msg.Conversation, p pass.Clear, counter tokens.Counter) map[msg.Ref]bool {
	type item struct {
		ref      msg.Ref
		block    *msg.Block
		tool     string
		consumed bool
	}
	var all []item
	calls := map[string]string{}
	for ref, block := range c.Blocks() {
		switch {
		case block.Kind == msg.KindToolUse:
			calls[block.ID] = block.Name
		case block.Kind == msg.KindToolResult && !block.Server:
			it := item{ref: ref, block: block, tool: calls[block.ID]}
			if it.tool == "" {
				it.tool = "unknown"
			}
			for _, later := range c.Messages[ref.Message+1:] {
				it.consumed = it.consumed || later.Role == msg.Assistant
			}
			all = append(all, it)
		}
	}
	prompts := 0
	exchange := make([]int, len(c.Messages)) // counted from the end, 0 = the newest
	for m := len(c.Messages) - 1; m >= 0; m-- {
		exchange[m] = prompts
		if provenance.IsPrompt(&c.Messages[m]) {
			prompts++
		}
	}
	counted := func(it item) bool { return !p.ConsumedOnly || it.consumed }
	passes := func(i int) bool { // everything but the sums
		it := all[i]
		newer := 0
		for _, other := range all[i+1:] {
			if counted(other) {
				newer++
			}
		}
		kept := provenance.MayQuote(&c.Messages[it.ref.Message], it.ref.Block) || // the user's words
			provenance.AsksUser(it.tool) && !it.block.IsError
		for _, tool := range p.KeepTools {
			kept = kept || tool == it.tool
		}
		return counted(it) && newer >= p.KeepRecent && !kept && exchange[it.ref.Message] >= p.ProtectExchanges
	}
	eligible := func(i int) bool {
		if !passes(i) || !all[i].consumed {
			return false
		}
		sum := 0
		for j := i; j < len(all); j++ {
			if passes(j) {
				sum += tokens.CJK.Count(all[j].block.Text)
			}
		}
		return p.ProtectTokens == 0 || sum > p.ProtectTokens
	}
	long := func(it item, n int) bool {
		for _, part := range it.block.Parts {
			if part.Kind == msg.KindImage || part.Kind == msg.KindDocument {
				return true
			}
		}
		return utf8.RuneCountInString(it.block.Text) > n
	}
	wasCleared := func(it item) bool {
		text := it.block.Text
		return text == strings.ReplaceAll(p.Placeholder, "{tool}", it.tool) || text == "[Previous: used "+it.tool+"]" ||
			text == "[Old tool result content cleared]" || text == "[cleared to save context]"
	}
	candidates := 0
	for i, it := range all {
		if eligible(i) && long(it, p.MinChars) && !wasCleared(it) {
			candidates += tokens.CJK.Count(it.block.Text)
		}
	}
	cleared := map[msg.Ref]bool{}
	if p.MinSavings > 0 && candidates <= p.MinSavings {
		return cleared
	}
	for i, it := range all {
		placeholder := strings.ReplaceAll(p.Placeholder, "{tool}", it.tool)
		if eligible(i) && long(it, p.MinChars) && !wasCleared(it) && long(it, utf8.RuneCountInString(placeholder)) &&
			counter.Count(placeholder) <= (tokens.Meter{Counter: counter}).Block(it.block) {
			cleared[it.ref] = true
		}
	}
	return cleared
}

func parse(t require.TestingT, data []byte) *msg.Conversation {
	c, err := format.Parse(data, "")
	require.NoError(t, err)
	return c
}

func input(c *msg.Conversation, counter tokens.Counter) *pass.Input {
	meter := tokens.Meter{Counter: counter}
	return &pass.Input{Conversation: c, Pairing: msg.Pair(c), Meter: meter, Counts: meter.Conversation(c)}
}
