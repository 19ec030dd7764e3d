package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Whatever is drawn comes back byte for byte, in the format it was drawn in.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		c, err := format.Parse([]byte(d.data), d.format)
		require.NoError(t, err, d.data)
		require.Len(t, c.Messages, len(d.unit), d.data)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, d.data, string(out))
		if d.format == msg.ClaudeCode {
			require.Equal(t, msg.ClaudeCode, format.Detect([]byte(d.data)))
		}
	})
}

// edit changes some blocks of some messages, takes some units out, puts messages in and moves units about.
func edit(t *rapid.T, c *msg.Conversation, d document) []msg.Message {
	var units [][]msg.Message
	for i, m := range c.Messages {
		if i > 0 && d.unit[i] == d.unit[i-1] {
			units[len(units)-1] = append(units[len(units)-1], m)
		} else {
			units = append(units, []msg.Message{m})
		}
	}
	number := 0
	inserted := func() []msg.Message {
		number++
		role := rapid.SampledFrom([]msg.Role{msg.User, msg.Assistant}).Draw(t, "role")
		return []msg.Message{msg.TextMessage(role, fmt.Sprintf("inserted %d \"quoted\"\n", number))}
	}
	var out [][]msg.Message
	for i, unit := range units {
		last := i == len(units)-1
		switch action := rapid.IntRange(0, 9).Draw(t, "action"); {
		case action == 0 && !(last && d.forked):
			continue
		case action == 1:
			out = append(out, inserted(), unit)
		case action == 2 && !(last && d.forked):
			out = append(out, inserted())
		case action <= 5:
			out = append(out, editUnit(t, unit))
		default:
			out = append(out, unit)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "append") == 0 {
		out = append(out, inserted())
	}
	if n := len(out); n > 1 && !d.forked && rapid.IntRange(0, 4).Draw(t, "move") == 0 {
		a, b := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		out[a], out[b] = out[b], out[a]
	}
	var messages []msg.Message
	for _, unit := range out {
		messages = append(messages, unit...)
	}
	return messages
}

// editUnit changes blocks within a unit.
func editUnit(t *rapid.T, unit []msg.Message) []msg.Message {
	out := append([]msg.Message(nil), unit...)
	rename := rapid.IntRange(0, 4).Draw(t, "rename") == 0
	for i := range out {
		var blocks []msg.Block
		for _, b := range out[i].Blocks {
			switch action := rapid.IntRange(0, 3).Draw(t, "block action"); {
			case b.Kind == msg.KindToolUse && action == 0:
				b = b.WithInput(`{"cleared":true}`)
			case b.Kind == msg.KindToolResult && action <= 1:
				b = b.WithText("[cleared \"it\" 漢]")
			case b.Kind == msg.KindThinking && action == 0:
				continue
			case b.Kind == msg.KindText && b.Type == "text" && action == 0:
				b = b.WithText("edited\n")
			case b.Kind == msg.KindText && action == 1 && out[i].Role != msg.Tool && len(out[i].Blocks) > 1:
				continue
			case b.Kind == msg.KindText && action == 2:
				blocks = append(blocks, msg.TextBlock("a new block"))
			}
			if rename && (b.Kind == msg.KindToolUse || b.Kind == msg.KindToolResult) {
				b = b.WithID("renamed_" + b.ID)
			}
			blocks = append(blocks, b)
		}
		out[i] = out[i].WithBlocks(blocks)
	}
	return out
}

// told is what messages say, block by block, without where one message ends.
func told(messages []msg.Message) (out []string) {
	for i := range messages {
		for _, b := range messages[i].Blocks {
			out = append(out, fmt.Sprintf("%s %s %q %q %q %v %v", messages[i].Role, b.Kind, b.ID, b.Name, b.Text, b.IsError,
				b.Cache != nil))
		}
	}
	return out
}

// After any edits, untouched messages are the bytes they were, and the result reads back as the conversation it was
// made from.
func TestEdits(t *testing.T) {
	for _, name := range drawnFormats {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := drawDocument(t, name)
				before := []byte(d.data)
				c, err := format.Parse(before, d.format)
				require.NoError(t, err)
				messages := edit(t, c, d)
				edited := c.WithMessages(messages)
				out, err := format.Render(edited)
				require.NoError(t, err)
				require.Equal(t, d.data, string(before), "the input is not touched")
				again, err := format.Render(edited)
				require.NoError(t, err)
				require.True(t, bytes.Equal(out, again), "the same edits, the same bytes")
				back, err := format.Parse(out, d.format)
				if len(messages) == 0 && d.format == msg.ClaudeCode {
					return // a log without a message is none, or a subagent's
				}
				require.NoError(t, err, "%s", out)
				require.Equal(t, told(messages), told(back.Messages), "%s\nbecame\n%s", d.data, out)
				if d.format == msg.ClaudeCode {
					linesStay(t, c, messages, d.data, string(out))
				} else {
					messagesStay(t, messages, back.Messages)
					around(t, d.data, string(out))
				}
			})
		})
	}
}

// messagesStay: an untouched message of a body is the very bytes it was.
func messagesStay(t *rapid.T, want, got []msg.Message) {
	require.Equal(t, len(want), len(got))
	for i := range want {
		if !want[i].Changed {
			require.Equal(t, string(want[i].Raw), string(got[i].Raw))
		}
	}
}

// around: the bytes outside the list of messages are the same.
func around(t *rapid.T, before, after string) {
	outside := func(s string) (head, tail string) {
		start := max(strings.Index(s, `"messages":`), 0)
		start += strings.Index(s[start:], "[")
		list := rawjson.Value(s[start:])
		end := start + 1
		for _, e := range list.Elements() {
			end += strings.Index(s[end:], string(e)) + len(e)
		}
		return s[:start], s[end:]
	}
	headBefore, tailBefore := outside(before)
	headAfter, tailAfter := outside(after)
	require.Equal(t, headBefore, headAfter)
	require.Equal(t, strings.TrimLeft(tailBefore, " \r\n"), strings.TrimLeft(tailAfter, " \r\n"))
}

// linesStay: a line of a log stays as it was unless its message was changed or taken out, or its parent is a new line.
func linesStay(t *rapid.T, c *msg.Conversation, messages []msg.Message, before, after string) {
	lines := map[string]bool{}
	for _, line := range strings.Split(strings.TrimPrefix(after, "\xEF\xBB\xBF"), "\n") {
		lines[strings.TrimRight(line, "\r")] = true
	}
	stays := map[string]bool{} // paths of untouched messages
	for i := range messages {
		if !messages[i].Changed {
			stays[messages[i].Path] = true
		}
	}
	inLog := map[string]bool{}
	for ref, b := range c.Blocks() {
		line := strings.Split(b.Path, "/")[1]
		inLog[line] = true
		if stays[c.Messages[ref.Message].Path] {
			require.Contains(t, after, string(b.Raw), "the block of an untouched message")
		}
	}
	for i, line := range strings.Split(strings.TrimPrefix(before, "\xEF\xBB\xBF"), "\n") {
		if line = strings.TrimRight(line, "\r"); !inLog[fmt.Sprint(i)] {
			require.True(t, lines[line], "line %d is no part of the conversation: %s\n%s\nbecame\n%s", i+1, line, before, after)
		}
	}
}
