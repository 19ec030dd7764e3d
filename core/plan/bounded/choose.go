package bounded

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan/choice"
)

// This file has the order of the choice (docs/algorithms.md, section 12). A session may last for days, so everything
// that is kept has a budget.
//
//   - All summaries together, without the user's words, take at most summaryPermille of the target. Over it, the oldest
//     summaries, with the prompts between them, are condensed into one (a region of level 3, which needs no model).
//   - The newest messages get at least recentPermille of the room, and all of the target that is left. The room is the
//     target without system prompt, tools and instructions, which no compaction changes.
//   - Prompts before them take at most promptPermille of what can change; older ones become part of a region. The first
//     and the newest prompt always stay.

// choose selects the window, the regions and the budgets.
func (b *bounds) choose() choice.Selection {
	in := b.in
	b.cutOpenRound()
	b.raiseTarget()
	b.chooseWindow()
	s := b.regions()
	if missed := b.after(&s) - b.target; missed > b.target/50 && b.foldable() {
		b.noRoom = true // fold all prompts before the window, which gets their tokens
		b.chooseWindow()
		s = b.regions()
	}
	s.Target = min(b.target, in.Counts.Total)
	if after := b.after(&s); b.limits.Manual && after > b.forcedSize() {
		b.note = "at most " + strconv.Itoa(after) + " of " + strconv.Itoa(in.Counts.Total+b.limits.Freed) +
			" tokens are left, new summaries included: " + strconv.Itoa(b.stays(&s)) +
			" are not summarized (system prompt, tools, the first and the newest prompt, earlier summaries, the newest turns)"
	}
	if b.note != "" {
		s.Warnings = append([]msg.Warning{{Code: "target_raised", Message: b.note}}, s.Warnings...)
	}
	return s
}

// openRound returns the tokens of the open round.
func (b *bounds) openRound() (tokens int) {
	for m := msg.OpenRound(b.in.Conversation); m < len(b.size); m++ {
		tokens += b.size[m]
	}
	return tokens
}

// raiseTarget replaces a target that cannot be reached by the smallest useful one, so that nothing is destroyed for a
// target that is missed anyway. An open round over its share of the target, which stays whole, raises it by the rest.
func (b *bounds) raiseTarget() {
	total, immovable := b.in.Counts.Total, b.immovable(msg.OpenRound(b.in.Conversation))
	low := lowestTarget(immovable, total)
	if b.limits.Manual { // as few tokens as the host asks for
		low = immovable + min((total-immovable)*minRest/1000, minRestTokens)
	}
	if over := b.openRound() - b.target/maxOpenShare; over > 0 && b.hard > 0 { // it is soon over, what else leaves is lost
		low = max(low, min(b.target+over, b.hard-b.hard/10))
	}
	if b.hard > immovable { // of a conversation of many windows, a fifth is no target
		low = min(low, b.hard)
	}
	if b.target >= low {
		return
	}
	b.target = low
	b.note = "the target was raised to " + strconv.Itoa(low) + " tokens: " + strconv.Itoa(immovable) + " cannot be removed"
}
