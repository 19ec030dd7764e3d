package convtest

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"tamp/core/msg"
)

// Conversations is one codec as its tests use it.
type Conversations struct {
	From   string // the folder of the scenarios, from testdata: "" for those of the package itself
	Parse  func([]byte) (*msg.Conversation, error)
	Render func(*msg.Conversation) ([]byte, error)
	// Earlier returns the segments of a log before its compactions, and lines for what else is known of it.
	Earlier func(*msg.Conversation) (segments []*msg.Conversation, lines []string)
}

// inputsOf returns the inputs of a scenario, and whether there may be several.
func inputsOf(archive *txtar.Archive) (inputs []string, several bool) {
	text := string(archive.Files[0].Data)
	switch archive.Files[0].Name {
	case "lines":
		return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), true
	case "logs":
		return strings.Split(strings.TrimSuffix(text, "\n"), "\n\n"), true
	}
	return []string{text}, false
}

// AddInputs adds the inputs of the scenarios of a codec that have several to those of a fuzzer.
func AddInputs(f *testing.F, add func(input []byte)) {
	files, err := filepath.Glob("testdata/codec_*.txtar")
	require.NoError(f, err)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(f, err)
		inputs, several := inputsOf(archive)
		for i := 0; several && i < len(inputs); i++ {
			add([]byte(inputs[i]))
		}
	}
}

// ReadsBack checks that a conversation is written byte for byte, also if all messages are marked as changed. It returns
// nil if data is refused.
func (codec *Conversations) ReadsBack(t require.TestingT, data []byte) *msg.Conversation {
	c, err := codec.Parse(data)
	if err != nil {
		require.IsType(t, &msg.Error{}, err)
		return nil
	}
	for range 2 {
		out, err := codec.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
		for i := range c.Messages {
			c.Messages[i].Changed = true
		}
	}
	return c
}

// Codec runs the scenarios testdata/codec_*.txtar of a codec. A scenario has a conversation (input), what it is read as
// (read), and what every edit of one message or block changes in the bytes of the input (edits). Or it has several
// inputs, and what each is read as or refused with (read): of one line each (lines), or with empty lines between them
// (logs).
func Codec(t *testing.T, codec Conversations) {
	Golden(t, codec.From+"codec_*.txtar", func(t *testing.T, s *Scenario) {
		var read, edits strings.Builder
		inputs, several := inputsOf(s.archive)
		for _, input := range inputs {
			if !several {
				break
			}
			fmt.Fprintf(&read, "%s\n", input)
			c, err := codec.Parse([]byte(input))
			if err != nil {
				fmt.Fprintf(&read, "  %s\n", refusal(err))
				continue
			}
			codec.describe(&read, c)
			same, err := codec.Render(c)
			require.NoError(t, err, input)
			require.Equal(t, input, string(same))
		}
		if several {
			s.Want("read", []byte(read.String()))
			return
		}
		input := s.Section("input")
		c, err := codec.Parse(input)
		require.NoError(t, err)
		codec.describe(&read, c)
		var refused outcomes
		for _, e := range allEdits(c) {
			out, err := codec.Render(e.conversation)
			if err != nil {
				refused.add(refusal(err), e.name)
				continue
			}
			fmt.Fprintf(&edits, "%s: %s\n", e.name, difference(input, out))
			if len(e.conversation.Messages) == 0 {
				continue
			}
			is, was := []string(nil), told(e.conversation.Messages)
			if back, err := codec.Parse(out); err != nil {
				fmt.Fprintf(&edits, "  is read back as: %s\n", refusal(err))
			} else if is = told(back.Messages); !reflect.DeepEqual(is, was) {
				fmt.Fprintf(&edits, "  is read back as: %s\n", shown(fmt.Appendf(nil, "%q", is)))
			}
		}
		require.Equal(t, []string{"input", "read", "edits"}, s.Names())
		refused.write(&edits)
		s.Want("read", []byte(read.String()))
		s.Want("edits", []byte(edits.String()))
	})
}

