package convtest

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// Codec runs the scenarios codec_*.txtar of a codec. A scenario has a conversation (input), what it is read as (read),
// and what every edit of one message or block changes in the bytes of the input (edits); or inputs of one line each
// (lines), and what each is read as or refused with (read).
func Codec(t *testing.T, parse func([]byte) (*msg.Conversation, error), render func(*msg.Conversation) ([]byte, error)) {
	Golden(t, "codec_*.txtar", func(t *testing.T, s *Scenario) {
		var read, edits strings.Builder
		if names := s.Names(); names[0] == "lines" {
			for line := range strings.Lines(string(s.Section("lines"))) {
				line = strings.TrimSuffix(line, "\n")
				fmt.Fprintf(&read, "%s\n", line)
				c, err := parse([]byte(line))
				if err != nil {
					fmt.Fprintf(&read, "  %s\n", refusal(err))
					continue
				}
				describe(&read, c)
				same, err := render(c)
				require.NoError(t, err, line)
				require.Equal(t, line, string(same))
			}
			s.Want("read", []byte(read.String()))
			return
		}
		input := s.Section("input")
		c, err := parse(input)
		require.NoError(t, err)
		describe(&read, c)
		for _, e := range allEdits(c) {
			edited := c.WithMessages(e.messages)
			out, err := render(edited)
			if err != nil {
				fmt.Fprintf(&edits, "%s: %s\n", e.name, refusal(err))
				continue
			}
			fmt.Fprintf(&edits, "%s: %s\n", e.name, difference(input, out))
			if len(e.messages) == 0 {
				continue
			}
			if back, err := parse(out); err != nil {
				fmt.Fprintf(&edits, "  is read back as: %s\n", refusal(err))
			} else if is, was := told(back.Messages), told(e.messages); !reflect.DeepEqual(is, was) {
				fmt.Fprintf(&edits, "  is read back as: %q\n", is)
			}
		}
		require.Equal(t, []string{"input", "read", "edits"}, s.Names())
		s.Want("read", []byte(read.String()))
		s.Want("edits", []byte(edits.String()))
	})
}

func refusal(err error) string {
	if e, ok := err.(*msg.Error); ok {
		return fmt.Sprintf("%s at %q: %s", e.Code, e.Path, e.Msg)
	}
	return err.Error()
}

// describe writes everything that a codec read.
func describe(w *strings.Builder, c *msg.Conversation) {
	fmt.Fprintf(w, "  %s %q%s%s%s\n", c.Format, c.Model, mark(c.Partial, "partial"), mark(c.Stateless, "stateless"),
		breakpoint(c.Cache))
	for _, warning := range c.Warnings {
		fmt.Fprintf(w, "  warning %+v\n", warning)
	}
	for i := range c.System {
		fmt.Fprintf(w, "  system: %s\n", blockText(&c.System[i]))
	}
	for i := range c.Tools {
		fmt.Fprintf(w, "  tool: %s\n", blockText(&c.Tools[i]))
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		fmt.Fprintf(w, "  %d %s %s", i, m.Role, m.Path)
		for _, part := range []struct{ name, value string }{{"id", m.ID}, {"model", m.Model}, {"time", string(m.Time)}} {
			if part.value != "" {
				fmt.Fprintf(w, " %s=%s", part.name, part.value)
			}
		}
		if m.Usage != nil {
			fmt.Fprintf(w, " usage=%+v", *m.Usage)
		}
		fmt.Fprintf(w, "%s%s raw=%d lines=%d\n", mark(m.Meta, "meta"), mark(m.Changed, "changed"), len(m.Raw), len(m.Lines))
		for b := range m.Blocks {
			fmt.Fprintf(w, "    %s\n", blockText(&m.Blocks[b]))
			for p := range m.Blocks[b].Parts {
				fmt.Fprintf(w, "      %s\n", blockText(&m.Blocks[b].Parts[p]))
			}
		}
	}
}

func mark(on bool, name string) string {
	if on {
		return " " + name
	}
	return ""
}

func breakpoint(c *msg.Cache) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf(" cache=%s/%s", c.Type, c.TTL)
}

func blockText(b *msg.Block) string {
	image := ""
	if b.Image != nil {
		image = fmt.Sprintf(" image=%+v", *b.Image)
	}
	if b.Sealed > 0 {
		image += fmt.Sprintf(" sealed=%d", b.Sealed)
	}
	return fmt.Sprintf("%s/%s %s %q id=%q name=%q raw=%d", b.Kind, b.Type, b.Path, b.Text, b.ID, b.Name, len(b.Raw)) +
		mark(b.IsError, "error") + mark(b.Bound, "bound") + mark(b.Server, "server") + mark(b.Bare, "bare") +
		mark(b.Signed, "signed") + mark(b.Summary, "summary") + image + breakpoint(b.Cache)
}

