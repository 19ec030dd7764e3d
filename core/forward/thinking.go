package forward

import (
	"slices"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Thinking that is bound to what precedes it. In the middle of a tool round a compaction waits until the conversation
// is over its hard limit (core.StripThinking), since the round's thinking is lost with it. Until then the provider can
// clear results itself: it compares the conversation as it was sent, so that costs no thinking.

// Clear is the clearing that the provider is asked for: all results of tools but the newest Keep. The zero value asks
// for none.
type Clear struct {
	Uses    int      // calls that are cleared
	Keep    int      // newest calls that are not
	Exclude []string // tools whose results stay
	Freed   int      // tokens, estimated
}

// clearedTokens is the size of the text in place of a result that the provider cleared.
const clearedTokens = 10

// cleared returns the clearing at a turn. The results that are cleared change only when a compaction waits and the rest
// is over its limit: each change costs the prompt cache after it.
func (w *walk) cleared(turn core.Turn) Clear {
	now := w.clear
	limit, waits := turn.Waits()
	if !waits && now.Uses == 0 {
		return now
	}
	sizes := w.results()
	now.Keep, now.Exclude = len(sizes)-now.Uses, w.o.Policy.Clear.KeepTools
	if !waits || turn.Total-now.Freed <= limit {
		return now
	}
	keep := max(w.o.Policy.Clear.KeepRecent, w.recentResults(sizes))
	next := clearOf(sizes, keep, now.Exclude)
	if next.Uses <= now.Uses || next.Freed <= now.Freed {
		return now
	}
	return next
}

// clearsEnough lets the provider clear where nothing else can be removed, since the open round has thinking that has to
// stay: the results before the recent window, and then as many more as the limit needs, but for the newest ones, which
// the model has not read. It reports whether the rest is within the limit.
func (w *walk) clearsEnough() bool {
	total := w.session.Counts().Total
	now, sizes := w.clear, w.results()
	keep := max(w.o.Policy.Clear.KeepRecent, w.recentResults(sizes))
	unread, last := 0, len(w.session.Counts().Messages)-1
	for i := len(sizes) - 1; i >= 0 && sizes[i].message == last; i-- {
		unread++
	}
	now.Keep, now.Exclude = len(sizes)-now.Uses, w.o.Policy.Clear.KeepTools
	for ; total-now.Freed > w.stuck && keep >= unread; keep-- {
		if next := clearOf(sizes, keep, now.Exclude); next.Uses > now.Uses && next.Freed > now.Freed {
			now = next
		}
	}
	w.clear = now
	return now.Uses > 0 && total-now.Freed <= w.stuck
}

func clearOf(sizes []result, keep int, exclude []string) Clear {
	c := Clear{Uses: len(sizes) - keep, Keep: keep, Exclude: exclude}
	for i := range max(c.Uses, 0) {
		c.Freed += max(sizes[i].tokens-clearedTokens, 0)
	}
	return c
}

// result is the result of a call of the client's tools.
type result struct{ message, tokens int }

// results lists the results in order. Those of excluded tools have no tokens: the provider does not clear them.
func (w *walk) results() (list []result) {
	c, counts := w.session.Conversation(), w.session.Counts()
	pairs := msg.Pair(c)
	for it := c.Walk(); it.Next(); {
		if it.Block.Kind != msg.KindToolResult || it.Block.Server {
			continue
		}
		r := result{it.Ref.Message, counts.Messages[it.Ref.Message].Blocks[it.Ref.Block]}
		if call, ok := pairs.Call(it.Ref); ok && slices.Contains(w.o.Policy.Clear.KeepTools, c.At(call).Name) {
			r.tokens = 0
		}
		list = append(list, r)
	}
	return list
}

// recentResults returns the number of results in the policy's recent window.
func (w *walk) recentResults(list []result) int {
	counts := w.session.Counts()
	recent := w.o.Policy.RecentTokensFor(core.Window(&w.o.Policy, w.b.c), counts.System+counts.Tools)
	first := len(counts.Messages) // message of the window
	for ; first > 0; first-- {
		if recent -= counts.Messages[first-1].Tokens; recent < 0 {
			break
		}
	}
	n := 0
	for i := range list {
		if list[i].message >= first {
			n++
		}
	}
	return n
}

// withoutLostThinking removes the thinking after the first message that the compaction changed. The provider would drop
// it, and with it all thinking that the model writes later.
func withoutLostThinking(c *msg.Conversation) *msg.Conversation {
	messages := slices.Clone(c.Messages)
	changed := false
	for m := range messages {
		if changed = changed || messages[m].Changed || len(messages[m].Raw) == 0; !changed {
			continue
		}
		if rest := messageWithoutThinking(&messages[m]); len(rest.Blocks) > 0 {
			messages[m] = rest
		}
	}
	return c.WithMessages(messages)
}

// messageWithoutThinking returns a message without its thinking blocks.
func messageWithoutThinking(m *msg.Message) msg.Message {
	blocks := slices.DeleteFunc(slices.Clone(m.Blocks), func(b msg.Block) bool { return b.Kind == msg.KindThinking })
	if len(blocks) == len(m.Blocks) {
		return *m
	}
	return m.WithBlocks(blocks)
}

// WithoutThinking returns the document of a request without the thinking from a block of a message on, as Anthropic
// counts them. If that block is in a row of thinking blocks, the whole row goes, since the provider takes it whole or
// not at all. A message of nothing else goes, too. A request of Chat Completions has at least as many messages before
// the block, and loses the thinking of all from that number on.
func WithoutThinking(c *msg.Conversation, doc []byte, message, block int) []byte {
	if c.Format == msg.OpenAIChat {
		return withoutReasoning(doc, message)
	}
	list := rawjson.Value(doc).Member("messages")
	var messages []rawjson.Value
	for m, value := range list.List() {
		content := value.Member("content")
		if m < message || content.Kind() != '[' {
			messages = append(messages, value)
			continue
		}
		blocks := content.List()
		from := 0
		if m == message {
			for from = min(block, len(blocks)); from > 0 && isThinking(blocks[from-1]); {
				from--
			}
		}
		kept := slices.Clone(blocks[:from])
		for _, b := range blocks[from:] {
			if !isThinking(b) {
				kept = append(kept, b)
			}
		}
		switch {
		case len(kept) == len(blocks):
			messages = append(messages, value)
		case len(kept) > 0:
			messages = append(messages, value.With("content", content.WithElements(kept)))
		}
	}
	return rawjson.Value(doc).With("messages", list.WithElements(messages))
}

// withoutReasoning returns the document of a request of Chat Completions without the reasoning from a message on.
func withoutReasoning(doc []byte, message int) []byte {
	c, err := format.Parse(doc, msg.OpenAIChat)
	if err != nil {
		return doc
	}
	var messages []msg.Message
	for m := range c.Messages {
		rest := c.Messages[m]
		if m >= message {
			rest = messageWithoutThinking(&rest)
		}
		if len(rest.Blocks) > 0 || len(c.Messages[m].Blocks) == 0 {
			messages = append(messages, rest)
		}
	}
	out, err := format.Render(c.WithMessages(messages))
	if err != nil {
		return doc
	}
	return out
}

func isThinking(block rawjson.Value) bool {
	kind := block.Member("type").Text()
	return kind == "thinking" || kind == "redacted_thinking"
}
