package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// drawWork draws a session of an agent that reads and edits files, with a call in each message.
func drawWork(t *rapid.T) *msg.Conversation {
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Work on.")}}
	for n := range rapid.IntRange(1, 40).Draw(t, "calls") {
		id, tool := fmt.Sprint(n), rapid.SampledFrom([]string{"Read", "Edit", "Bash", "Fetch", "Agent"}).Draw(t, "tool")
		input := fmt.Sprintf(`{"file_path":"%d.go"}`, rapid.IntRange(0, 2).Draw(t, "file"))
		if tool == "Read" && rapid.Bool().Draw(t, "part") {
			input = strings.Replace(input, "}", `,"offset":1,"limit":5}`, 1)
		}
		result := msg.Block{Kind: msg.KindToolResult, ID: id, IsError: rapid.IntRange(0, 4).Draw(t, "failed") == 0,
			Text: strings.Repeat("a line ", rapid.IntRange(1, 400).Draw(t, "size"))}
		for range rapid.IntRange(0, 3).Draw(t, "names") {
			result.Text += fmt.Sprintf("\nfoo_%d is here", rapid.IntRange(0, 50).Draw(t, "name"))
		}
		c.Messages = append(c.Messages,
			msg.Message{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: id, Name: tool, Text: input}}},
			msg.Message{Role: msg.User, Blocks: []msg.Block{result}})
	}
	return c
}

// A result waits for as many calls as its definition says, until a later call makes it stale; the tracker is quiet if
// and only if the pass clears nothing that pays; a copy of the tracker stays valid while the tracker goes on.
func TestResultsWaitUntilTheyHaveCostAsMuchAsReadingAgain(t *testing.T) {
	waited, stale, paid, kept := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawWork(t)
		w := pass.ChangeTracker{Clear: pass.Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 1, MinChars: 100,
			When: pass.Economic, Placeholder: marker.PlaceholderLeftOut, BytesPerName: 30, Reads: summarize.Files,
			Name: archived}, Names: new(summarize.Names)}
		var earlier pass.TrackedChanges
		for end := 1; end <= len(c.Messages); end += 2 {
			in := input(c.WithMessages(c.Messages[:end]), tokens.Estimate)
			w.Add(in, archived)
			if end == 1+2*(len(c.Messages)/4) {
				earlier = w.TrackedChanges
			}
			for m := 2; m < end; m += 2 {
				ref := msg.Ref{Message: m}
				want, old := slowWaits(&w, in, m)
				require.Equal(t, want, w.Waits(ref), "result %d of %d", m, end)
				if want {
					waited++
				}
				if old {
					stale++
				}
			}
			clear, first, freed := w.Clear, -1, 0
			clear.Before, clear.Waits, clear.Found = w.Window.Start(in), w.Waits, w.Found
			for _, d := range clear.Run(in) {
				if e := d.Edit; e != nil {
					if strings.Contains(e.Text, "\nfoo_") {
						kept++
					}
					if freed += e.Tokens - e.After; first < 0 {
						first = d.Ref.Message
					}
				}
			}
			before := in.Counts.Total
			for m := len(in.Counts.Messages) - 1; first >= 0 && m >= first; m-- {
				before -= in.Counts.Messages[m].Tokens
			}
			before += in.Counts.Messages[max(first, 0)].Before(0)
			terms := pass.Terms{Read: 100, Write: 1250, Cached: pass.LastRequest(in), Rent: w.Rent(), RentPermille: 1000}
			pays := freed > 0 && terms.Pays(freed, before, 0)
			require.Equal(t, !pays, w.NothingToDo(in, &terms), "after %d messages", end)
			if pays {
				paid++
			}
		}
		if end := len(c.Messages); end > 1 { // another tracker that reads all messages at once keeps the same lines
			other := pass.ChangeTracker{Clear: w.Clear, Names: new(summarize.Names)}
			other.Add(input(c, tokens.Estimate), archived)
			for i := range end / 2 {
				require.Equal(t, other.Found(i), w.Found(i))
			}
		}
		if at := 1 + 2*(len(c.Messages)/4); at <= len(c.Messages) {
			w.TrackedChanges = earlier
			in := input(c.WithMessages(c.Messages[:at]), tokens.Estimate)
			for m := 2; m < at; m += 2 {
				want, _ := slowWaits(&w, in, m)
				require.Equal(t, want, w.Waits(msg.Ref{Message: m}), "result %d of the copy", m)
			}
		}
	})
	if !testing.Short() {
		require.Greater(t, min(waited, stale, paid, kept), 10, "all were seen: %d, %d, %d, %d", waited, stale, paid, kept)
	}
}

