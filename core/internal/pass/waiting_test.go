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

// drawWork draws a session of an agent that reads and edits files, with a call in each message. Some results have a
// prompt after them.
func drawWork(t *rapid.T) *msg.Conversation {
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Work on.")}}
	for n := range rapid.IntRange(1, 40).Draw(t, "calls") {
		id, file := fmt.Sprint(n), rapid.IntRange(0, 2).Draw(t, "file")
		call := rapid.SampledFrom([]struct{ tool, input string }{{"Read", `{"file_path":"%d.go"}`},
			{"Read", `{"file_path":"%d.go","offset":1,"limit":5}`}, {"Edit", `{"file_path":"%d.go"}`},
			{"Bash", `{"command":"cat %d.go"}`}, {"Bash", `{"command":"sed -n 1,9p %d.go"}`}, {"Bash", `{"command":"go test %d.go"}`},
			{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: %d.go\n@@\n-a\n+b\n*** End Patch"}`},
			{"Fetch", `{"url":"%d.go"}`}, {"Agent", `{"prompt":"Read %d.go."}`}}).Draw(t, "call")
		result := msg.Block{Kind: msg.KindToolResult, ID: id, IsError: rapid.IntRange(0, 4).Draw(t, "failed") == 0,
			Text: strings.Repeat("a line ", rapid.IntRange(1, 400).Draw(t, "size"))}
		for range rapid.IntRange(0, 3).Draw(t, "names") {
			result.Text += fmt.Sprintf("\nfoo_%d is here", rapid.IntRange(0, 50).Draw(t, "name"))
		}
		blocks := []msg.Block{result}
		if rapid.IntRange(0, 9).Draw(t, "prompt") == 0 {
			blocks = append(blocks, msg.Block{Kind: msg.KindText, Text: "Now the next one."})
		}
		c.Messages = append(c.Messages, msg.Message{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindToolUse, ID: id,
			Name: call.tool, Text: fmt.Sprintf(call.input, file)}}}, msg.Message{Role: msg.User, Blocks: blocks})
	}
	return c
}

// A result waits while its definition says so; the tracker is quiet if
// and only if the pass clears nothing that pays; a copy of the tracker stays valid while the tracker goes on.
func TestResultsWaitWhileTheirPromptIsNew(t *testing.T) {
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
				want, old := slowWaits(&w, in, m)
				require.Equal(t, want, w.Waits(m/2-1), "result %d of %d", m, end)
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
				require.Equal(t, want, w.Waits(m/2-1), "result %d of the copy", m)
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
	freed := 0
	for _, d := range p.Ever(in, m) {
		if d.Ref.Message == m && d.Edit != nil {
			freed = d.Edit.Tokens - d.Edit.After
		}
	}
	file, _, change, shell := useOf(c, m)
	if freed <= 0 || file == "" || change {
		return false, false
	}
	patched, prompts := false, 0
	for other := 2; other < len(c.Messages); other += 2 {
		later, all, changed, bare := useOf(c, other)
		patched = patched || other < m && changed && bare
		if other <= m {
			continue
		}
		prompts += len(c.Messages[other].Blocks) - 1
		same := c.Messages[other-1].Blocks[0].Text == c.Messages[m-1].Blocks[0].Text
		stale = stale || later == file && (all || changed || same) && (!bare || changed || patchedBefore(c, other))
	}
	if shell && !patched {
		return false, false
	}
	return !stale && prompts < 2, stale
}

// useOf says what the call before a result did with a file: "" for nothing. shell: by a command or a patch.
func useOf(c *msg.Conversation, m int) (file string, whole, changes, shell bool) {
	call := &c.Messages[m-1].Blocks[0]
	if c.Messages[m].Blocks[0].IsError {
		return "", false, false, false
	}
	at := strings.Index(call.Text, ".go")
	switch file = call.Text[at-1 : at]; {
	case call.Name == "Read":
		return file, !strings.Contains(call.Text, "offset"), false, false
	case call.Name == "Edit":
		return file, true, true, false
	case call.Name == "apply_patch":
		return file, true, true, true
	case call.Name == "Agent":
		return "report " + file, true, false, false
	case strings.Contains(call.Text, "cat ") || strings.Contains(call.Text, "sed "):
		return file, false, false, true
	}
	return "", false, false, false
}

func patchedBefore(c *msg.Conversation, end int) (patched bool) {
	for m := 2; m < end; m += 2 {
		_, _, changes, bare := useOf(c, m)
		patched = patched || changes && bare
	}
	return patched
}

// The time to add a result that waits and to ask once what waits, in a session of 10,000 reads for one prompt: of a
// file of its own each, of parts of one file, of one file again and again. It grows with the reads if a call reads all.
func BenchmarkWaiting(b *testing.B) {
	for name, arguments := range map[string]string{"files": `{"file_path":"N.go"}`,
		"parts": `{"file_path":"a.go","offset":N,"limit":9}`, "again": `{"file_path":"a.go"}`} {
		b.Run(name, func(b *testing.B) {
			c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Read all.")}}
			const reads = 10_000
			for n := range reads {
				id := fmt.Sprint(n)
				use := msg.Block{Kind: msg.KindToolUse, ID: id, Name: "Read", Text: strings.Replace(arguments, "N", id, 1)}
				result := msg.Block{Kind: msg.KindToolResult, ID: id, Text: strings.Repeat("a line ", 50)}
				c.Messages = append(c.Messages, msg.Message{Role: msg.Assistant, Blocks: []msg.Block{use}},
					msg.Message{Role: msg.User, Blocks: []msg.Block{result}})
			}
			in := input(c, tokens.Chars4)
			terms := pass.Terms{Read: 100, Write: 1250, Cached: pass.LastRequest(in), RentPermille: 1000}
			for b.Loop() {
				w := pass.ChangeTracker{Clear: pass.Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 3, MinChars: 100,
					When: pass.Economic, Placeholder: marker.PlaceholderUsed, Reads: summarize.Files, Name: archived}}
				w.Add(in, archived)
				for range reads {
					w.NothingToDo(in, &terms)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*reads), "ns/read")
		})
	}
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

// A result that waits costs no rent; once it waits no more, each call pays for it.
func TestWhatWaitsPaysNoRent(t *testing.T) {
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Work on.")}}
	add := func(tool, result string) {
		id := fmt.Sprint(len(c.Messages))
		call := msg.Block{Kind: msg.KindToolUse, ID: id, Name: tool, Text: `{"file_path":"a.go"}`}
		c.Messages = append(c.Messages, msg.Message{Role: msg.Assistant, Blocks: []msg.Block{call}},
			msg.Message{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: id, Text: result}}})
	}
	w := pass.ChangeTracker{Clear: pass.Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 1, MinChars: 100,
		When: pass.Economic, Placeholder: marker.PlaceholderUsed, Reads: summarize.Files, Name: archived}}
	rents := []int{}
	for _, tool := range []string{"Read", "Fetch", "Fetch", "Fetch", "Edit", "Fetch", "Fetch"} {
		add(tool, strings.Repeat("a line ", 300/len(c.Messages)/len(c.Messages)/len(c.Messages)))
		w.Add(input(c, tokens.Chars4), archived)
		rents = append(rents, w.Rent())
	}
	require.Equal(t, []int{0, 0, 0, 0, 0}, rents[:5])
	require.Greater(t, rents[5], 400)
	require.Equal(t, rents[5]*2, rents[6])
}
