package tokens

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// logged makes a session with this number of turns whose API counts factor permille of our tokens, plus hidden tokens.
func logged(turns, words, factor, hidden int) (*msg.Conversation, Counts) {
	c := &msg.Conversation{Format: msg.Anthropic, System: []msg.Block{{Kind: msg.KindText, Text: "Be careful."}}}
	for i := range turns {
		c.Messages = append(c.Messages, msg.TextMessage(msg.User, strings.Repeat("word ", words+i%3)),
			msg.TextMessage(msg.Assistant, "done with it"))
	}
	c.Messages = append(c.Messages, msg.TextMessage(msg.User, "and now the rest"))
	counts := NewMeter(nil, c).Conversation(c)
	setUsage(c, counts, factor, hidden)
	return c, counts
}

// setUsage writes the usage of such an API on every assistant message.
func setUsage(c *msg.Conversation, counts Counts, factor, hidden int) {
	before := counts.System + counts.Tools
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant {
			prompt := hidden + scaleBy(before, factor)
			c.Messages[m].Usage = &msg.Usage{Input: 3, CacheRead: prompt - 3, Output: scaleBy(counts.Messages[m].Tokens, factor)}
		}
		before += counts.Messages[m].Tokens
	}
}

func TestMeasureFindsTheFactor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factor := rapid.IntRange(700, 1900).Draw(t, "factor")
		hidden := rapid.IntRange(100, 60_000).Draw(t, "hidden")
		turns := rapid.IntRange(20, 60).Draw(t, "turns")
		c, counts := logged(turns, rapid.IntRange(100, 400).Draw(t, "words"), factor, hidden)
		m := Measure(c, counts)
		require.Equal(t, turns, m.Points)
		require.InDelta(t, factor, m.Factor, 1, "to the rounding of the single prompts")
		require.InDelta(t, hidden, m.Hidden, 2)
		require.InDelta(t, hidden+scaleBy(counts.Total, factor), m.Total, 4)
	})
}

func TestMeasureIgnoresOutliers(t *testing.T) {
	for why, change := range map[string]func(*msg.Conversation){
		"a call that was never sent": func(c *msg.Conversation) {
			for m := 20; m < len(c.Messages); m++ {
				if u := c.Messages[m].Usage; u != nil {
					u.CacheRead -= 180
				}
			}
		},
		"a reminder that the log does not show": func(c *msg.Conversation) {
			for m := 20; m < len(c.Messages); m++ {
				if u := c.Messages[m].Usage; u != nil {
					u.CacheRead += 5000
				}
			}
		},
		"calls without usage": func(c *msg.Conversation) {
			for m := 3; m < 30; m += 4 {
				c.Messages[m].Usage = nil
			}
		},
	} {
		c, counts := logged(40, 150, 1200, 8000)
		change(c)
		require.InDelta(t, 1200, Measure(c, counts).Factor, 2, why) // the factor of the log; 2 for rounding
	}
	c, counts := logged(2, 5, 1500, 8000)
	require.Equal(t, 1000, Measure(c, counts).Factor, "too few tokens to compare")
	known := counts.Messages[0].Tokens + counts.Messages[1].Tokens + counts.Messages[2].Tokens + counts.System
	require.Equal(t, 8000+scaleBy(known, 1500)+
		scaleBy(counts.Messages[3].Tokens, 1500)+counts.Messages[4].Tokens, Measure(c, counts).Total,
		"the last call is used anyway")
}

