package pass

import (
	"slices"
	"unicode/utf8"

	"tamp/core/msg"
	"tamp/core/tokens"
)

// ChangeTracker reports for a conversation that grows at its end whether layers 0 and 1 would change it, in time proportional
// to the new messages. Some rules depend only on the block and what precedes it: their results are kept as prefix sums. The
// other rules protect the newest blocks: they are evaluated from the end, up to the first block that none of them protects,
// because they protect no block before it.
//
// Invariant: NothingToDo reports true only if Clear.Run, Intake.Run and Thinking.Run return no edit. Without ClearToolInputs the
// converse is true too. A test compares them.
type ChangeTracker struct {
	Clear    Clear // with Was
	Intake   Intake
	Thinking Thinking
	Window   Window

	seen      int // messages
	tooLarge  bool
	turns     int // assistant messages
	thinking  int // the first message with thinking and another block, counted from 1; 0 for none
	thinkTurn int // its turn
	uses      int // calls
	prompts   []int
	results   []trackedResult
	was       sums // over the results that were cleared in an earlier turn
}

// trackedResult is a tool result, with the sums over it and all results before it.
type trackedResult struct {
	message   int
	was, kept bool // was: cleared in an earlier turn; kept: its tool is in KeepTools
	text      int  // tokens of the text, by the published rule (cjk)
	candidate int  // text if only its age can protect it, else 0
	sums      sums
}

type sums struct{ candidates, edits, freed int }

// Add reads the new messages of in. ref returns the name of an original.
func (w *ChangeTracker) Add(in *Input, ref func(string) string) {
	c := in.Conversation
	for m := w.seen; m < len(c.Messages); m++ {
		message := &c.Messages[m]
		if w.thinking == 0 && w.Thinking.KeepTurns > 0 && hasThinking(message) && !onlyThinking(message) {
			w.thinking, w.thinkTurn = m+1, w.turns+1
		}
		if message.Role == msg.Assistant {
			w.turns++
		}
		if w.Clear.ProtectExchanges > 0 && message.IsPrompt() {
			w.prompts = append(w.prompts, m)
		}
		for b := range message.Blocks {
			block := &message.Blocks[b]
			if block.Kind == msg.KindToolUse && !block.Server {
				w.uses++
			}
			if block.Kind == msg.KindToolResult && !block.Server && w.Clear.Enabled {
				w.result(in, msg.Ref{Message: m, Block: b})
			}
		}
	}
	// The decisions of layer 0 depend on one block each.
	latest := Input{Conversation: c.WithMessages(c.Messages[w.seen:]), Meter: in.Meter, Counts: tokens.Counts{Messages: in.Counts.Messages[w.seen:]}}
	w.tooLarge = w.tooLarge || slices.ContainsFunc(w.Intake.Run(&latest, ref), func(d Decision) bool { return d.Edit != nil })
	w.seen = len(c.Messages)
}

// result adds a tool result.
func (w *ChangeTracker) result(in *Input, ref msg.Ref) {
	p := &w.Clear
	block, before := in.block(ref)
	tool := in.Pairing.ToolName(in.Conversation, ref)
	r := trackedResult{message: ref.Message, was: p.Sticky && p.Was != nil && p.Was(block), kept: slices.Contains(p.KeepTools, tool)}
	if n := len(w.results); n > 0 {
		r.sums = w.results[n-1].sums
	}
	if !r.kept && !r.was && (p.ProtectTokens > 0 || p.MinSavings > 0) {
		r.text = tokens.CJK.Count(block.Text)
	}
	clearable := !r.kept && !isPlaceholder(block.Text, p.Placeholder, tool) && (block.HasMedia() || longer(block.Text, p.MinChars))
	if r.was || clearable {
		edits, freed := 0, 0
		text := placeholder(p.Placeholder, tool)
		if block.HasMedia() || longer(block.Text, utf8.RuneCountInString(text)) {
			if after := in.after(block.WithText(text)); after <= before {
				edits, freed = 1, before-after
			}
		}
		to := &r.sums
		if r.was {
			to = &w.was
		} else {
			r.candidate = r.text
		}
		to.candidates, to.edits, to.freed = to.candidates+r.candidate, to.edits+edits, to.freed+freed
	}
	w.results = append(w.results, r)
}

