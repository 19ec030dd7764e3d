package pass

import (
	"slices"

	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/tokens"
)

// ChangeTracker reports for a conversation that grows at its end whether layers 0 and 1 would change it, in time
// proportional to the new messages. Some rules depend only on the block and what precedes it: their results are kept as
// prefix sums. The other rules protect the newest blocks: they are evaluated from the end, up to the first block that
// none of them protects, because they protect no block before it. Both share the rules on one block (Clear.stays,
// Clear.replacement). The passes alone would read all results at every turn, which makes a session quadratic: 7.2 ms a
// turn at 10,000 results (54 us at 100), and 0.13 us with the tracker at any number.
//
// Invariant: NothingToDo reports true only if Clear.Run, Intake.Run and Thinking.Run return no edit. Without
// ClearToolInputs the converse is true too. A test compares them.
type ChangeTracker struct {
	Clear    Clear // with Was
	Intake   Intake
	Thinking Thinking
	Window   Window
	RentFrom int // calls that Rent does not count
	Names    Names
	files    fileReads

	TrackedChanges
}

// TrackedChanges is the state of a ChangeTracker after some messages. A copy of it stays valid while the tracker goes
// on, and until it goes on from an earlier copy.
type TrackedChanges struct {
	seen      int // messages
	tooLarge  bool
	turns     int // assistant messages
	thinking  int // the first message with thinking and another block, counted from 1; 0 for none
	thinkTurn int // its turn
	uses      int // calls
	prompts   []int
	results   []trackedResult
	waits     waits
	rent      rent
	names     int // the size of Names
	// before the first system message whose turn no message has ended: then it has no tokens (msg.Message.IsForTurn), and
	// the messages from there on are read again. nil if there is none
	settled *TrackedChanges
}

// Settled returns the state after as many of the messages as no later message changes.
func (c *TrackedChanges) Settled() *TrackedChanges {
	if c.settled != nil {
		return c.settled
	}
	copied := *c
	return &copied
}

// trackedResult is a tool result, with the sums over it and all results before it.
type trackedResult struct {
	message   int
	was, kept bool // was: cleared in an earlier turn; kept: see Clear.keeps
	waits     bool // it waits, or has waited; see Waits
	skill     bool // it has the text of a skill
	end       int  // its number among those that have ended to wait, counted from 1; 0 for none
	text      int  // tokens of the text, by the published rule (cjk)
	before    int  // tokens of the messages before it, and of its own message before it
	by        Replacement
	sums      sums // over the results that may be cleared for the first time
	again     sums // over those that were cleared in an earlier turn
}

type sums struct{ candidates, edits, freed int }

func (s sums) plus(t sums) sums {
	return sums{s.candidates + t.candidates, s.edits + t.edits, s.freed + t.freed}
}

func (s sums) minus(t sums) sums {
	return sums{s.candidates - t.candidates, s.edits - t.edits, s.freed - t.freed}
}

