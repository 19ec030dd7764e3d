package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/view"
)

const (
	minCut            = 500  // tokens: shorter results are not cut
	minCutOnly        = 60   // tokens that each result keeps at least if cuts alone reach the target
	keptResults       = 300  // permille of all results that then stay at least: summaries keep more facts of less
	maxResultShare    = 5    // a result of the window keeps at most this fraction of the target, if the target is missed
	maxOpenShare      = 3    // a result of the open round keeps at most this fraction of the target
	minMemoryPermille = 150  // permille of the room that summaries may take next to a window over the target
	minRoomShare      = 8    // the room is at least this fraction of the target
	promptPermille    = 250  // of the target without the fixed part
	minRegion         = 400  // tokens: a summary of a smaller region does not pay for its label and its frame
	minRest           = 200  // permille of the movable part that a target must leave, and
	minRestTokens     = 1000 // tokens of it, or half of it: a shorter summary cannot say much
	minSaving         = 150  // permille of the conversation that a compaction to a raised target must save
	forcedPermille    = 400  // of the conversation: the most that a forced compaction should leave
	maxSummaryShare   = 440  // permille of the result that summaries may take
	maxClearedShare   = 380  // the same after a clearing
	pinnedPermille    = 150  // of the room: the most that the user's constraints take in summaries
	pinnedTokens      = 600  // tokens that they may take in any case, up to half of the target
	condensedShare    = 4    // condensing drops this fraction of each of its summaries, or more if that is not enough
	mergeBelow        = 600  // tokens for summaries: below this, there is only one, since each has a label and headings
	slack             = 8    // tokens by which the size of the statements may be estimated too low
)

// bounds is the state of chooseBounded. All sizes are tokens of the plan's counter.
type bounds struct {
	in     *view.View
	p      *policy.Policy
	state  *triggerState
	texts  *summarize.Memory // nil without a session
	target int
	hard   int // 0 = no limit
	fixed  int // system prompt, tools and instructions

	summary  []bool           // of messages: holds a summary
	fixedAt  []bool           // of messages: never removed: instructions, the first and the newest prompt
	prompt   []bool           // of messages: a real prompt, except the first and the newest
	size     []int            // of messages, after the edits of long prompts
	verbatim []bool           // of messages: neither in a new region nor an earlier summary
	wasCut   []bool           // of messages: its results are cut, so size is without the omitted lines
	safe     pass.Cuts        // the cuts that separate no call from its result
	cuts     []pass.Decision  // of large tool results that stay: they keep their best lines
	again    bool             // results that were cut before are cut again
	cutOnly  bool             // the cuts of all results reach the target, so nothing is summarized
	index    *summarize.Index // of all lines, for cuts; nil until the first cut

	said    []int  // of messages: tokens of the user's statements that still hold, in a summary
	listed  []int  // of messages: those of long lists among them
	stale   []bool // of messages: a summary quotes a statement that does not hold any more
	earlier int    // tokens of all earlier summaries
	held    int    // tokens of all statements that still hold
	lists   int    // those of long lists among them
	merge   bool   // one summary replaces all before the window, earlier summaries included
	noRoom  bool   // prompts before the window are not kept

	pinned   int  // first message of the recent window
	forced   bool // a forced compaction: it summarizes all before the newest turns
	note     string
	idle     string // the reason to do nothing; "" = act
	keepFrom int    // prompts from here on are kept
}

func newBounds(in *view.View, p *policy.Policy, state *triggerState, texts *summarize.Memory, forced bool) *bounds {
	c := in.Conversation
	n := len(c.Messages)
	b := &bounds{in: in, p: p, state: state, texts: texts, summary: view.SummaryMessages(c), fixedAt: make([]bool, n),
		prompt: make([]bool, n),
		size:   make([]int, n), fixed: in.Counts.System + in.Counts.Tools, safe: pass.NewCuts(in),
		wasCut: make([]bool, n)}
	total := in.Counts.Total
	b.target, b.hard = state.convert(state.target, total), state.convert(state.hard, total)
	if b.forced = forced; forced {
		b.target = state.convert(state.goal, total) // absolute, so that a second compaction changes nothing
	}
	first, newest := pass.FirstTask(c), pass.NewestPrompt(c)
	for m := range c.Messages {
		b.size[m] = in.Counts.Messages[m].Tokens
		switch {
		case view.IsInstruction(&c.Messages[m]):
			b.fixedAt[m] = true
			b.fixed += b.size[m]
		case (m == first || m == newest) && !b.summary[m]:
			b.fixedAt[m] = true
		case c.Messages[m].IsPrompt() && !b.summary[m]:
			b.prompt[m] = true
		}
	}
	view.MarkWaiting(c, in.Pairing, b.fixedAt)
	for m, is := range b.summary {
		if is {
			b.earlier += b.size[m]
		}
	}
	b.readStatements()
	b.merge = b.room()*p.Summary.SummaryPermille/1000 < mergeBelow
	b.noRoom = b.merge
	return b
}

