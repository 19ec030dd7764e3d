package tokens

import "tamp/core/msg"

// Measured is what the API's own usage on the messages says of our counts.
type Measured struct {
	Points int `json:"points"` // calls whose usage was used
	Factor int `json:"factor"` // permille: the API's tokens of those that we count, for the same messages; 1000 where too few are known
	Hidden int `json:"hidden"` // tokens that every call carries and the conversation does not show: its system prompt and tools, mostly
	Total  int `json:"total"`  // by the API: the last call with its answer, and what came after it by the factor
}

const (
	// enough is how many tokens have to be compared before a factor is believed: a page of text.
	enough = 500
	// A factor beyond these is an accident of the log and says nothing about counting.
	leastFactor, mostFactor = 500, 2000
)

// Measure compares counts with the usage that the messages of c carry: from each call to the next, the prompt grew by the messages
// between. It returns nil where there is no usage, or where what it speaks of was compacted since. counts are those of c.
//
// Steps on which the prompt shrank say nothing. Of the others the weighted median of their ratios is taken first, and steps that are
// off by more than half or double do not count: messages that the log shows and the API never saw, or the reverse.
func Measure(c *msg.Conversation, counts Counts) *Measured {
	var track Track
	var steps []step
	m := Measured{Factor: 1000}
	before := counts.System + counts.Tools // tokens before the message, by our count
	first, last := point{}, point{}
	for i := range c.Messages {
		if track.Add(c.Messages[i : i+1]); track.Usage == nil {
			last = point{}
		} else if track.At == i {
			now := point{before, track.Usage.Prompt()}
			if m.Points++; m.Points == 1 {
				first = now
			}
			if s := (step{now.count - last.count, now.prompt - last.prompt}); last.prompt > 0 && s.count > 0 && s.prompt >= 0 {
				steps = append(steps, s)
			}
			last = now
		}
		before += counts.Messages[i].Tokens
	}
	if !track.Covers(last.count) {
		return nil
	}
	m.Factor = factorOf(steps)
	m.Hidden = max(0, first.prompt-scaleBy(first.count, m.Factor))
	after := 0
	for i := track.At + 1; i < len(c.Messages); i++ {
		after += counts.Messages[i].Tokens
	}
	m.Total = track.Usage.Prompt() + track.Usage.Output + scaleBy(after, m.Factor)
	return &m
}

// point is a call: the tokens of its prompt by our count and by the API's.
type point struct{ count, prompt int }

// step is the difference of two points.
type step point

func (s step) ratio() int { return int(int64(s.prompt) * 1000 / int64(s.count)) }

// factorOf is the API's tokens of ours over the steps that agree with most.
func factorOf(steps []step) int {
	var byRatio [4 * mostFactor]int // tokens of steps, since sorting ratios takes more code than counting them
	all, median := 0, 0
	for _, s := range steps {
		byRatio[min(s.ratio(), len(byRatio)-1)] += s.count
		all += s.count
	}
	for half := byRatio[0]; 2*half < all; half += byRatio[median] {
		median++
	}
	sum := point{}
	for _, s := range steps {
		if r := s.ratio(); 2*r >= median && r <= 2*median {
			sum.count += s.count
			sum.prompt += s.prompt
		}
	}
	if sum.count < enough {
		return 1000
	}
	factor := int((int64(sum.prompt)*1000 + int64(sum.count)/2) / int64(sum.count))
	return min(max(factor, leastFactor), mostFactor)
}
