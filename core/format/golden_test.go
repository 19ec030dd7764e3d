package format_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// TestGolden runs the edits of testdata. Each file describes one edit: the input, the changes, and the output, byte for
// byte.
//
//	text M B "…"      the whole content of block B of message M
//	input M B {…}     the input of a call
//	id M B x          the id of a call or a result
//	drop M B          a block is taken out
//	remove M N        messages M to N (exclusive) are taken out
//	insert M role "…" a message is put in before message M
//	summary M "…"     likewise, a user message that is a summary
//	add M B "…"       a text block is put in before block B
//
// Edits go from the last line to the first, so that numbers are those of the input where lines are in order.
func TestGolden(t *testing.T) {
	convtest.Golden(t, "*.txtar", func(t *testing.T, s *convtest.Scenario) {
		input := s.Section("input")
		c, err := format.Parse(input, "")
		require.NoError(t, err)
		same, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(input), string(same))
		messages := script(t, c.Messages, string(s.Section("edits")))
		out, err := format.Render(c.WithMessages(messages))
		require.NoError(t, err)
		back, err := format.Parse(out, "")
		require.NoError(t, err)
		require.Equal(t, told(messages), told(back.Messages), "%s", out)
		s.Want("output", out)
	})
}

func script(t *testing.T, messages []msg.Message, edits string) []msg.Message {
	messages = append([]msg.Message(nil), messages...)
	lines := strings.Split(strings.TrimSpace(edits), "\n")
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		require.NoError(t, err, edits)
		return n
	}
	text := func(s string) string {
		s, err := strconv.Unquote(s)
		require.NoError(t, err, edits)
		return s
	}
	insert := func(at int, m msg.Message) {
		messages = append(messages[:at:at], append([]msg.Message{m}, messages[at:]...)...)
	}
	for i := len(lines) - 1; i >= 0; i-- {
		f := strings.SplitN(lines[i], " ", 4)
		f = append(f, "", "")
		m := number(f[1])
		change := func(edit func([]msg.Block, int) []msg.Block) {
			blocks := append([]msg.Block(nil), messages[m].Blocks...)
			messages[m] = messages[m].WithBlocks(edit(blocks, number(f[2])))
		}
		one := func(edit func(msg.Block) msg.Block) {
			change(func(blocks []msg.Block, b int) []msg.Block { blocks[b] = edit(blocks[b]); return blocks })
		}
		switch f[0] {
		case "text":
			one(func(b msg.Block) msg.Block { return b.WithText(text(f[3])) })
		case "input":
			one(func(b msg.Block) msg.Block { return b.WithInput(f[3]) })
		case "id":
			one(func(b msg.Block) msg.Block { return b.WithID(f[3]) })
		case "drop":
			change(func(blocks []msg.Block, b int) []msg.Block { return append(blocks[:b], blocks[b+1:]...) })
		case "add":
			change(func(blocks []msg.Block, b int) []msg.Block {
				return append(blocks[:b:b], append([]msg.Block{msg.TextBlock(text(f[3]))}, blocks[b:]...)...)
			})
		case "remove":
			messages = append(messages[:m:m], messages[number(f[2]):]...)
		case "insert":
			insert(m, msg.TextMessage(msg.Role(f[2]), text(f[3])))
		case "summary":
			made := msg.TextMessage(msg.User, text(strings.TrimSpace(f[2]+" "+f[3])))
			made.Blocks[0].Kind = msg.KindSummary
			insert(m, made)
		default:
			t.Fatal("unknown edit: " + lines[i])
		}
	}
	return messages
}