// describe writes everything that a codec read.
func (codec *Conversations) describe(w *strings.Builder, c *msg.Conversation) {
	describe(w, c)
	segments, lines := codec.Earlier(c)
	for _, segment := range segments {
		if out, err := codec.Render(segment); err != nil {
			fmt.Fprintf(w, "  earlier: %s\n", refusal(err))
		} else {
			fmt.Fprintf(w, "  earlier, of %d bytes:\n", len(out))
		}
		describe(w, segment)
	}
	for _, line := range lines {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// outcomes are the edits that are refused, by the reason.
type outcomes struct {
	reasons []string
	edits   [][]string
}

func (o *outcomes) add(reason, edit string) {
	k := slices.Index(o.reasons, reason)
	if k < 0 {
		k = len(o.reasons)
		o.reasons, o.edits = append(o.reasons, reason), append(o.edits, nil)
	}
	o.edits[k] = append(o.edits[k], edit)
}

func (o *outcomes) write(w *strings.Builder) {
	for k, reason := range o.reasons {
		fmt.Fprintf(w, "refused: %s\n  %s\n", reason, strings.Join(o.edits[k], ", "))
	}
}

func refusal(err error) string {
	if e, ok := err.(*msg.Error); ok {
		return fmt.Sprintf("%s at %q: %s", e.Code, e.Path, e.Msg)
	}
	return err.Error()
}

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
			fmt.Fprint(w, " usage=", Usage(m.Usage))
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
		image = fmt.Sprintf(" image={Width:%d Height:%d Media:%s}", b.Image.Width, b.Image.Height, b.Image.Media)
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
	name         string
	conversation *msg.Conversation
}

// allEdits returns each edit of one message or block of c, and some of several.
func allEdits(c *msg.Conversation) (edits []codecEdit) {
	add := func(name string, messages []msg.Message) {
		edits = append(edits, codecEdit{name, c.WithMessages(messages)})
	}
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
	call := msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "call", Name: "tool", Text: `{"a":1}`}
	made := msg.Message{Role: msg.Assistant, Changed: true, Blocks: []msg.Block{msg.TextBlock("look"), call}}
	answered := []msg.Message{msg.TextMessage(msg.User, "hi"), made, {Role: msg.User, Changed: true, Blocks: []msg.Block{
		msg.ResultBlock(&call, "found", false), msg.TextBlock("and")}}}
	add("other messages", answered)
	nothing := &msg.Conversation{Format: c.Format, System: c.System}
	edits = append(edits, codecEdit{"of no document", nothing.WithMessages(answered)})
	nothing = &msg.Conversation{Format: c.Format}
	edits = append(edits, codecEdit{"of no document, without a system prompt", nothing.WithMessages(answered)})
	bound := *c
	for _, blocks := range []*[]msg.Block{&bound.System, &bound.Tools} {
		*blocks = append([]msg.Block(nil), *blocks...)
		for b := range *blocks {
			(*blocks)[b] = (*blocks)[b].WithCache(&msg.Cache{Type: "ephemeral"})
		}
	}
	edits = append(edits, codecEdit{"breakpoints of the system prompt and the tools", &bound})
	bare := *c
	bare.System = nil
	edits = append(edits, codecEdit{"no system prompt", &bare})
	if n > 2 {
		add("last first", list(c.Messages[n-1:], c.Messages[:n-1]))
		add("first twice", list(c.Messages, c.Messages[:1]))
	}
	for i, m := range c.Messages {
		before, after := c.Messages[:i:i], c.Messages[i+1:]
		put := func(name string, blocks []msg.Block) {
			add(fmt.Sprintf("%d %s", i, name), list(before, one(m.WithBlocks(blocks)), after))
		}
		add(fmt.Sprintf("%d remove", i), list(before, after))
		if len(m.Lines) > 1 {
			turned := append(append([]msg.Block(nil), m.Blocks[1:]...), m.Blocks[0])
			for _, edited := range []msg.Message{m, m.WithBlocks(m.Blocks[1:]), m.WithBlocks(turned)} {
				add(fmt.Sprintf("%d to the end, %d blocks", i, len(edited.Blocks)), list(before, after, one(edited)))
			}
			for k := range m.Blocks[1:] {
				put(fmt.Sprintf("%d blocks", k+1), m.Blocks[:k+1])
			}
		}
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
			put(name("text"), with(b.WithText("new \"text\"\n")))
			put(name("input"), with(b.WithInput(`{"new":1}`)))
			put(name("id"), with(b.WithID("new")))
			if b.Kind == msg.KindToolUse {
				put(name("input of another type"), with(b.WithInput(`[1]`)))
				put(name("no input"), with(b.WithInput("")))
				put(name("signature"), with(b.WithoutSignature()))
				put(name("input and id"), with(b.WithInput(`{}`).WithID("new")))
				for _, role := range []msg.Role{msg.User, msg.Tool} {
					result := msg.ResultBlock(&b, "result", role == msg.User)
					answer := msg.Message{Role: role, Blocks: []msg.Block{result}, Changed: true}
					add(fmt.Sprintf("%d %d result of %s", i, k, role), list(before, one(m), one(answer), after))
				}
			}
			if b.Kind == msg.KindToolResult {
				put(name("text and id"), with(b.WithText("short").WithID("new")))
			}
			if k == 0 {
				put(name("new call"), append(m.Blocks[:len(m.Blocks):len(m.Blocks)], call))
				put(name("new result"), append([]msg.Block{msg.ResultBlock(&call, "r", true)}, m.Blocks...))
				put(name("new picture"), append([]msg.Block{{Kind: msg.KindImage, Type: "image"}}, m.Blocks...))
				put(name("nothing left"), nil)
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

// shown is a text on one line: of a long one the beginning, the end and a checksum.
func shown(text []byte) string {
	line := strings.ReplaceAll(string(text), "\n", "⏎")
	if len(line) <= 100 {
		return line
	}
	begin, end := strings.ToValidUTF8(line[:50], ""), strings.ToValidUTF8(line[len(line)-25:], "")
	return fmt.Sprintf("%s … %s (%d bytes, %08x)", begin, end, len(text), crc32.ChecksumIEEE(text))
}

// Usage prints a usage; the service only if it is not the standard one.
func Usage(u *msg.Usage) string {
	text := strings.Replace(fmt.Sprintf("%+v", *u), " MissReason: Missed:0}", "}", 1)
	return strings.Replace(text, " Tier:}", "}", 1)
}
