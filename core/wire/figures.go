package wire

import "tamp/core"

// Figures are the numbers of an answer that a host may log; they hold nothing of a conversation. 0 or -1: none.
type Figures struct {
	Before, After int // tokens
	CacheHitRate  int // permille of the prompt; -1: unknown
	CompactCount  int // compactions so far; -1: unknown
}

// figuresOf returns the figures of an answer: of the types that the operations return.
func figuresOf(value any) Figures {
	f := Figures{CacheHitRate: -1, CompactCount: -1}
	switch v := value.(type) {
	case *core.Plan:
		f.Before, f.After = v.Before, v.After
	case *core.Outcome:
		if v != nil {
			f.Before, f.After = v.Before, v.After
		}
	case *core.Report:
		f.Before, f.After = v.Before, v.After
	case *core.Observed:
		f.CacheHitRate, f.CompactCount = v.Metrics.CacheHitRate, v.Metrics.CompactCount
	}
	return f
}
