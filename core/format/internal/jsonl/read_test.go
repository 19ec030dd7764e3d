package jsonl_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// line writes line i of a log: a prompt of the user, below line i-1 or, if skip is not 0, one further above.
func line(name format.Name, i, skip int, text string) string {
	quoted, _ := json.Marshal(text)
	up := "null"
	if above := i - 1 - skip; above >= 0 {
		up = fmt.Sprintf(`"u%d"`, above)
	}
	switch name {
	case msg.ClaudeCode:
		return fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":%s,"message":{"role":"user","content":%s}}`, i, up, quoted)
	case msg.Codex:
		return fmt.Sprintf(`{"timestamp":"t%d","type":"response_item","payload":{"type":"message","role":"user","content":%s}}`, i, quoted)
	case msg.GeminiCLI:
		return fmt.Sprintf(`{"id":"u%d","type":"user","content":%s}`, i, quoted)
	}
	switch name {
	case msg.QwenCode:
		return fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":%s,"message":{"role":"user","parts":[{"text":%s}]}}`, i, up, quoted)
	case msg.CopilotCLI:
		return fmt.Sprintf(`{"type":"user.message","data":{"content":%s},"id":"u%d","parentId":%s,"timestamp":"t"}`, quoted, i, up)
	}
	return fmt.Sprintf(`{"type":"message","id":"u%d","parentId":%s,"message":{"role":"user","content":[{"type":"text","text":%s}]}}`, i, up, quoted)
}

func texts(c *msg.Conversation) (all []string) {
	for it := c.Walk(); it.Next(); {
		all = append(all, it.Block.Text)
	}
	return all
}

var (
	// The logs of which each line alone shows the format: a context of Kimi CLI is known by a line of its own.
	logs = []format.Name{msg.ClaudeCode, msg.Codex, msg.GeminiCLI, msg.Pi, msg.QwenCode, msg.CopilotCLI}
	word = rapid.StringOfN(rapid.SampledFrom([]rune("ab \\\"{}[],:\n\t€")), 1, 12, -1)
	gap  = rapid.StringOfN(rapid.SampledFrom([]rune(" \t\r\n")), 0, 3, -1)
)

// A line may be cut short anywhere, be the zeros that a power failure leaves, or be no object:
// then a warning names it, and all other lines are read; the last line, if it is cut short, has a code of its own.
// Whatever a file has is written back byte for byte, and what follows it is a line of its own.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(logs).Draw(t, "format")
		n := rapid.IntRange(2, 4).Draw(t, "lines")
		bad := rapid.SampledFrom([]int{n - 1, rapid.IntRange(0, n-1).Draw(t, "any")}).Draw(t, "bad")
		kind := rapid.SampledFrom([]string{"", "cut", "zeros", "zeros and more", "odd"}).Draw(t, "kind")
		data := rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(t, "mark")
		number, from, to, last := 0, 0, 0, -1 // of the bad line, and the last good one
		var want []string
		for i := range n {
			text := word.Draw(t, "text")
			raw := line(name, i, i-1-last, text)
			good := raw
			if i == bad {
				switch kind {
				case "cut":
					raw = strings.TrimRight(raw[:rapid.IntRange(1, len(raw)-1).Draw(t, "at")], " ")
				case "zeros":
					raw = strings.Repeat("\x00", rapid.IntRange(1, 9).Draw(t, "zeros"))
				case "zeros and more":
					raw = "\x00{}"
				case "odd":
					raw = rapid.SampledFrom([]string{"12", `"a"`, "[{}]", "null", "true"}).Draw(t, "odd")
				}
			}
			if raw == good {
				want, last = append(want, text), i
			}
			data += gap.Draw(t, "gap")
			if i == bad {
				number, from, to = strings.Count(data, "\n"), len(data), len(data)+len(raw)
			}
			data += raw + gap.Draw(t, "gap") + "\n"
		}
		data = strings.TrimSuffix(data, rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end"))
		require.Equal(t, name, format.Detect([]byte(data)), "%q", data)
		c, err := format.Parse([]byte(data), name)
		require.NoError(t, err, "%q", data)
		require.Equal(t, want, texts(c), "%q", data)
		isCut := bad == n-1 && number > 0 && (kind == "cut" || kind == "zeros")
		switch {
		case kind == "":
			require.Empty(t, c.Warnings)
		case isCut:
			require.Len(t, c.Warnings, 1)
			require.Equal(t, msg.CutLine, c.Warnings[0].Code)
			require.Contains(t, c.Warnings[0].Message, fmt.Sprintf("(line %d, from byte %d) is cut short at byte %d:", number+1, from, to))
		default:
			require.Len(t, c.Warnings, 1)
			require.Equal(t, msg.OddLine, c.Warnings[0].Code)
			require.Contains(t, c.Warnings[0].Message, fmt.Sprintf("line %d is ", number+1))
			require.Contains(t, c.Warnings[0].Message, "kept, but not part of the conversation")
		}
		for _, w := range c.Warnings {
			require.Equal(t, "/"+strconv.Itoa(number), w.Path)
		}
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, data, string(out))
		messages := append(append([]msg.Message(nil), c.Messages...), msg.TextMessage(msg.User, "new"))
		out, err = format.Render(c.WithMessages(messages))
		require.NoError(t, err)
		if kind == "" { // else the new line may come before the last one
			require.True(t, strings.HasPrefix(string(out), strings.TrimRight(data, " \t\r\n")), "%q", out)
		}
		back, err := format.Parse(out, name)
		require.NoError(t, err, "%q", out)
		require.Equal(t, append(want, "new"), texts(back), "%q", out)
	})
}

// Messages of another log, however long, are new ones.
func TestMessagesOfAnotherLog(t *testing.T) {
	for _, name := range logs {
		var parsed []*msg.Conversation
		for _, n := range []int{1, 3} {
			data := ""
			for i := range n {
				data += line(name, i, 0, fmt.Sprintf("%d of %d", i, n)) + "\n"
			}
			c, err := format.Parse([]byte(data), name)
			require.NoError(t, err)
			parsed = append(parsed, c)
		}
		out, err := format.Render(parsed[0].WithMessages(parsed[1].Messages))
		require.NoError(t, err)
		back, err := format.Parse(out, name)
		require.NoError(t, err, "%s", out)
		require.Equal(t, texts(parsed[1]), texts(back), "%s: %s", name, out)
	}
}

// What is no log is refused with a reason.
func TestReadRefuses(t *testing.T) {
	for _, name := range logs {
		for data, want := range map[string]string{
			"":                       "the input is empty at line 1, column 1",
			" \n\t":                  "the input is empty at line 1, column 1",
			"{\x00\"\x00a\x00\"\x00": "UTF-16",
		} {
			_, err := format.Parse([]byte(data), name)
			require.ErrorContains(t, err, want, name)
		}
	}
	for _, name := range convtest.InTurn(logs) {
		first := line(name, 0, 0, "a")
		_, err := format.Parse([]byte(first+strings.Repeat("\n", msg.MaxLines+1)), name)
		require.ErrorContains(t, err, "more than 500000 lines", name)
		_, err = format.Parse([]byte(first+strings.Repeat("\n", msg.MaxLines)), name)
		require.NoError(t, err, name)
	}
}