// slowWaits reports by definition whether the result in message m waits, and whether it is stale.
func slowWaits(w *pass.ChangeTracker, in *pass.Input, m int) (waits, stale bool) {
	p := w.Clear
	p.Found = func(i int) pass.Replacement { return w.Found(m/2 - 1 + i) }
	c := in.Conversation
	call, before, after := &c.Messages[m-1].Blocks[0], 0, in.Counts.Messages[m].Tokens
	for i := range m {
		before += in.Counts.Messages[i].Tokens
	}
	before += in.Counts.Messages[m].Before(0)
	freed := 0
	for _, d := range p.Ever(in, m) {
		if d.Ref.Message == m && d.Edit != nil {
			freed = d.Edit.Tokens - d.Edit.After
		}
	}
	if freed <= 0 || call.Name != "Read" && call.Name != "Agent" || after == 0 {
		return false, false
	}
	for later := m + 2; later < len(c.Messages); later += 2 {
		next := &c.Messages[later-1].Blocks[0]
		if c.Messages[later].Blocks[0].IsError || next.Text[:19] != call.Text[:19] {
			continue
		}
		if call.Name == "Agent" {
			stale = stale || next.Name == call.Name && next.Text == call.Text
			continue
		}
		if next.Name == "Edit" || next.Name == "Read" && (next.Text == call.Text || !strings.Contains(next.Text, "offset")) {
			stale = true
		}
	}
	return !stale && len(c.Messages)/2-m/2 < min(before/freed+12, 100), stale
}

func isPlaceholder(text, template, tool string) bool {
	kept, ok := marker.CutPlaceholder(text, template, tool)
	return ok && kept == ""
}

// Each placeholder that a plan writes is recognized later, also by another policy; other texts are not.
func TestPlaceholdersAreRecognized(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := marker.Placeholder{Tool: rapid.SampledFrom([]string{"Read", "mcp__a__b", "", "{ref}"}).Draw(t, "tool"),
			About: rapid.SampledFrom([]string{"", "src/parser.go", "go test ./...\nls", "ü", ": left out, ",
				rapid.String().Draw(t, "any")}).Draw(t, "about"),
			Tokens: rapid.IntRange(0, 10_000_000).Draw(t, "tokens"), Ref: "0123456789abcdef"}
		text := p.Expand(marker.PlaceholderLeftOut)
		if p.Tool != "{ref}" {
			require.True(t, isPlaceholder(text, marker.PlaceholderUsed, p.Tool), text)
			kept, ok := marker.CutPlaceholder(text+"\nmore\n\n", marker.PlaceholderUsed, p.Tool)
			require.True(t, ok)
			require.Equal(t, "more\n\n", kept)
			require.False(t, isPlaceholder(marker.PlaceholderOld+"\nmore", marker.PlaceholderUsed, p.Tool), "it has no ref")
		}
		require.True(t, marker.BeginsLikePlaceholder(text))
		require.NotContains(t, text, "\n")
	})
	for _, row := range []struct {
		p    marker.Placeholder
		want string
	}{
		{marker.Placeholder{Tool: "Read", About: "src/parser.go", Tokens: 4_096}, "[Read src/parser.go: left out, 4,100 tokens; ref "},
		{marker.Placeholder{Tool: "Bash", About: strings.Repeat("go test ", 9), Tokens: 1_234_567},
			"[Bash " + strings.Repeat("go test ", 5) + "…: left out, 1,200,000 tokens; ref "},
		{marker.Placeholder{Tool: "Read", About: strings.Repeat("deep/", 9) + "a.go", Tokens: 99},
			"[Read …/" + strings.Repeat("deep/", 7) + "a.go: left out, 99 tokens; ref "},
		{marker.Placeholder{Tool: "list", Tokens: 7}, "[list: left out, 7 tokens; ref "},
	} {
		row.p.Ref = "5dd8f0a1b2c3d4e5"
		require.Equal(t, row.want+row.p.Ref+"]", row.p.Expand(marker.PlaceholderLeftOut))
	}
	for _, text := range []string{"[Read a: left out, 4,100 tokens; ref 5dd8]", "[Read]",
		"[Write a: left out, 4,100 tokens; ref 5dd8f0a1b2c3d4e5]"} {
		require.False(t, isPlaceholder(text, marker.PlaceholderUsed, "Read"), text)
	}
	require.True(t, isPlaceholder("gone: go test (5dd8f0a1b2c3d4e5)", "gone:{about} ({ref})", "Bash"))
}
