package summarize_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// TestGoldenSessions summarizes the short sessions of testdata/sessions, one a line, within the tokens of the name of
// the section; the words after it are the focus. If the name begins with "from", each larger budget follows, with the
// lines that it adds. In a section "best", the last block is shortened to as many bytes. See readSession for the form
// of a session.
func TestGoldenSessions(t *testing.T) {
	convtest.Golden(t, "sessions/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		for _, name := range s.Names() {
			number, focus, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, "from "), "best "), " ")
			room, err := strconv.Atoi(number)
			require.NoError(t, err)
			var out strings.Builder
			for line := range strings.Lines(string(s.Section(name))) {
				if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "\t") {
					continue
				}
				out.WriteString(line + "\n")
				if line == "" {
					continue
				}
				c, span := readSession(line)
				summary := func(n int) []string {
					text := summarize.Summarize(c, span, summarize.Options{Counter: tokens.Chars4, MaxTokens: n, Focus: focus})
					require.LessOrEqual(t, tokens.Chars4.Count(text), n)
					return slices.DeleteFunc(strings.Split(text, "\n"), func(row string) bool { return row == "" || row == frame[0] })
				}
				if strings.HasPrefix(name, "best ") {
					blocks := c.Messages[len(c.Messages)-1].Blocks
					kept, size, n := summarize.New(c, nil, nil).BestLines(blocks[len(blocks)-1].Text, room)
					require.LessOrEqual(t, len(kept), room)
					fmt.Fprintf(&out, "\t%d bytes, %d lines\n", size, n)
					if kept != "" {
						out.WriteString("\t" + strings.ReplaceAll(strings.TrimSuffix(kept, "\n"), "\n", "\n\t") + "\n")
					}
					continue
				}
				if !strings.HasPrefix(name, "from ") {
					for _, row := range summary(room) {
						out.WriteString("\t" + row + "\n")
					}
					continue
				}
				before := []string{}
				for n := room; n < 10*room; n += n/8 + 1 {
					rows := summary(n)
					for _, row := range rows {
						if !slices.Contains(before, row) {
							fmt.Fprintf(&out, "\t%d %s\n", n, row)
						}
					}
					before = rows
				}
			}
			s.Want(name, []byte(out.String()))
		}
	})
}

// readSession reads parts with ¶ between them: "u " is before a text of the user, "a " of the assistant, "s " before an
// earlier summary, and other parts are the name and the input of a call, with its result after ⇒, or after ⇒! if it
// failed. "+ " is before one more text of the message before. What is after a part "-" is not summarized.
func readSession(line string) (*msg.Conversation, msg.Span) {
	c, end := &msg.Conversation{}, -1
	for i, part := range strings.Split(expand(line), " ¶ ") {
		kind, text, _ := strings.Cut(part, " ")
		switch kind {
		case "-":
			end = len(c.Messages)
		case "+":
			last := &c.Messages[len(c.Messages)-1]
			last.Blocks = append(last.Blocks, msg.Block{Kind: msg.KindText, Type: "text", Text: text})
		case "u":
			c.Messages = append(c.Messages, msg.TextMessage(msg.User, text))
		case "a":
			c.Messages = append(c.Messages, msg.TextMessage(msg.Assistant, text))
		case "s":
			text = "[compacted summary of turns 1-9]\n" + text
			c.Messages = append(c.Messages, msg.TextMessage(msg.User, text))
			c.Messages[len(c.Messages)-1].Blocks[0].Summary = true
		default:
			input, result, _ := strings.Cut(text, " ⇒")
			result, failed := strings.CutPrefix(result, "!")
			c.Messages = append(c.Messages, call(strconv.Itoa(i), kind, input),
				answer(strconv.Itoa(i), strings.TrimPrefix(result, " "), failed))
		}
	}
	if end < 0 {
		end = len(c.Messages)
	}
	return c, msg.Span{Start: 0, End: end}
}

// expand writes ⏎ as a line end, and ⟦text⟧3 as three times the text, with the number of each in place of a ×.
func expand(line string) string {
	before, rest, found := strings.Cut(line, "⟦")
	if !found {
		return strings.ReplaceAll(line, "⏎", "\n")
	}
	text, rest, _ := strings.Cut(rest, "⟧")
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	n, _ := strconv.Atoi(digits)
	for i := range n {
		before += strings.ReplaceAll(text, "×", strconv.Itoa(i))
	}
	return expand(before + rest[len(digits):])
}
