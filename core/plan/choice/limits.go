package choice

// Limits are the size of a conversation, and the limits that a compaction of it keeps to. Sizes are in the policy's
// measure, unless they are tokens of the plan's counter.
type Limits struct {
	Used    int  // the size now
	Target  int  // of the compaction; <= Used
	Goal    int  // target of the policy, which may be more than Used
	Hard    int  // hard limit: that of the policy, at most the window
	Next    int  // the lowest limit of summaries; 0 if there is none
	Manual  bool // the compaction is forced
	Over    bool // the conversation is over its hard limit
	MinGain int  // tokens that a compaction before the hard limit must free
	Window  int  // in tokens
	Most    int  // tokens of the plan's counter after the compaction; 0 = no limit
	Freed   int  // tokens of the plan's counter that shortened prompts free
}

// Convert converts a size from the policy's measure to tokens of the plan's counter, as a share of the whole: the two
// may differ. total is the size of the conversation in tokens. Without a measured size, n is returned.
func (l *Limits) Convert(n, total int) int { return InCounter(n, l.Used, total) }

// InCounter converts a limit to tokens of the plan's counter: used is the size in the limit's unit, total in tokens.
func InCounter(limit, used, total int) int {
	if used <= 0 {
		return limit
	}
	return int(int64(total) * int64(limit) / int64(used))
}
