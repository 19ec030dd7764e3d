package pass_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/marker"
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

// The one pass that serves every preset agrees with the sentences.
func TestClearAgreesWithItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat}).Draw(t, "format")
		c := parse(t, convtest.Conversation(t, name))
		p := pass.Clear{
			Enabled:          true,
			ConsumedOnly:     rapid.Bool().Draw(t, "consumedOnly"),
			KeepRecent:       rapid.IntRange(0, 4).Draw(t, "keepRecent"),
			MinChars:         rapid.SampledFrom([]int{0, 5, 50, 100}).Draw(t, "minChars"),
			ProtectTokens:    rapid.SampledFrom([]int{0, 10, 100}).Draw(t, "protectTokens"),
			ProtectExchanges: rapid.IntRange(0, 2).Draw(t, "protectExchanges"),
			MinSavings:       rapid.SampledFrom([]int{0, 20, 100}).Draw(t, "minSavings"),
			Placeholder: rapid.SampledFrom([]string{marker.PlaceholderUsed, marker.PlaceholderOld, "[gone]"}).Draw(t,
				"placeholder"),
		}
		names := []string{}
		for _, block := range c.Blocks() {
			if name := block.Name; name != "" {
				names = append(names, name)
			}
		}
		if len(names) > 0 && rapid.Bool().Draw(t, "keepATool") {
			p.KeepTools = []string{rapid.SampledFrom(names).Draw(t, "tool")}
		}
		want := slowClear(c, p, tokens.Chars4)
		have := map[msg.Ref]bool{}
		for _, d := range p.Run(input(c, tokens.Chars4)) {
			if d.Edit != nil {
				have[d.Ref] = true
			}
			require.NotEmpty(t, d.Reason, "every decision has a reason")
		}
		require.Equal(t, want, have)
	})
}

// The published numbers of prune, at their own size: 20,000 tokens stay, older ones go when they hold more than 10,000.
func TestPruneAtItsOwnSize(t *testing.T) {
	rows := []struct {
		why            string
		newest, oldest int // tokens of the newest result, and of the five older ones
		cleared        int
	}{
		{"30,000 older tokens behind 20,000 protected ones", 20000, 6000, 5},
		{"the second result carries the sum past the limit, and goes", 19999, 6000, 5},
		{"exactly 10,000 are not more than 10,000", 20000, 2000, 0},
		{"10,005 are", 20000, 2001, 5},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			var messages []string
			for i := range 6 {
				size := row.oldest
				if i == 5 {
					size = row.newest
				}
				id := strconv.Itoa(i)
				messages = append(messages,
					`{"role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":"run","input":{}}]}`,
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":"`+strings.Repeat("word",
						size)+`"}]}`)
			}
			c := parse(t, []byte(`[{"role":"user","content":"Go."},`+strings.Join(messages, ",")+`]`))
			p := pass.Clear{Enabled: true, ProtectTokens: 20000, MinSavings: 10000, Placeholder: marker.PlaceholderOld}
			cleared := 0
			for _, d := range p.Run(input(c, tokens.Estimate)) {
				if d.Edit != nil {
					cleared++
				}
			}
			require.Equal(t, row.cleared, cleared)
		})
	}
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