// room returns the tokens of the target without system prompt, tools and instructions. The least share of the recent
// window and that of the summaries are shares of it: as shares of the target they would be more than there is, next to
// tools of 30,000 tokens.
func (b *bounds) room() int { return max(b.target-b.fixed, b.target/minRoomShare) }

// readStatements measures the user's statements that still hold.
func (b *bounds) readStatements() {
	b.said, b.listed, b.stale = make([]int, len(b.size)), make([]int, len(b.size)), make([]bool, len(b.size))
	for _, s := range b.texts.ReadPinned(b.in.Conversation) {
		switch {
		case s.Holds:
			n := summarize.LineTokens(s.Text, b.in.Meter.Text)
			b.said[s.At.Message] += n
			b.held += n
			if s.Listed {
				b.listed[s.At.Message] += n
				b.lists += n
			}
		case b.summary[s.At.Message]:
			b.stale[s.At.Message] = true
		}
	}
}

// pinnedRoom returns the most tokens that the user's statements may take in summaries.
func (b *bounds) pinnedRoom() int {
	return max(b.room()*pinnedPermille/1000, min(pinnedTokens, b.target/2))
}

// floor returns the tokens of a summary of only the statements in a span, with their heading; 0 if it has none.
func (b *bounds) floor(s msg.Span) int {
	typed, listed := 0, 0
	for m := s.Start; m < s.End; m++ {
		typed += b.said[m] - b.listed[m]
		listed += b.listed[m]
	}
	if typed+listed == 0 {
		return 0
	}
	room, held := b.pinnedRoom(), b.held-b.lists
	return within(typed, held, room) + within(listed, b.lists, max(room-held, 0)) + summarize.FrameTokens
}

// within returns the part of tokens in a room for all, which are at least as many.
func within(tokens, all, room int) int {
	if all <= room {
		return tokens
	}
	return int(int64(tokens) * int64(room) / int64(all))
}

// holds reports whether a summary with the statements of a span is shorter than the span's tokens.
func (b *bounds) holds(s msg.Span, tokens int) bool {
	floor := b.floor(s)
	return floor == 0 || floor+b.tail(s)+ArchivedLabelTokens+slack <= tokens
}

// tail returns the tokens of the line that lists the archives of the summaries in a span.
func (b *bounds) tail(s msg.Span) int {
	return b.in.Meter.Text(view.ArchivesLine(view.ArchivesIn(b.in.Conversation, s)))
}

// lowestTarget returns the smallest useful target for a conversation of total tokens.
func lowestTarget(immovable, total int) int {
	rest := total - immovable
	return immovable + max(rest*minRest/1000, min(rest/2, minRestTokens))
}

// after returns the size after the selected summaries, if each takes its budget.
func (b *bounds) after(s *selection) int {
	size := b.in.Counts.System + b.in.Counts.Tools
	for _, tokens := range b.size {
		size += tokens
	}
	for i := range s.regions {
		size -= s.regions[i].gain()
	}
	return size
}

// forcedSize returns the most tokens that a forced compaction should leave.
func (b *bounds) forcedSize() int {
	return int(int64(b.in.Counts.Total+b.state.freed) * forcedPermille / 1000)
}

// immovable returns the tokens that stay if all messages before a position that may be removed are: the messages from
// there on, system prompt, tools and the messages that always stay.
func (b *bounds) immovable(from int) int {
	sum := b.in.Counts.System + b.in.Counts.Tools
	for m, tokens := range b.size {
		if b.fixedAt[m] || m >= from {
			sum += tokens
		}
	}
	return sum
}

// stays returns the tokens that a compaction keeps as they are.
func (b *bounds) stays(s *selection) int {
	sum := b.in.Counts.Total
	for i := range s.regions {
		sum -= s.regions[i].Tokens
	}
	return sum
}