// Uses is the number of calls so far.
func (w *ChangeTracker) Uses() int { return w.uses }

// NothingToDo reports whether the passes would edit nothing. With ClearToolInputs it can report false although they
// edit nothing.
func (w *ChangeTracker) NothingToDo(in *Input) bool {
	return !w.tooLarge && !w.dropsThinking(in) && w.clearsNothing(in)
}

// dropsThinking reports whether a thinking block is old enough to be dropped.
func (w *ChangeTracker) dropsThinking(in *Input) bool {
	return w.thinking > 0 && w.thinkTurn <= w.turns-w.Thinking.KeepTurns && w.thinking-1 < msg.OpenRound(in.Conversation)
}

// clearsNothing reports whether Clear.Run would edit nothing.
func (w *ChangeTracker) clearsNothing(in *Input) bool {
	p, n := &w.Clear, len(w.results)
	if n == 0 {
		return true
	}
	now := w.was
	if all := w.results[n-1].sums; all.edits > 0 && (p.MinSavings == 0 || all.candidates > p.MinSavings) && w.triggered(in) {
		if free := w.unprotected(in); p.MinSavings == 0 || free.candidates > p.MinSavings {
			now.edits, now.freed = now.edits+free.edits, now.freed+free.freed
		}
	}
	if len(p.ClearToolInputs) > 0 { // the tokens that they free are not tracked, so report a change rather than miss one
		return now.edits == 0
	}
	return now.edits == 0 || now.freed > 0 && now.freed < p.ClearAtLeast
}

// triggered reports whether the conversation is over the trigger of the pass.
func (w *ChangeTracker) triggered(in *Input) bool {
	switch {
	case w.Clear.TriggerToolUses > 0:
		return w.uses > w.Clear.TriggerToolUses
	case w.Clear.TriggerTokens > 0:
		return in.Counts.Total > w.Clear.TriggerTokens
	}
	return true
}

// unprotected returns the sums over the results that no rule protects.
func (w *ChangeTracker) unprotected(in *Input) (free sums) {
	p := &w.Clear
	consumed, window, exchanges := len(in.Conversation.Messages), len(in.Conversation.Messages), len(in.Conversation.Messages)
	if p.ConsumedOnly {
		consumed = lastAssistant(in.Conversation)
	}
	if p.Sticky {
		window = w.Window.Start(in)
	}
	if k := len(w.prompts) - p.ProtectExchanges; p.ProtectExchanges > 0 && k >= 0 {
		exchanges = w.prompts[k]
	} else if p.ProtectExchanges > 0 {
		exchanges = 0
	}
	newest, sum := 0, 0
	for i := len(w.results) - 1; i >= 0; i-- {
		r := &w.results[i]
		if newest >= p.KeepRecent && r.message < min(consumed, window, exchanges) && (p.ProtectTokens == 0 || sum > p.ProtectTokens) {
			free.candidates, free.edits, free.freed = free.candidates+r.sums.candidates, free.edits+r.sums.edits, free.freed+r.sums.freed
			return free
		}
		if r.was {
			newest++
			continue
		}
		if r.message >= consumed {
			continue
		}
		if newest++; newest <= p.KeepRecent || r.message >= min(window, exchanges) || r.kept {
			continue
		}
		if sum += r.text; p.ProtectTokens > 0 && sum <= p.ProtectTokens {
			continue
		}
		own := r.sums // of this result alone
		if i > 0 {
			before := w.results[i-1].sums
			own.candidates, own.edits, own.freed = own.candidates-before.candidates, own.edits-before.edits, own.freed-before.freed
		}
		free.candidates, free.edits, free.freed = free.candidates+own.candidates, free.edits+own.edits, free.freed+own.freed
	}
	return free
}

func hasThinking(m *msg.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.Kind == msg.KindThinking })
}
