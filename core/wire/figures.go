package wire

import "tamp/core"

// Figures are what a host may log of an answer: numbers, and nothing of a conversation. 0 and -1 where there is none.
type Figures struct {
	Before, After int // tokens
	CacheHitRate  int // permille of the prompt; -1: not known
	CompactCount  int // compactions so far; -1: not known
}

// figuresOf reads the figures of an operation's result. It must know the types that the operations return: pointers.
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
	case core.Observed:
		f.CacheHitRate, f.CompactCount = v.Metrics.CacheHitRate, v.Metrics.CompactCount
	}
	return f
}
