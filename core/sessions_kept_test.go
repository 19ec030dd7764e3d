package core_test

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/tokens"
)

// What a compaction does not name stays as it is.

// requireUntouched asserts that the messages which the archive does not name are still there, in order, each with the
// very bytes that it had. Of a log, those are the bytes of the messages in its lines.
func (w *walk) requireUntouched(plan *core.Plan, rendered []byte) {
	var is []string
	after := w.parse(rendered).Messages
	for i := range after {
		is = append(is, w.units(&after[i])...)
	}
	next := 0
	for m, was := range w.parse(w.doc).Messages {
		if slices.ContainsFunc(plan.Archive, func(s core.Span) bool { return s.Start <= m && m < s.End }) {
			continue
		}
		for _, bytes := range w.units(&was) {
			for next < len(is) && is[next] != bytes {
				next++
			}
			require.Less(w.t, next, len(is), "message %d is as it was, in its place: %s", m, bytes)
			next++
		}
	}
}

// units are the bytes of a message, or of each of its items: in Responses two answers of the model are read as one if
// the item between them is removed. Where a part has a call and its result, they are the blocks: a change of one of the
// two changes the bytes of both.
func (w *walk) units(m *msg.Message) (blocks []string) {
	switch w.s.Format {
	case msg.OpenCode, msg.GeminiCLI, msg.AISDKUI:
		for i := range m.Blocks {
			b := &m.Blocks[i]
			blocks = append(blocks, strings.Join([]string{string(b.Kind), b.ID, b.Name, b.Text}, "\x00"))
		}
		return blocks
	}
	if len(m.Lines) == 0 || m.Lines[0].Member("message") != nil {
		return []string{messageBytes(m)}
	}
	var items []string
	for _, item := range m.Lines {
		items = append(items, string(item))
	}
	return items
}

func messageBytes(m *msg.Message) string {
	var out strings.Builder
	for _, line := range append(m.Lines[:len(m.Lines):len(m.Lines)], m.Raw) {
		if message := line.Member("message"); message != nil {
			line = message
		}
		out.Write(line)
	}
	return out.String()
}

// requirePrompts asserts that the user's words are still there word for word, but for those that the intake put aside.
// The strategies regions and none promise it; with bounded sizes, a prompt may become part of a region, except the
// first.
func (w *walk) requirePrompts(c, again *msg.Conversation, plan *core.Plan) {
	// A first prompt that looks like a summary may be one of an earlier step: then no prompt is certain to stay.
	first := slices.IndexFunc(c.Messages, func(m msg.Message) bool { return provenance.IsPrompt(&m) })
	if text := firstText(c, first); strings.HasPrefix(text, "[") || text == "What did we do so far?" {
		first = -1
	}
	// Nor is it if the agent answered a command before it, which stays as the task.
	answered := func(m msg.Message) bool { return m.Role == msg.Assistant }
	if slices.ContainsFunc(c.Messages[:max(first, 0)], answered) {
		first = -1
	}
	aside := map[msg.Ref]bool{}
	for _, e := range plan.Edits {
		aside[e.Ref()] = true
	}
	rest := map[string]int{}
	for _, block := range again.Blocks() {
		rest[block.Text]++
	}
	for ref, block := range c.Blocks() {
		isPrompt := c.Messages[ref.Message].Role == msg.User && !c.Messages[ref.Message].Meta && block.Kind == msg.KindText &&
			!provenance.IsInjected(&c.Messages[ref.Message], ref.Block)
		if !isPrompt || aside[ref] || c.Messages[ref.Message].Path == "" || isCovered(plan, ref.Message) ||
			w.policy.IsBounded() && ref.Message != first && isFolded(plan, ref.Message) {
			continue
		}
		require.NotZero(w.t, rest[block.Text], "the words of the user: %q", block.Text)
		rest[block.Text]--
	}
}

// requireWords asserts that each sentence that the user typed is still there, as a message or in the section of a
// summary, unless the plan says that they have no room. An edit of a prompt takes a part of it.
func (w *walk) requireWords(c, again *msg.Conversation, plan *core.Plan) {
	if wordsWereCut(plan.Warnings) {
		w.seen["words cut"]++
		return
	}
	count := tokens.NewMeter(w.env.Count, c).Text
	have := map[string]bool{}
	for _, s := range saidBy(again, count) {
		provenance.Sentences(s.Text, func(sentence string) { have[sentence] = true })
	}
	edited := map[msg.Ref]bool{}
	for _, e := range plan.Edits {
		edited[e.Ref()] = true
	}
	n := 0
	for _, s := range saidBy(c, count) {
		if edited[s.At] {
			continue
		}
		provenance.Sentences(s.Text, func(sentence string) {
			require.True(w.t, have[sentence], "the words of the user: %q", sentence)
			n++
		})
	}
	if n > 0 && len(plan.Regions) > 0 {
		w.seen["words"]++
	}
}

// isCovered reports a message that a summary of level 2 rewrites: it is a summary itself.
func isCovered(plan *core.Plan, message int) bool {
	return slices.ContainsFunc(plan.Regions, func(r core.Region) bool {
		return r.Level == 2 && r.Spans[0].Start <= message && message < r.Spans[0].End
	})
}

// isFolded reports whether the message is in a region of whole messages.
func isFolded(plan *core.Plan, message int) bool {
	return slices.ContainsFunc(plan.Regions, func(r core.Region) bool {
		return r.Blocks == nil && slices.ContainsFunc(r.Spans,
			func(s core.Span) bool { return s.Start <= message && message < s.End })
	})
}
