package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestTextsOfTheConstraintsBench(t *testing.T) {
	for _, l := range languages {
		filler := strings.Join(l.topics[:], "\n") + strings.Join(l.users[:], "\n") + strings.Join(l.answers[:], "\n")
		require.NotRegexp(t, `[0-9]`, filler, l.name)
		for i, s := range l.subjects {
			for _, text := range []string{s.rule, s.update} {
				require.Contains(t, text, s.mark, l.name)
				require.Equal(t, 1, strings.Count(text, "{v}"), text)
				for k, other := range l.subjects {
					require.True(t, k == i || !strings.Contains(text, other.mark), "%s has the mark of another subject", text)
				}
			}
			require.NotContains(t, filler, s.mark, l.name)
		}
	}
}

func TestChats(t *testing.T) {
	updated := map[string]int{}
	for n := range chats {
		c := newChat(n)
		all := strings.Join(c.users[:], "\n")
		values := map[string]bool{}
		updates := 0
		for _, r := range c.rules {
			require.Contains(t, all, r.text())
			for _, value := range []string{r.value, r.old} {
				require.False(t, values[value] && value != "", "chat %d has %s twice", n, value)
				values[value] = true
			}
			if r.old != "" {
				updates++
				updated[r.mark]++
				require.Contains(t, all, strings.ReplaceAll(r.update, "{v}", r.value))
			}
		}
		require.Equal(t, 1, updates)
		v := c.judge(all)
		require.Equal(t, verdict{rules: 4, kept: 4, updates: 1, resolved: 1, pairs: 1}, v,
			"the old value is above the new one")
	}
	require.Greater(t, len(updated), 30, "different subjects are updated")
}

func TestJudge(t *testing.T) {
	c := newChat(0)
	for i := range c.rules {
		c.rules[i].old = ""
	}
	c.rules[2].value, c.rules[2].old = "350", "420"
	line := func(i int, value string) string { return strings.ReplaceAll(c.rules[i].rule, "{v}", value) + "\n" }
	both := line(0, c.rules[0].value) + line(1, c.rules[1].value)
	for _, test := range []struct {
		why, context string
		want         verdict
	}{
		{"nothing", "", verdict{}},
		{"all", both + line(2, "350") + line(3, c.rules[3].value), verdict{kept: 4, resolved: 1}},
		{"the old value only", both + line(2, "420"), verdict{kept: 2, stale: 1}},
		{"the old value above the new one", both + line(2, "420") + line(2, "350"), verdict{kept: 3, resolved: 1}},
		{"the old value below the new one", both + line(2, "350") + line(2, "420"), verdict{kept: 3, stale: 1}},
		{"both values in one line", both + strings.TrimSpace(line(2, "350")) + " (was 420)", verdict{kept: 3, resolved: 1}},
		{"one of two near-duplicates", line(1, c.rules[1].value), verdict{kept: 1, merged: 1}},
		{"the value of the other", line(0, c.rules[1].value) + line(1, c.rules[0].value), verdict{}},
		{"a longer number", line(2, "3501"), verdict{}},
	} {
		test.want.rules, test.want.updates, test.want.pairs = 4, 1, 1
		require.Equal(t, test.want, c.judge(test.context), test.why)
	}
}

func TestHostileLines(t *testing.T) {
	c := newChat(0)
	for _, l := range strings.Split(strings.TrimSpace(c.hostileResult(3)), "\n") {
		require.True(t, c.isHostile(l), l)
	}
	for _, r := range c.rules {
		require.False(t, c.isHostile(r.text()), r.text())
	}
	require.False(t, c.isHostile("Originals: 1234ab"))
}

func TestUserQuotes(t *testing.T) {
	summary := "[compacted summary of turns 1-9]\nRecord.\n## What the user had asked\n" +
		"- turn 1: Fix the export.\n  Now.\n\n## Constraints, in the user's words\n- \"Never push to `main`.\"\n\n" +
		"Originals: 12ab\n## Files\n- a.go (read)"
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, summary),
		msg.TextMessage(msg.User, "## What the user had asked\n- no summary")}}
	require.Equal(t, []string{"Fix the export.", "Now.", "Never push to `main`."}, userQuotes(c))
	real := letters("Fix the export. Now.\nAnd never push to main, **please**!")
	require.True(t, isQuoteOf("Never push to `main`.", real))
	require.True(t, isQuoteOf("Fix the export … please", real))
	require.True(t, isQuoteOf("export · never push", real))
	require.False(t, isQuoteOf("Always push to main.", real))
}

func TestTrail(t *testing.T) {
	call := func(id, name, input, result string, failed bool) []msg.Message {
		use := msg.Block{Kind: msg.KindToolUse, ID: id, Name: name, Text: input}
		return []msg.Message{{Role: msg.Assistant, Blocks: []msg.Block{use}},
			{Role: msg.User, Blocks: []msg.Block{msg.ResultBlock(&use, result, failed)}}}
	}
	c := &msg.Conversation{Format: msg.Anthropic}
	for _, messages := range [][]msg.Message{
		call("1", "Read", `{"file_path":"/srv/a.go"}`, "package a", false),
		call("2", "Write", `{"file_path":"/srv/a.go"}`, "ok", false),
		call("3", "Write", `{"file_path":"/srv/b.go"}`, "ok", false),
		call("4", "Edit", `{"file_path":"/srv/c.go"}`, "not found", true),
		call("5", "read", `{"path":"/srv/d.go:10-20"}`, "package d", false),
		call("6", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: e.go\n+x\n*** Update File: a.go\n"}`, "ok", false),
		call("7", "Bash", `{"command":"go test ./..."}`, "Exit code 1", false),
		call("8", "Bash", `{"command":"go vet ./..."}`, "Exit code: 2", true),
		call("9", "Bash", `{"command":"go vet ./..."}`, "ok", false),
		call("10", "Bash", `{"command":"go build"}`, "exit code: 0", false),
	} {
		c.Messages = append(c.Messages, messages...)
	}
	trail := readTrail(c)
	require.Equal(t, "go test ./...", trail.failed)
	require.Equal(t, map[artifact]bool{{"/srv/a.go", wasRead}: true, {"/srv/a.go", wasChanged}: true,
		{"/srv/b.go", wasCreated}: true, {"/srv/d.go", wasRead}: true, {"e.go", wasCreated}: true,
		{"a.go", wasChanged}: true}, trail.done)

	summary := "[compacted summary of turns 1-9]\n## Files\n- /srv/a.go (read ×2, edited)\n- b.go (written)\n" +
		"- other.go (read)\n  read.go is its content, edited\n## Errors\n- go test ./... failed; the user edited zzz.go"
	after := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, summary)}}
	s := scoreTrail(trail, after)
	require.Equal(t, [3]int{1, 2, 1}, s.named)
	require.Equal(t, [3]int{2, 2, 2}, s.done)
	require.True(t, s.failedNamed)
	require.Equal(t, 5*1000/7, s.recall)
	require.Equal(t, 4*1000/5, s.precision, "other.go was never read")
}