// told is what messages say, block by block, without where one message ends.
func told(messages []msg.Message) (out []string) {
	for i := range messages {
		for _, b := range messages[i].Blocks {
			out = append(out, fmt.Sprintf("%s %s %q %q %q %v", messages[i].Role, b.Kind, b.ID, b.Name, b.Text, b.IsError))
		}
	}
	return out
}

type codecEdit struct {
	name     string
	messages []msg.Message
}

// allEdits returns each edit of one message or block of c, and some of several.
func allEdits(c *msg.Conversation) (edits []codecEdit) {
	add := func(name string, messages []msg.Message) { edits = append(edits, codecEdit{name, messages}) }
	n := len(c.Messages)
	list := func(parts ...[]msg.Message) (out []msg.Message) {
		for _, part := range parts {
			out = append(out, part...)
		}
		return out
	}
	one := func(m msg.Message) []msg.Message { return []msg.Message{m} }
	summary := msg.TextMessage(msg.User, "a \"summary\"\n")
	summary.Blocks[0].Kind = msg.KindSummary
	add("nothing", c.Messages)
	add("remove all", nil)
	add("summary of all", one(summary))
	add("summary of the first half", list(one(summary), c.Messages[n/2:]))
	all := make([]msg.Message, n)
	for i, m := range c.Messages {
		blocks := append([]msg.Block(nil), m.Blocks...)
		for b := range blocks {
			switch blocks[b].Kind {
			case msg.KindToolUse:
				blocks[b] = blocks[b].WithInput(`{}`)
			case msg.KindToolResult:
				blocks[b] = blocks[b].WithText("[cleared]")
			}
		}
		all[i] = m.WithBlocks(blocks)
	}
	add("clear all", all)
	for i, m := range c.Messages {
		before, after := c.Messages[:i:i], c.Messages[i+1:]
		put := func(name string, blocks []msg.Block) {
			add(fmt.Sprintf("%d %s", i, name), list(before, one(m.WithBlocks(blocks)), after))
		}
		add(fmt.Sprintf("%d remove", i), list(before, after))
		if i+1 < n {
			add(fmt.Sprintf("%d swap", i), list(before, c.Messages[i+1:i+2], one(m), c.Messages[i+2:]))
		}
		for _, role := range []msg.Role{msg.User, msg.Assistant} {
			add(fmt.Sprintf("%d before it %s", i, role), list(before, one(msg.TextMessage(role, "new")), c.Messages[i:]))
		}
		for k := range m.Blocks {
			b := m.Blocks[k]
			with := func(change msg.Block) []msg.Block {
				blocks := append([]msg.Block(nil), m.Blocks...)
				blocks[k] = change
				return blocks
			}
			name := func(edit string) string { return fmt.Sprintf("%d %s", k, edit) }
			put(name("drop"), append(append([]msg.Block(nil), m.Blocks[:k]...), m.Blocks[k+1:]...))
			put(name("add before"), append(append(m.Blocks[:k:k], msg.TextBlock("new")), m.Blocks[k:]...))
			if b.Kind == msg.KindText || b.Kind == msg.KindToolResult {
				put(name("text"), with(b.WithText("new \"text\"\n")))
			}
			if b.Kind == msg.KindToolUse {
				put(name("input"), with(b.WithInput(`{"new":1}`)))
				put(name("signature"), with(b.WithoutSignature()))
				answer := msg.Message{Role: msg.User, Blocks: []msg.Block{msg.ResultBlock(&b, "result", true)}, Changed: true}
				if c.Format == msg.OpenAIChat || c.Format == msg.OpenAIResponses || c.Format == msg.AISDK || c.Format == msg.Codex {
					answer.Role = msg.Tool
				}
				add(fmt.Sprintf("%d %d result", i, k), list(before, one(m), one(answer), after))
			}
			if b.Kind == msg.KindToolUse || b.Kind == msg.KindToolResult {
				put(name("id"), with(b.WithID("new")))
			}
			put(name("cache"), with(b.WithCache(&msg.Cache{Type: "ephemeral", TTL: "1h"})))
			if b.Cache != nil {
				put(name("no cache"), with(b.WithCache(nil)))
			}
		}
	}
	for _, role := range []msg.Role{msg.User, msg.Assistant} {
		add("at the end "+string(role), list(c.Messages, one(msg.TextMessage(role, "new"))))
	}
	return edits
}

// difference shows what differs between two texts: the part in the middle of each.
func difference(was, is []byte) string {
	if bytes.Equal(was, is) {
		return "no change"
	}
	from := 0
	for from < min(len(was), len(is)) && was[from] == is[from] {
		from++
	}
	end := 0
	for end < min(len(was), len(is))-from && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	return fmt.Sprintf("at %d\n  - %s\n  + %s", from, shown(was[from:len(was)-end]), shown(is[from:len(is)-end]))
}

// shown is a text on one line.
func shown(text []byte) string { return strings.ReplaceAll(string(text), "\n", "⏎") }
