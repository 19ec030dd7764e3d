package tokens

import "tamp/core/msg"

// Measured compares our counts with the API's own usage on the messages.
type Measured struct {
	Points int `json:"points"` // calls whose usage was compared
	// permille: the API's tokens ÷ ours for the same messages; 1000 if too few could be compared
	Factor int `json:"factor"`
	// tokens of every call that the conversation does not show: mostly its system prompt and tools
	Hidden int `json:"hidden"`
	// the API's tokens of the last call and its answer, plus our count of the later messages times the factor
	Total int `json:"total"`
}

const (
	// minSampleTokens is the number of tokens that must be compared for a factor: a page of text.
	minSampleTokens = 500
	// A factor outside this range, in permille, is an artifact of the log and is clamped.
	minFactor, maxFactor = 500, 2000
)

// Measure compares counts with the usage that the messages of c carry: from each call to the next, the prompt grew by
// the messages between. It returns nil if there is no usage, or if the messages that it covers were compacted later.
// counts are those of c.
//
// Steps on which the prompt shrank are ignored. Of the others the weighted median of the ratios is taken first. Steps
// whose ratio is under half or over twice the median are ignored too: the log shows messages that the API never
// received, or the reverse.
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

// Point is a call of a session: the tokens of its prompt by our count, without what the conversation does not show, and
// by the API.
type Point struct{ Count, Prompt int }

// Fit returns what converts our counts to those of the API over the calls of one session, in order: the factor in
// permille, as in Measured, and the tokens of a call that the conversation does not show (system prompt, tools,
// reminders), on average. No points give 1000 and 0.
func Fit(points []Point) (factor, hidden int) {
	var steps []step
	for i := 1; i < len(points); i++ {
		s := step{points[i].Count - points[i-1].Count, points[i].Prompt - points[i-1].Prompt}
		if s.count > 0 && s.prompt >= 0 {
			steps = append(steps, s)
		}
	}
	factor = factorOf(steps)
	for _, p := range points {
		hidden += p.Prompt - scaleBy(p.Count, factor)
	}
	return factor, max(hidden/max(len(points), 1), 0)
}

// point is a call: the tokens of its prompt by our count and by the API.
type point struct{ count, prompt int }

// step is the difference of two points.
type step point

func (s step) ratio() int { return int(int64(s.prompt) * 1000 / int64(s.count)) }

// factorOf returns the API's tokens ÷ ours, in permille, over the steps near the median.
func factorOf(steps []step) int {
	var byRatio [4 * maxFactor]int // our tokens of the steps with each ratio: a histogram takes less code than a sort
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
	if sum.count < minSampleTokens {
		return 1000
	}
	factor := int((int64(sum.prompt)*1000 + int64(sum.count)/2) / int64(sum.count))
	return min(max(factor, minFactor), maxFactor)
}