// Add reads the new messages of in. ref returns the name of an original.
func (w *ChangeTracker) Add(in *Input, ref func(string) string) {
	c := in.Conversation
	isUsers := func(m msg.Message) bool { return m.Role == msg.User }
	if w.settled != nil && slices.ContainsFunc(c.Messages[w.seen:], isUsers) {
		w.TrackedChanges = *w.settled
	}
	if w.Names != nil {
		w.Names.Truncate(w.names)
	}
	w.files.truncate(w.waits.files)
	// The decisions of layer 0 depend on one block each.
	latest := Input{Conversation: c.WithMessages(c.Messages[w.seen:]), Meter: in.Meter,
		Counts: tokens.Counts{Messages: in.Counts.Messages[w.seen:]}}
	w.tooLarge = w.tooLarge || slices.ContainsFunc(w.Intake.Run(&latest, ref),
		func(d Decision) bool { return d.Edit != nil })
	for m := w.seen; m < len(c.Messages); m++ {
		message := &c.Messages[m]
		if message.Role == msg.User {
			w.settled = nil
		} else if w.settled == nil && message.IsForTurn() {
			w.settled = w.Settled()
			w.settled.seen = m
		}
		if w.thinking == 0 && w.Thinking.KeepTurns > 0 && hasThinking(message) && !onlyThinking(message) {
			w.thinking, w.thinkTurn = m+1, w.turns+1
		}
		if message.Role == msg.Assistant {
			w.charge(in, m)
			w.turns++
		}
		if (w.Clear.ProtectExchanges > 0 || w.Clear.When == Economic) && provenance.IsPrompt(message) {
			w.prompts = append(w.prompts, m)
			w.nextPrompt()
		}
		for b := range message.Blocks {
			block := &message.Blocks[b]
			if block.Kind == msg.KindToolUse && !block.Server {
				w.uses++
			}
			if block.Kind == msg.KindToolResult && !block.Server && w.Clear.Enabled {
				w.result(in, msg.Ref{Message: m, Block: b})
				var call *msg.Block
				if ref, ok := in.Pairing.Call(msg.Ref{Message: m, Block: b}); ok {
					call = c.At(ref)
				}
				w.wait(call, block)
			} else if w.Names != nil {
				w.Names.Add(block)
			}
		}
		w.rent.tokens += in.Counts.Messages[m].Tokens
	}
	w.seen = len(c.Messages)
	if w.Names != nil {
		w.names = w.Names.Size()
	}
}

// Names has the names of the texts so far, and chooses by them which lines of a result stay if it is cleared: a pure
// function of the messages up to it, so that every plan keeps the same lines.
type Names interface {
	Add(b *msg.Block)                                // adds a block that stays
	Keep(result *msg.Block, bytesPerName int) string // the lines that stay, whose names are added
	Size() int
	Truncate(size int) // goes back to an earlier size
}

// Found returns what replaces a result that may be cleared, by its index.
func (w *ChangeTracker) Found(result int) Replacement { return w.results[result].by }

// result adds a tool result.
func (w *ChangeTracker) result(in *Input, ref msg.Ref) {
	p := &w.Clear
	block, before := in.block(ref)
	tool := in.Pairing.ToolName(in.Conversation, ref)
	r := trackedResult{message: ref.Message, was: p.wasCleared(in, ref, block, tool),
		before: w.rent.tokens + in.Counts.Messages[ref.Message].Before(ref.Block),
		kept:   p.keeps(in, ref, tool) != ""}
	if n := len(w.results); n > 0 {
		r.sums, r.again = w.results[n-1].sums, w.results[n-1].again
	}
	if !r.kept && !r.was && (p.ProtectTokens > 0 || p.minSavings() > 0) {
		r.text = tokens.CJK.Count(block.Text)
	}
	lines, mayGo := "", r.was || !r.kept && p.stays(block, tool) == ""
	if w.Names != nil && mayGo && len(block.Text) >= minNamed {
		lines = w.Names.Keep(block, p.BytesPerName)
	} else if w.Names != nil {
		w.Names.Add(block)
	}
	if mayGo {
		own := sums{candidates: r.text}
		if r.by = p.replacement(in, ref, tool, lines); r.by.Why == "" {
			own.edits, own.freed = 1, before-r.by.After
		}
		if r.was {
			r.again = r.again.plus(own)
		} else {
			r.sums = r.sums.plus(own)
		}
	}
	w.results = append(w.results, r)
}

// Uses is the number of calls so far.
func (w *ChangeTracker) Uses() int { return w.uses }

// NothingToDo reports whether the passes would edit nothing. With ClearToolInputs it can report false although they
// edit nothing.
func (w *ChangeTracker) NothingToDo(in *Input, terms *Terms) bool {
	return !w.tooLarge && !w.dropsThinking(in) && w.clearsNothing(in, terms)
}

// dropsThinking reports whether a thinking block is old enough to be dropped.
func (w *ChangeTracker) dropsThinking(in *Input) bool {
	return w.thinking > 0 && w.thinkTurn <= w.turns-w.Thinking.KeepTurns && w.thinking-1 < msg.OpenRound(in.Conversation)
}

