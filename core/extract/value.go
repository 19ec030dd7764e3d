package extract

// What an atom is worth: how likely the agent uses it again in its next twenty messages, in permille.
//
// The weights are a logistic fit (hundredths of a logit, added up, then smoothed) over the sessions of even index in the corpus: what was
// used after cuts at 35, 60 and 85 % of the text, from all that stood before. The odd ones score the same, so
// it was learned and not memorized (core/quality, FutureUse). They say what one would expect: an agent goes on with what it
// itself wrote, lately and often; what only scrolled by in tool output is seldom used.

const bias = -300

var kindWeight = [kinds]int{Path: 35, Identifier: 75, Number: -30, Hash: -70, URL: 0}

// step is one row of a scale: at most so much gives this weight.
type step struct{ atMost, weight int }

var (
	saidAge   = []step{{3, 95}, {12, 40}, {25, 35}, {50, 20}, {120, 10}} // turns since the assistant last wrote it
	seenAge   = []step{{12, 100}, {25, -20}, {50, -25}, {120, -70}}
	saidCount = []step{{0, -80}, {1, -28}, {2, -8}, {4, -5}, {9, 80}} // messages in which the assistant wrote it
	seenCount = []step{{1, -55}, {2, 0}, {4, 45}, {9, 35}}
)

const (
	saidLongAgo = -70
	saidNever   = -80
	seenLongAgo = -110
	saidOften   = 135
	seenOften   = 35
	byUser      = 65
	shortNumber = 55 // two digits: line counts, limits, timeouts, which agents write again and again
	failing     = 60 // stood in an error line
)

// logistic is 1000/(1+e^-x) for x from -7 to 3 by quarters.
var logistic = [...]int{1, 1, 2, 2, 2, 3, 4, 5, 7, 9, 11, 14, 18, 23, 29, 37, 47, 60, 76, 95, 119, 148, 182, 223, 269, 321, 378, 438, 500,
	562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953}

func scale(steps []step, x, above int) int {
	for _, s := range steps {
		if x <= s.atMost {
			return s.weight
		}
	}
	return above
}

// value is the worth of a at the turn now.
func (a *atom) value(now int) int {
	w := bias + kindWeight[a.kind] + scale(seenAge, now-int(a.lastSeen), seenLongAgo) +
		scale(saidCount, int(a.said), saidOften) + scale(seenCount, int(a.seen), seenOften)
	if a.said > 0 {
		w += scale(saidAge, now-int(a.lastSaid), saidLongAgo)
	} else {
		w += saidNever
	}
	if a.user {
		w += byUser
	}
	if a.failed {
		w += failing
	}
	if a.kind == Number && len(a.text) == 2 {
		w += shortNumber
	}
	return logistic[min(max((w+700)/25, 0), len(logistic)-1)]
}
