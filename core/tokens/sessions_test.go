//go:build !js

package tokens_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/sessions"
	"tamp/core/tokens"
	"tamp/core/tokens/vocab"
)

// TestProfilesOnSessions compares the profiles with the API's counts of the same messages on real sessions: the total
// must be within 5 %. With -v it prints every session and the distribution of the steps.
func TestProfilesOnSessions(t *testing.T) {
	list, err := sessions.Read(convtest.NeedCorpus(t))
	require.NoError(t, err)
	require.NotEmpty(t, list)
	v, err := vocab.O200k()
	require.NoError(t, err)
	for _, counter := range []tokens.Counter{v.Counter(), tokens.Estimate} {
		var report strings.Builder
		total, real, within, steps, inRange := 0, 0, 0, 0, 0
		var off []int      // permille, of steps of some size
		var anchored []int // error in permille of the next prompt, estimated as the last prompt and our count of the step
		for i := range list {
			s := &list[i]
			m := tokens.NewMeter(counter, s.Conversation)
			scale := m.Profile.Scale(counter.Name())
			counted, api := 0, 0
			for _, step := range s.Steps {
				n := s.Count(m, step)
				counted, api = counted+n, api+step.Tokens
				if u := s.Conversation.Messages[step.Messages.Start].Usage; u.Prompt() > 0 {
					anchored = append(anchored, (n-step.Tokens)*1000/(u.Prompt()+step.Tokens))
				}
				if step.Tokens >= 200 {
					off = append(off, (n-step.Tokens)*1000/step.Tokens)
				}
			}
			total, real, steps = total+counted, real+api, steps+len(s.Steps)
			if e := permille(counted, api); -100 <= e && e <= 100 {
				within++
			}
			if counted*scale.Low <= api*1000 && api*1000 <= counted*scale.High {
				inRange++
			}
			own := "no usage of its own"
			if u := m.Count(s.Conversation).Usage; u != nil {
				own = fmt.Sprintf("%d calls, factor %d ‰, %d hidden", u.Points, u.Factor, u.Hidden)
			}
			fmt.Fprintf(&report, "%-55s %8d counted %8d by the API %+5d ‰   %s\n", s.Name, counted, api, permille(counted, api),
				own)
		}
		sort.Ints(off)
		sort.Ints(anchored)
		at := func(list []int, percent int) int { return list[len(list)*percent/100] }
		t.Logf("%s with its profile: %+d ‰ in all, %d of %d sessions within 100 ‰, %d in the range from low to high\n"+
			"%d steps; of those of 200 tokens and more, off by (‰) 5th percentile %+d, 25th %+d, median %+d, 75th %+d, 95th %+d\n"+
			"the next prompt, by the last usage and our count of the messages after it, is off by (‰) 1st percentile %+d, 5th %+d, median %+d, 95th %+d, 99th %+d\n%s",
			counter.Name(), permille(total, real), within, len(list), inRange, steps,
			at(off, 5), at(off, 25), at(off, 50), at(off, 75), at(off, 95),
			at(anchored, 1), at(anchored, 5), at(anchored, 50), at(anchored, 95), at(anchored, 99), &report)
		require.GreaterOrEqual(t, at(anchored, 5), -50, counter.Name())
		require.LessOrEqual(t, at(anchored, 95), 50, counter.Name())
		require.LessOrEqual(t, permille(total, real), 50, counter.Name())
		require.GreaterOrEqual(t, permille(total, real), -50, counter.Name())
		// Low and High are documented as the 10th and the 90th percentile, so 80 % of the sessions are within them.
		require.GreaterOrEqual(t, inRange*10, len(list)*8, "%s: sessions between low and high", counter.Name())
	}
}

func permille(counted, real int) int { return (counted - real) * 1000 / real }
