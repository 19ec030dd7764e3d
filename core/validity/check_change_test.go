package validity_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// CheckChange finds an error exactly where Check, its slow twin, finds one in what a valid conversation became,
// whatever was done to it: messages and blocks that go, change, or come from anywhere, the rest being shared.
func TestCheckChangeAgreesWithCheck(t *testing.T) {
	valid, broken, parts := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		before := drawValid(t, name)
		foreign := drawValid(t, name)
		after := before
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			after = drawChange(t, after, before, foreign)
		}
		want := errorsIn(validity.Check(after))
		require.Equal(t, want, errorsIn(validity.CheckChange(before, after.Messages, validity.Origins(before, after))))
		if validPart, seen := validity.PartIsValid(before, after, validity.Origins(before, after)); seen {
			parts++
			require.Equal(t, len(want) == 0, validPart, "the changed units alone tell")
		}
		if len(want) > 0 {
			broken++
		} else {
			valid++
		}
	})
	require.NotZero(t, valid)
	require.NotZero(t, broken)
	require.NotZero(t, parts)
}

// drawValid draws a conversation without errors. Now and then its assistant uses a server tool over several messages,
// or a compaction block opens a message.
func drawValid(t *rapid.T, name string) *msg.Conversation {
	c, err := format.Parse(convtest.Conversation(t, name), name)
	require.NoError(t, err)
	if name == msg.Anthropic {
		c = drawServer(t, c)
		if rapid.IntRange(0, 4).Draw(t, "compaction") == 0 && len(c.Messages) > 0 {
			m := rapid.IntRange(0, len(c.Messages)-1).Draw(t, "compacted")
			if c.Messages[m].Role == msg.Assistant && len(c.Messages[m].Blocks) > 0 {
				c = withBlocks(c, m, append([]msg.Block{{Kind: msg.KindSummary, Type: "compaction", Text: "Earlier."}},
					c.Messages[m].Blocks...))
			}
		}
	}
	if !validity.Valid(validity.Check(c)) {
		t.Skip("not valid")
	}
	return c
}

// drawServer puts a call of a server tool into an assistant message and its result into a later one.
func drawServer(t *rapid.T, c *msg.Conversation) *msg.Conversation {
	var assistants []int
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant && len(c.Messages[m].Blocks) > 0 {
			assistants = append(assistants, m)
		}
	}
	if len(assistants) < 2 || rapid.Bool().Draw(t, "no server") {
		return c
	}
	from := rapid.IntRange(0, len(assistants)-2).Draw(t, "call")
	call := msg.Block{Kind: msg.KindToolUse, Type: "server_tool_use", ID: "srv_far", Name: "web_search", Text: "{}",
		Server: true}
	result := msg.Block{Kind: msg.KindToolResult, Type: "web_search_tool_result", ID: "srv_far", Server: true,
		Text: "found"}
	m, next := assistants[from], assistants[from+1]
	with := withBlocks(c, m, append([]msg.Block{call}, c.Messages[m].Blocks...))
	with = withBlocks(with, next, append([]msg.Block{result}, c.Messages[next].Blocks...))
	if !validity.Valid(validity.Check(with)) {
		return c
	}
	return with
}

func withBlocks(c *msg.Conversation, m int, blocks []msg.Block) *msg.Conversation {
	messages := append([]msg.Message{}, c.Messages...)
	messages[m] = messages[m].WithBlocks(blocks)
	return c.WithMessages(messages)
}

