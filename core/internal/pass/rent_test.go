package pass_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// slowRent is the rent by its definition: at each call, the pass over the call's prompt.
func slowRent(t *rapid.T, c *msg.Conversation, p pass.Clear, window pass.Window, from int) (sum int) {
	calls := 0
	for m := range c.Messages {
		if c.Messages[m].Role != msg.Assistant {
			continue
		}
		if calls++; calls <= from {
			continue
		}
		in := input(c.WithMessages(c.Messages[:m]), tokens.Estimate)
		p.Before = window.Start(in)
		for _, d := range p.Run(in) {
			if d.Edit != nil && !(p.Was != nil && p.Was(d.Ref, c.At(d.Ref))) {
				sum += d.Edit.Tokens - d.Edit.After
			}
		}
	}
	return sum
}

// drawRounds draws a session of prompts and rounds of calls, each answered by one message.
func drawRounds(t *rapid.T) []byte {
	messages := []string{`{"role":"user","content":"Read on."}`}
	for n := range rapid.IntRange(1, 25).Draw(t, "rounds") {
		if rapid.IntRange(0, 3).Draw(t, "prompt") == 0 {
			messages = append(messages, `{"role":"assistant","content":"Done."}`, `{"role":"user","content":"Read on."}`)
		}
		var calls, results []string
		for k := range rapid.IntRange(1, 3).Draw(t, "calls") {
			id := strconv.Itoa(n) + "_" + strconv.Itoa(k)
			tool := rapid.SampledFrom([]string{"bash", "search"}).Draw(t, "tool")
			calls = append(calls, `{"type":"tool_use","id":"`+id+`","name":"`+tool+`","input":{}}`)
			text := strings.Repeat("a line ", rapid.IntRange(0, 30).Draw(t, "size"))
			results = append(results, `{"type":"tool_result","tool_use_id":"`+id+`","content":"`+text+`"}`)
		}
		messages = append(messages, `{"role":"assistant","content":[`+strings.Join(calls, ",")+`]}`,
			`{"role":"user","content":[`+strings.Join(results, ",")+`]}`)
	}
	return []byte(`{"model":"claude-opus-4-5","messages":[` + strings.Join(messages, ",") + `]}`)
}

// Rent is the sum over all calls of what clearing would have spared them, also if the messages come one by one.
func TestRentIsTheSumOverTheCalls(t *testing.T) {
	positive := 0
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, drawRounds(t))
		pick := func(name string, from ...int) int { return rapid.SampledFrom(from).Draw(t, name) }
		p := pass.Clear{Enabled: true, ConsumedOnly: rapid.Bool().Draw(t, "consumed"), When: pass.Economic,
			KeepRecent: pick("recent", 0, 1, 3), MinChars: pick("chars", 0, 10, 100), Placeholder: marker.PlaceholderUsed}
		if rapid.Bool().Draw(t, "tools") {
			p.KeepTools = []string{"bash", "read_file"}
		}
		window := pass.Window{RecentTurns: pick("window", 0, 1, 2, 4), RecentTokens: pick("windowTokens", 0, 20, 500)}
		from := pick("from", 0, 0, 3, 8)
		if from == 8 { // the results of the first three rounds were cleared before
			p.Was = func(_ msg.Ref, b *msg.Block) bool { return b.ID < "3_" && b.ID[1] == '_' }
		}
		w := pass.ChangeTracker{Clear: p, Window: window, RentFrom: from}
		for at := 0; at < len(c.Messages); {
			at = rapid.IntRange(at+1, len(c.Messages)).Draw(t, "at")
			w.Add(input(c.WithMessages(c.Messages[:at]), tokens.Estimate), func(string) string { return "" })
		}
		require.Equal(t, slowRent(t, c, p, window, from), w.Rent())
		if w.Rent() > 0 {
			positive++
		}
	})
	if !testing.Short() { // else there are too few cases to be sure of so many
		require.Greater(t, positive, 5)
	}
}