// Usage covers the messages before it. After a compaction of them it is not trusted, until a call with a smaller
// prompt.
func TestUsageBeforeCompactionIsNotTrusted(t *testing.T) {
	for why, change := range map[string]func(*msg.Conversation){
		"changed": func(c *msg.Conversation) { c.Messages[4].Raw = rawjson.Value("{}") },
		"a summary": func(c *msg.Conversation) {
			c.Messages[4].Blocks = msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\nIt went well.").Blocks
		},
		"a summary block": func(c *msg.Conversation) {
			c.Messages[4].Blocks = []msg.Block{{Kind: msg.KindSummary, Text: "It went well."}}
		},
		"a placeholder": func(c *msg.Conversation) {
			c.Messages[4].Blocks = []msg.Block{{Kind: msg.KindToolResult, Text: "[Previous: used read]"}}
		},
		"one in a part": func(c *msg.Conversation) {
			c.Messages[4].Blocks = []msg.Block{{Kind: msg.KindToolResult,
				Parts: []msg.Block{{Text: "[cleared to save context]"}}}}
		},
		"truncated turns": func(c *msg.Conversation) {
			c.Messages[4].Blocks = msg.TextMessage(msg.User, "[Earlier turns truncated due to compactor error]").Blocks
		},
	} {
		c, _ := logged(40, 150, 1200, 8000)
		change(c)
		counts := NewMeter(nil, c).Conversation(c)
		require.Nil(t, Measure(c, counts), why)

		last := len(c.Messages)
		c.Messages = append(c.Messages, msg.TextMessage(msg.Assistant, "I see."), msg.TextMessage(msg.User, "Go on."))
		counts = NewMeter(nil, c).Conversation(c)
		c.Messages[last].Usage = &msg.Usage{Input: 7000}
		m := Measure(c, counts)
		require.NotNil(t, m, "%s: the call after it was smaller", why)
		require.Equal(t, 3, m.Points, "%s: two calls are before it", why)
		require.Equal(t, 7000+counts.Messages[last+1].Tokens, m.Total, why)
	}
	c, counts := logged(40, 150, 1200, 8000)
	c.Messages[len(c.Messages)-2].Usage = &msg.Usage{Input: counts.Total / 3}
	require.Nil(t, Measure(c, counts), "the last call was sent another conversation")
	c, counts = logged(40, 150, 1200, 8000)
	for m := range c.Messages {
		c.Messages[m].Usage = nil
	}
	require.Nil(t, Measure(c, counts), "no usage")
}

// The calls after the summary that an agent wrote at the start of its log were made with it. Those that it kept from
// before have earlier timestamps.
func TestUsageAfterAnOpeningSummary(t *testing.T) {
	line := func(kind, role, second, text string) msg.Message {
		m := msg.TextMessage(msg.Role(role), text)
		m.Blocks[0].Kind, m.Changed = msg.Kind(kind), false
		m.Lines = []rawjson.Value{rawjson.Value(`{"timestamp":"2026-03-01T10:00:` + second + `Z"}`)}
		if kind == "summary" {
			m.Lines[0] = m.Lines[0].With("isCompactSummary", rawjson.Value("true"))
		}
		return m
	}
	c := &msg.Conversation{Messages: []msg.Message{line("summary", "user", "10", "So far all went well."),
		line("text", "assistant", "05", "Kept."), line("text", "user", "06", "Go on."),
		line("text", "assistant", "20", "Done."), line("text", "user", "25", "Next.")}}
	c.Messages[1].Usage = &msg.Usage{Input: 90_000}
	require.Nil(t, Measure(c, NewMeter(nil, c).Conversation(c)), "no call since the summary")
	c.Messages[3].Usage = &msg.Usage{Input: 12_000, Output: 10}
	m := Measure(c, NewMeter(nil, c).Conversation(c))
	require.NotNil(t, m)
	require.Equal(t, 1, m.Points)
	require.Greater(t, m.Total, 12_010) // input and output of the last call
	require.Less(t, m.Total, 12_100)    // and the short message after it
	c.Messages[1].Usage = nil
	c.Messages[0].Blocks[0].Text = "[compacted summary of turns 1-9]\nIt went well."
	require.Nil(t, Measure(c, NewMeter(nil, c).Conversation(c)), "a summary of Tamp: the calls were made before it")
}

// A Track that gets messages in parts ends in the same state as one that gets all of them at once.
func TestTrackGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := logged(rapid.IntRange(1, 12).Draw(t, "turns"), 20, 1100, 500)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			m := rapid.IntRange(0, len(c.Messages)-1).Draw(t, "message")
			if u := c.Messages[m].Usage; u != nil && rapid.Bool().Draw(t, "falls") {
				c.Messages[m].Usage = &msg.Usage{Input: rapid.IntRange(0, 900).Draw(t, "prompt")}
			} else {
				c.Messages[m].Raw = rawjson.Value("{}") // and changed, as a made message is
			}
		}
		var whole, grown Track
		whole.Add(c.Messages)
		for at := 0; at < len(c.Messages); {
			n := rapid.IntRange(1, len(c.Messages)-at).Draw(t, "n")
			grown.Add(c.Messages[at : at+n])
			at += n
		}
		require.Equal(t, whole, grown)
	})
}