// drawChange draws one change to c, which before became.
func drawChange(t *rapid.T, c, before, foreign *msg.Conversation) *msg.Conversation {
	n := len(c.Messages)
	insert := func(at int, more ...msg.Message) *msg.Conversation {
		return c.WithMessages(append(append(c.Messages[:at:at], more...), c.Messages[at:]...))
	}
	at := rapid.IntRange(0, n).Draw(t, "at")
	kind := rapid.IntRange(0, 10).Draw(t, "change")
	switch kind {
	case 0:
		return insert(at, msg.TextMessage(msg.User, "[compacted summary of turns 1-2]\nThey went on."))
	case 1:
		role := rapid.SampledFrom([]msg.Role{msg.User, msg.Assistant, msg.System, msg.Tool, "robot"}).Draw(t, "role")
		return insert(at, msg.TextMessage(role, rapid.SampledFrom([]string{"[Earlier turns truncated]", ""}).Draw(t, "text")))
	case 2: // one of this conversation again, or of another
		from := rapid.SampledFrom([]*msg.Conversation{before, foreign}).Draw(t, "from").Messages
		if len(from) > 0 {
			return insert(at, from[rapid.IntRange(0, len(from)-1).Draw(t, "which")])
		}
	}
	if n == 0 {
		return c
	}
	m := min(at, n-1)
	message := c.Messages[m]
	blocks := append([]msg.Block{}, message.Blocks...)
	switch kind {
	case 3: // a run goes, with or without a summary in its place
		end := min(m+rapid.IntRange(1, 6).Draw(t, "run"), n)
		var come []msg.Message
		if rapid.Bool().Draw(t, "summary") {
			come = append(come, msg.TextMessage(msg.User, "[Compressed]\n\nThey went on."))
		}
		return c.WithMessages(append(append(c.Messages[:m:m], come...), c.Messages[end:]...))
	case 4: // two change places
		other := rapid.IntRange(0, n-1).Draw(t, "other")
		messages := append([]msg.Message{}, c.Messages...)
		messages[m], messages[other] = messages[other], messages[m]
		return c.WithMessages(messages)
	case 5:
		message.Role = rapid.SampledFrom([]msg.Role{msg.User, msg.Assistant, msg.System, msg.Tool}).Draw(t, "role")
		messages := append([]msg.Message{}, c.Messages...)
		messages[m] = message
		return c.WithMessages(messages)
	}
	if len(blocks) == 0 {
		return c
	}
	b := rapid.IntRange(0, len(blocks)-1).Draw(t, "block")
	switch kind {
	case 6:
		blocks[b] = blocks[b].WithText(rapid.SampledFrom([]string{"[cleared]", "[cleared]", ""}).Draw(t, "text"))
	case 7:
		blocks = append(blocks[:b], blocks[b+1:]...)
	case 8:
		blocks[b] = blocks[b].WithID(rapid.SampledFrom([]string{"toolu_1", "toolu_2", "call_1", "new"}).Draw(t, "id"))
	case 9:
		ttl := rapid.SampledFrom([]string{"", "1h"}).Draw(t, "ttl")
		blocks[b] = blocks[b].WithCache(&msg.Cache{Type: "ephemeral", TTL: ttl})
	case 10:
		if from := foreign.Messages[rapid.IntRange(0, len(foreign.Messages)-1).Draw(t, "from")].Blocks; len(from) > 0 {
			more := from[rapid.IntRange(0, len(from)-1).Draw(t, "which")]
			blocks = append(blocks[:b:b], append([]msg.Block{more}, blocks[b:]...)...)
		}
	}
	return withBlocks(c, m, blocks)
}

// errorsIn writes down the errors among problems.
func errorsIn(problems []validity.Problem) []string {
	var out []string
	for _, p := range problems {
		if p.Severity == validity.SeverityError {
			out = append(out, string(p.Rule)+" "+p.Path+": "+p.Message)
		}
	}
	return out
}

