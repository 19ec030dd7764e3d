package tokens

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

// named is a counter under another name.
type named struct {
	Counter
	name string
}

func (n named) Name() string { return n.name }

func drawConversation(t *rapid.T) *msg.Conversation {
	c := &msg.Conversation{Format: msg.Anthropic,
		Model: rapid.SampledFrom([]string{"", "claude-opus-4-5", "claude-opus-5", "gpt-4o", "gpt-4", "gemini-2.5-pro",
			"deepseek-chat", "acme-1"}).Draw(t, "model")}
	text := rapid.StringMatching(`[a-z ]{0,60}|[中文字]{0,9}|[0-9]{0,40}`)
	for range rapid.IntRange(0, 6).Draw(t, "messages") {
		m := msg.Message{Role: msg.User}
		for range rapid.IntRange(0, 4).Draw(t, "blocks") {
			b := msg.Block{Kind: rapid.SampledFrom([]msg.Kind{msg.KindText, msg.KindThinking, msg.KindToolUse,
				msg.KindToolResult, msg.KindImage, msg.KindDocument}).Draw(t, "kind"),
				Name: "read", Text: text.Draw(t, "text")}
			if b.Kind == msg.KindToolResult && rapid.Bool().Draw(t, "parts") {
				b.Text, b.Parts = "", []msg.Block{{Kind: msg.KindText, Text: text.Draw(t, "part")},
					{Kind: msg.KindImage, Image: &msg.Image{Width: 600, Height: 400}}}
			}
			m.Blocks = append(m.Blocks, b)
		}
		c.Messages = append(c.Messages, m)
	}
	c.System = []msg.Block{{Kind: msg.KindText, Text: text.Draw(t, "system")}}
	c.Tools = []msg.Block{{Kind: msg.KindOther, Text: text.Draw(t, "tool")}}
	return c
}

func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConversation(t)
		name := rapid.SampledFrom([]string{"estimate", "o200k_base", "cl100k_base", "chars4", "acme"}).Draw(t, "counter")
		m := NewMeter(named{Estimate, name}, c)
		n := m.Count(c)
		sum := n.System + n.Tools
		for i := range n.Messages {
			sum += n.Messages[i].Tokens
			blocks := m.Profile.PerMessage
			for b, tokens := range n.Messages[i].Blocks {
				require.Equal(t, m.Block(&c.Messages[i].Blocks[b]), tokens)
				blocks += tokens
			}
			require.Equal(t, n.Messages[i].Tokens, blocks)
			require.Equal(t, n.Messages[i].Tokens, m.Message(&c.Messages[i]))
		}
		require.Equal(t, n.Total, sum)
		require.LessOrEqual(t, n.Low, n.Total)
		require.GreaterOrEqual(t, n.High, n.Total)
		if n.Exact {
			require.Equal(t, n.Low, n.High)
			require.Equal(t, m.Profile.Counter, name)
		}
		require.Equal(t, name, n.Counter)
		require.Equal(t, m.Profile.Family, n.Profile)

		longer := c.WithMessages(append(append([]msg.Message{}, c.Messages...), msg.TextMessage(msg.User, "one more")))
		require.Greater(t, m.Conversation(longer).Total, n.Total, "a longer text never counts less")
		require.GreaterOrEqual(t, m.Text("some words more"), m.Text("some words"), "a longer text never counts less")
	})
}

func TestScaledCounts(t *testing.T) {
	text := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{msg.TextMessage(msg.User, "a")}}
	for _, c := range []struct {
		model, counter   string
		ten              int // the scaled count of ten tokens
		exact            bool
		low, total, high int // of a message of 100 tokens
		why              string
	}{
		{"gpt-4o", "o200k_base", 10, true, 103, 103, 103, "its own vocabulary"},
		{"gpt-4", "cl100k_base", 10, true, 103, 103, 103, "its own vocabulary"},
		{"gpt-4", "o200k_base", 10, false, 96, 103, 110, "that of a later model"},
		{"gpt-4o", "estimate", 10, false, 98, 103, 106, "fitted to its vocabulary"},
		{"claude-opus-4-5", "estimate", 12, false, 111, 123, 146, "1.203 times"},
		{"claude-opus-5", "estimate", 16, false, 136, 160, 208, "1.3 times that"},
		{"acme-1", "estimate", 12, false, 92, 123, 160, "careful"},
		{"claude-opus-5", "chars4", 10, false, 80, 100, 200, "a published rule, without a profile"},
	} {
		tens := bytesOf{named{Estimate, c.counter}}
		model := *text
		model.Model = c.model
		m := NewMeter(tens, &model)
		require.Equal(t, c.ten, m.Text("1234567890"), c.why)
		require.Equal(t, c.ten, m.Texts().Count("1234567890"), c.why)
		model.Messages = []msg.Message{msg.TextMessage(msg.User, string(make([]byte, 100)))}
		n := m.Count(&model)
		require.Equal(t, []int{c.low, c.total, c.high}, []int{n.Low, n.Total, n.High}, "%s, %s: %s", c.model, c.counter,
			c.why)
		require.Equal(t, c.exact, n.Exact, c.why)
	}
}

// bytesOf counts bytes, under any name.
type bytesOf struct{ named }

func (bytesOf) Count(text string) int { return len(text) }

func TestGuessesAreNotExact(t *testing.T) {
	for kind, block := range map[string]msg.Block{
		"an image of unknown size": {Kind: msg.KindImage},
		"a document":               {Kind: msg.KindDocument},
		"an image in a result":     {Kind: msg.KindToolResult, Parts: []msg.Block{{Kind: msg.KindImage}}},
	} {
		c := &msg.Conversation{Model: "gpt-4o", Messages: []msg.Message{{Role: msg.User, Blocks: []msg.Block{block}}}}
		n := NewMeter(named{Estimate, "o200k_base"}, c).Count(c)
		require.False(t, n.Exact, kind)
		require.Less(t, n.Low, n.Total, kind)
		require.Greater(t, n.High, n.Total, kind)
	}
}
