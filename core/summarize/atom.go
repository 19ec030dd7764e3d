package summarize

// atom is one fact with its history.
type atom struct {
	text               string
	kind               FactKind
	user, failed       bool
	kept               bool   // it is outside of the spans
	spanned            bool   // a span has it
	old                bool   // an earlier summary in a span has it
	said, seen         uint16 // messages: written by the assistant, and all
	lastSaid, lastSeen int32  // turns: last written by the assistant, and last seen
	worth              int32  // see value, below
	message            int32  // the message that was counted last, so that a message counts once
	messageSaid        int32
}

// maxCounted is the limit of said and seen; the scales below do not distinguish numbers above nine.
const maxCounted = 1000

// The worth of an atom is the probability, in permille, that the agent uses it again in its next twenty messages.
//
// The weights are a logistic regression (hundredths of a logit, summed, then smoothed) over the sessions of even index
// in the corpus, cut at 35, 60 and 85 % of their text: which atoms before the cut were used after it. The sessions of
// odd index score the same, so the fit is not overfitted (core/quality/bench). An agent most often uses again the
// names that it wrote itself, recently and often; it rarely uses names that occur only in tool output. Number is 30
// more than the fit: whole lines are chosen, and with it they keep most names in context (make measures
// MEASURE=recall).

const bias = -300

var kindWeight = [kinds]int{Path: 35, Identifier: 75, Number: 0, Hash: -70, URL: 0}

// step is one row of a scale: a number up to max has this weight.
type step struct{ max, weight int }

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
	shortNumber = 55 // two digits: line counts, limits and timeouts, which agents repeat often
	failing     = 60 // occurred in a failed result
)

// logistic is 1000/(1+e^-x) for x from -7 to 3 in steps of 0.25.
var logistic = [...]int{1, 1, 2, 2, 2, 3, 4, 5, 7, 9, 11, 14, 18, 23, 29, 37, 47, 60, 76, 95, 119, 148, 182, 223, 269,
	321, 378, 438, 500,
	562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953}

// scale returns the weight of the first step that x fits in, or above.
func scale(steps []step, x, above int) int {
	for _, s := range steps {
		if x <= s.max {
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
