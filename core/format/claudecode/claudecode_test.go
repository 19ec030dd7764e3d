package claudecode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format/claudecode"
	"tamp/core/internal/convtest/codecs"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// entry writes one line of a log: "uuid < parent kind text" with whatever members follow.
func entry(uuid, parent, kind, message string, members ...string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	line := fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"type":%q`, uuid, up, kind)
	if message != "" {
		line += `,"message":` + message
	}
	for _, m := range members {
		line += "," + m
	}
	return line + "}"
}

func user(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) }
func said(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"role":"assistant","model":"m","content":[{"type":"text","text":%q}]}`, id, text)
}

const boundary = `"subtype":"compact_boundary"`

// The lines that a scenario cannot have: several programs wrote at once, the machine lost its power, blank ones.
var oddRows = []struct {
	lines    []string
	warnings string
}{
	{[]string{entry("a", "", "user", user("1")), `{"a" 1}`, `{"a":"x`, `{"a":1}}`, `{"a":1} x`, strings.Repeat("[", 2000),
		entry("b", "a", "assistant", said("m1", "2")), "rubbish"},
		"odd_line odd_line odd_line odd_line odd_line odd_line"},
	{[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", said("m1", "2")),
		strings.Repeat("\x00", 100)}, "cut_line"},
	{[]string{"", entry("a", "", "user", user("1")), "", " ", entry("b", "a", "assistant", said("m1", "2")), "", ""}, ""},
}

func TestOddLines(t *testing.T) {
	for _, row := range oddRows {
		data := strings.Join(row.lines, "\n")
		c, err := claudecode.Parse([]byte(data))
		require.NoError(t, err)
		require.Equal(t, "user 1 | assistant 2", tell(c))
		var codes []string
		for _, w := range c.Warnings {
			codes = append(codes, w.Code)
			require.NotEmpty(t, w.Path)
		}
		require.Equal(t, row.warnings, strings.Join(codes, " "), "%v", c.Warnings)
		out, err := claudecode.Render(c)
		require.NoError(t, err)
		require.Equal(t, data, string(out))
	}
	_, err := claudecode.Parse([]byte(" \n "))
	require.ErrorContains(t, err, "empty")
}

func tell(c *msg.Conversation) string {
	var messages []string
	for i := range c.Messages {
		words := []string{string(c.Messages[i].Role)}
		for _, b := range c.Messages[i].Blocks {
			switch b.Kind {
			case msg.KindToolUse:
				words = append(words, b.ID)
			case msg.KindSummary:
				words = append(words, "["+b.Text+"]")
			default:
				words = append(words, b.Text)
			}
		}
		messages = append(messages, strings.Join(words, " "))
	}
	return strings.Join(messages, " | ")
}

// Inserting where no line names a parent keeps file order.
func TestInsertWithoutTree(t *testing.T) {
	data := strings.Join([]string{entry("a", "", "user", user("1")), entry("b", "", "assistant", said("m1", "2"))}, "\n")
	c, err := claudecode.Parse([]byte(data))
	require.NoError(t, err)
	x := msg.TextMessage(msg.User, "x")
	x.Meta = true
	out, err := claudecode.Render(c.WithMessages([]msg.Message{x, c.Messages[0], x, x, c.Messages[1], x}))
	require.NoError(t, err)
	back, err := claudecode.Parse(out)
	require.NoError(t, err)
	require.Equal(t, "user x | user 1 | user x | user x | assistant 2 | user x", tell(back), "%s", out)
	require.True(t, back.Messages[0].Meta)
	for _, line := range strings.Split(data, "\n") {
		require.Contains(t, string(out), line, "no line of the input changes")
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		uuid := rawjson.Value(line).Member("uuid").Text()
		require.False(t, seen[uuid], uuid)
		seen[uuid] = true
	}
}

func FuzzParse(f *testing.F) {
	codecs.Fuzz(f, msg.ClaudeCode, func(t *testing.T, c *msg.Conversation, cut int) {
		if len(c.Messages) == 0 {
			return
		}
		x := msg.TextMessage(msg.User, "x") // a summary of everything up to cut
		edited, err := claudecode.Render(c.WithMessages(append([]msg.Message{x}, c.Messages[cut%len(c.Messages)+1:]...)))
		require.NoError(t, err)
		_, err = claudecode.Parse(edited)
		require.NoError(t, err, "%s", edited)
	})
}