// clearsNothing reports whether Clear.Run would edit nothing, or nothing that pays.
func (w *ChangeTracker) clearsNothing(in *Input, terms *Terms) bool {
	p, n := &w.Clear, len(w.results)
	if n == 0 {
		return true
	}
	all := &w.results[n-1]
	isDue := all.sums.edits > 0 && (p.minSavings() == 0 || all.sums.candidates > p.minSavings()) && w.triggered(in)
	if !isDue && all.again.edits == 0 {
		return true
	}
	free, now, first := w.unprotected(in)
	if isDue && (p.minSavings() == 0 || free.candidates > p.minSavings()) && (p.When != Economic ||
		len(p.ClearToolInputs) > 0 || free.freed > 0 &&
		terms.Pays(free.freed, w.fixed(in)+w.results[first].before, 0)) {
		now = now.plus(free)
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

// fixed is the size of the system prompt and the tools.
func (w *ChangeTracker) fixed(in *Input) int { return in.Counts.Total - w.rent.tokens }

// unprotected returns the sums over the results that no rule protects: free of those to clear for the first time, with
// the index of the first that has an edit, and again of those that were cleared in an earlier turn.
func (w *ChangeTracker) unprotected(in *Input) (free, again sums, first int) {
	p := &w.Clear
	consumed, window, exchanges := w.protectedFrom(in)
	open := msg.OpenRound(in.Conversation)
	n, newest, text := len(w.results), 0, 0 // of the results that were not read; tokens of those that protect others
	old := w.waits.free
	for ; n > 0; n-- {
		i := n - 1
		r := &w.results[i]
		isOld := r.message < min(consumed, window, exchanges, open) && (p.ProtectTokens == 0 || text > p.ProtectTokens)
		if newest >= p.KeepRecent && isOld { // and so are all before it
			break
		}
		if !w.Waits(i) {
			old = old.minus(w.own(i))
		}
		if r.message >= consumed {
			continue
		}
		if newest++; newest <= p.KeepRecent || r.message >= window {
			continue
		}
		if r.message < open {
			again = again.plus(r.again.minus(w.before(i).again)) // zero unless it was cleared
		}
		if r.was && r.message < open || r.message >= exchanges || r.kept || w.Waits(i) {
			continue
		}
		if text += r.text; p.ProtectTokens > 0 && text <= p.ProtectTokens {
			continue
		}
		if r.message >= open {
			continue
		}
		if own := w.own(i); own.edits > 0 {
			free, first = free.plus(own), i
		} else {
			free = free.plus(own)
		}
	}
	if old.edits > 0 {
		first = w.waits.first - 1
	}
	return free.plus(old), again.plus(w.before(n).again), first
}

// protectedFrom returns the first messages that the rules on unread results, on the window and on exchanges protect.
func (w *ChangeTracker) protectedFrom(in *Input) (consumed, window, exchanges int) {
	p, end := &w.Clear, len(in.Conversation.Messages)
	consumed, window, exchanges = end, end, end
	if p.ConsumedOnly {
		consumed = lastAssistant(in.Conversation)
	}
	if p.IsSticky() {
		window = w.Window.Start(in)
	}
	if p.ProtectExchanges > 0 {
		exchanges = 0
		if k := len(w.prompts) - p.ProtectExchanges; k >= 0 {
			exchanges = w.prompts[k]
		}
	}
	return consumed, window, exchanges
}

// before returns the result before one, whose sums are those over all results before; zero for the first.
func (w *ChangeTracker) before(i int) (r trackedResult) {
	if i > 0 {
		r = w.results[i-1]
	}
	return r
}

// hasThinking reports thinking that can be dropped.
func hasThinking(m *msg.Message) bool {
	for b := m.Fallback(); b < len(m.Blocks); b++ {
		if m.Blocks[b].Kind == msg.KindThinking && !m.Blocks[b].Bound {
			return true
		}
	}
	return false
}