// Each way in which an outcome can be broken far from the change that breaks it.
func TestCheckChangeSeesBeyondTheChange(t *testing.T) {
	call := func(id string) msg.Message {
		return msg.Message{Role: msg.Assistant, Changed: true,
			Blocks: []msg.Block{{Kind: msg.KindToolUse, Type: "tool_use", ID: id, Name: "run", Text: "{}"}}}
	}
	result := func(id string) msg.Message {
		return msg.Message{Role: msg.User, Changed: true,
			Blocks: []msg.Block{{Kind: msg.KindToolResult, Type: "tool_result", ID: id, Text: "ok"}}}
	}
	messages := []msg.Message{msg.TextMessage(msg.User, "Go on.")}
	for i := range 40 {
		id := "toolu_" + strconv.Itoa(i)
		messages = append(messages, call(id), result(id))
	}
	base := &msg.Conversation{Format: msg.Anthropic, Messages: messages}
	cached := func(c *msg.Conversation, m int) *msg.Conversation {
		return withBlocks(c, m, []msg.Block{c.Messages[m].Blocks[0].WithCache(&msg.Cache{Type: "ephemeral"})})
	}
	fourBreakpoints := cached(cached(cached(cached(base, 2), 4), 6), 8)
	server := withBlocks(base, 1, append([]msg.Block{{Kind: msg.KindToolUse, Type: "server_tool_use", ID: "s",
		Name: "web_search", Text: "{}", Server: true}}, messages[1].Blocks...))
	server = withBlocks(server, 61, append([]msg.Block{{Kind: msg.KindToolResult, Type: "web_search_tool_result", ID: "s",
		Server: true}}, messages[61].Blocks...))
	asked := server.WithMessages(append(server.Messages[:81:81], msg.TextMessage(msg.Assistant, "Done."),
		msg.TextMessage(msg.User, "And then?")))
	compacted := withBlocks(base, 1, append([]msg.Block{{Kind: msg.KindSummary, Type: "compaction"}},
		messages[1].Blocks...))
	twoCalls := base.WithMessages(append(append(messages[:3:3], call("a"), call("b"),
		msg.Message{Role: msg.User, Changed: true,
			Blocks: append(result("a").Blocks, result("b").Blocks...)}), messages[3:]...))
	insert := func(c *msg.Conversation, at int, more ...msg.Message) *msg.Conversation {
		return c.WithMessages(append(append(c.Messages[:at:at], more...), c.Messages[at:]...))
	}
	remove := func(c *msg.Conversation, from, to int) *msg.Conversation {
		return c.WithMessages(append(c.Messages[:from:from], c.Messages[to:]...))
	}
	rows := []struct {
		why           string
		before, after *msg.Conversation
		rule          validity.Rule // "": no error
	}{
		{"nothing", base, base, ""},
		{"a result cleared", base, withBlocks(base, 40, []msg.Block{messages[40].Blocks[0].WithText("[cleared]")}), ""},
		{"a round that went", base, remove(base, 39, 41), ""},
		{"a result that went", base, remove(base, 40, 41), validity.A2Unanswered},
		{"a call that went", base, remove(base, 39, 40), validity.A3Orphan},
		{"the first message went", base, remove(base, 0, 1), validity.A1Role},
		{"the last result went, so its call waits", base, remove(base, 80, 81), ""},
		{"the last result went, and a prompt follows", base,
			insert(remove(base, 80, 81), 80, msg.TextMessage(msg.User, "Go.")), validity.A2Unanswered},
		{"a summary between a call and its result", base, insert(base, 40, msg.TextMessage(msg.User, "[Compressed]\n\nx")),
			validity.A4Order},
		{"an empty text", base, insert(base, 41, msg.TextMessage(msg.User, "")), validity.A1Empty},
		{"an id that a call far away has", base, insert(base, 81, call("toolu_3"), result("toolu_3")), validity.A5Duplicate},
		{"a fifth breakpoint", fourBreakpoints, cached(fourBreakpoints, 70), validity.A11Cache},
		{"one of four breakpoints in a cleared result", fourBreakpoints,
			withBlocks(fourBreakpoints, 6, []msg.Block{fourBreakpoints.Messages[6].Blocks[0].WithText("x")}), ""},
		{"a prompt within a server tool's turn", server, insert(server, 31, msg.TextMessage(msg.User, "Stop.")),
			validity.A7ServerTool},
		{"a text like a summary within a server tool's turn", server,
			insert(server, 31, msg.TextMessage(msg.User, "[Compressed]\n\nx")), validity.A7ServerTool},
		{"a server tool's result that went, within the last turn", server, remove(server, 61, 63), ""},
		{"a server tool's result that went, before a prompt", asked, remove(asked, 61, 63), validity.A7ServerTool},
		{"a second compaction block", compacted, withBlocks(compacted, 71,
			append([]msg.Block{{Kind: msg.KindSummary, Type: "compaction"}}, messages[71].Blocks...)), validity.A12Compaction},
		{"the results of two messages of one turn, cleared", twoCalls, withBlocks(twoCalls, 5, []msg.Block{
			result("a").Blocks[0].WithText("x"), result("b").Blocks[0].WithText("x")}), ""},
		{"a result of the first of two messages of one turn that went", twoCalls, withBlocks(twoCalls, 5, result("b").Blocks),
			validity.A2Unanswered},
		{"other blocks in the same message", base, func() *msg.Conversation {
			list := append([]msg.Message{}, messages...)
			list[39].Blocks = call("toolu_other").Blocks
			return base.WithMessages(list)
		}(), validity.A2Unanswered},
		{"everything went", base, base.WithMessages(nil), validity.A1Empty},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			require.Empty(t, errorsIn(validity.Check(row.before)))
			want := errorsIn(validity.Check(row.after))
			require.Equal(t, want, errorsIn(validity.CheckChange(row.before, row.after.Messages,
				validity.Origins(row.before, row.after))))
			if validPart, seen := validity.PartIsValid(row.before, row.after, validity.Origins(row.before, row.after)); seen {
				require.Equal(t, row.rule == "", validPart, "the changed units alone tell")
			}
			require.Equal(t, row.rule != "", strings.Contains(strings.Join(want, "\n"), string(row.rule)) && len(want) > 0)
		})
	}
}
