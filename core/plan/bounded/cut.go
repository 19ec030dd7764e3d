package bounded

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/view"
)

// This file cuts tool results that stay in the conversation of a bounded policy.

// cutOpenRound cuts the large results of the open round, which the model has not read, if the conversation is over its
// hard limit even without all that can be removed: each to a share of the target, and to less if the round would still
// be larger than the target.
func (b *cutter) cutOpenRound() {
	open, sum := msg.OpenRound(b.in.Conversation), 0
	if b.hard == 0 || b.immovable(open)+minRestTokens <= b.hard {
		return
	}
	var results []int
	for m := open; m < len(b.size); m++ {
		sum += b.size[m]
		results = b.resultsOf(m, results)
	}
	fits := func(level int) bool { return freedAt(level, results) >= sum-b.target }
	level := max(min(b.target/maxOpenShare, highest(b.in.Counts.Total, fits)), minCut)
	for m := open; m < len(b.size); m++ {
		cuts, freed := b.cutResults(m, level)
		b.cuts, b.wasCut[m] = append(b.cuts, cuts...), len(cuts) > 0
		b.size[m] -= freed
	}
}

// results returns the tokens of all results that can be cut: those that the model has read.
func (b *cutter) results() []int {
	var out []int
	for m := range b.size[:msg.OpenRound(b.in.Conversation)] {
		out = b.resultsOf(m, out)
	}
	return out
}

// resultsOf appends the tokens of the results of a message that can be cut.
func (b *cutter) resultsOf(m int, out []int) []int {
	for i, tokens := range b.in.Counts.Messages[m].Blocks {
		if r := (msg.Ref{Message: m, Block: i}); !b.wasCut[m] && (b.isResult(r) || b.again && b.isText(r)) {
			out = append(out, tokens)
		}
	}
	return out
}

// cutLevel returns the max tokens of a result with which the target is reached if no other message changes.
func (b *cutter) cutLevel() int {
	over := b.in.Counts.System + b.in.Counts.Tools - b.target
	for _, tokens := range b.size {
		over += tokens
	}
	results := b.results()
	return highest(b.in.Counts.Total, func(level int) bool { return freedAt(level, results) >= over })
}

// freedAt returns the tokens that are freed if each result keeps at most level tokens.
func freedAt(level int, results []int) (freed int) {
	for _, tokens := range results {
		freed += max(tokens-level, 0)
	}
	return freed
}

// highest returns the highest level up to high that fits, 0 if none does. Each level below one that fits, fits, too.
func highest(high int, fits func(int) bool) int {
	low := 0
	for low < high {
		if level := (low + high + 1) / 2; fits(level) {
			low = level
		} else {
			high = level - 1
		}
	}
	return low
}

// cutResults returns edits of the results of a message that have more than maxTokens: they keep their best lines, or
// their head and their tail. A result that was cut before is cut again: its reference then leads to the text with the
// earlier one, since a tool can write a note, too. freed are the tokens that the edits free.
func (b *cutter) cutResults(m, maxTokens int) (cuts []pass.Decision, freed int) {
	for i, tokens := range b.in.Counts.Messages[m].Blocks {
		if tokens <= maxTokens {
			continue
		}
		ref := msg.Ref{Message: m, Block: i}
		text := b.in.Conversation.At(ref).Text
		limit := pass.Intake{MaxBytes: int(int64(len(text)) * int64(maxTokens) / int64(tokens))}
		if isText := b.isText(ref); b.again && (isText || b.isResult(ref) && marker.IsLimited(text)) {
			e := &pass.Edit{Message: m, Block: i, Kind: pass.LimitOutput, Tokens: tokens, After: tokens}
			switch {
			case !isText:
				e.Tool = b.in.Pairing.ToolName(b.in.Conversation, ref)
			case b.in.Conversation.Messages[m].Role == msg.Assistant:
				e.Kind = pass.ShortenAnswer
			default:
				e.Kind = pass.ShortenPrompt
			}
			if b.keepBestLines(e, text, limit.MaxBytes); e.Text != "" {
				cuts = append(cuts, pass.Decision{Ref: ref, Fate: pass.Truncated, Tool: e.Tool, Reason: e.Reason, Edit: e})
				freed += e.Tokens - e.After
			}
			continue
		}
		for _, d := range limit.RunRange(b.in, m, m+1, view.RefText) {
			if d.Ref.Block == i && d.Edit != nil {
				b.keepBestLines(d.Edit, text, limit.MaxBytes)
				cuts, freed = append(cuts, d), freed+d.Edit.Tokens-d.Edit.After
			}
		}
	}
	return cuts, freed
}

// isResult reports whether a block is a result that can be cut.
func (b *cutter) isResult(r msg.Ref) bool {
	block := b.in.Conversation.At(r)
	return block.Kind == msg.KindToolResult && !block.Server && !block.HasMedia()
}

// isText reports whether a block is a text of the assistant, or one that a client wrote as the user, such as the output
// of the user's command. They are cut only for the window.
func (b *cutter) isText(r msg.Ref) bool {
	block, m := b.in.Conversation.At(r), &b.in.Conversation.Messages[r.Message]
	return block.Kind == msg.KindText && !block.IsSummary() &&
		(m.Role == msg.Assistant || m.Role == msg.User && !b.fixedAt[r.Message] && !b.prompt[r.Message])
}

// keepBestLines makes an edit keep the best lines of a result instead of its head and its tail.
func (b *cutter) keepBestLines(e *pass.Edit, text string, maxBytes int) {
	if b.index == nil {
		b.index = b.texts.New(b.in.Conversation, nil, nil)
	}
	kept, bytes, lines := b.index.BestLines(text, maxBytes-noteBytes)
	if kept == "" {
		return
	}
	block := b.in.Conversation.At(e.Ref()).WithText(kept + marker.Omitted(bytes, lines, view.RefText(text)))
	if after := b.in.Meter.Block(&block); after < e.Tokens && pass.Shrinks(text, block.Text) {
		e.Text, e.After = block.Text, after
		e.Reason = strconv.Itoa(len(text)) + " bytes of output, its best lines stay"
	}
}

const noteBytes = 100 // of the note about the omitted lines

// cutter cuts large tool results that stay.
type cutter struct {
	said
	wasCut []bool            // of messages: its results are cut, so size is without the omitted lines
	cuts   []pass.Decision   // the results keep their best lines
	again  bool              // results that were cut before are cut again
	texts  *summarize.Memory // nil without a session
	index  *summarize.Index  // of all lines; nil until the first cut
}
