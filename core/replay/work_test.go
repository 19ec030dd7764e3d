package replay

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// tiny is a session with the given number of calls and messages of one letter.
func tiny(t require.TestingT, calls int) *msg.Conversation {
	return parse(t, "["+strings.TrimSuffix(strings.Repeat(`{"role":"user","content":"a"},{"role":"assistant","content":"b"},`, calls), ",")+"]")
}

// The work of a session without compaction is the sum over its messages, so a limit always stops it at the same call:
// the first one whose prompt exceeds it.
func TestMaxWork(t *testing.T) {
	c := tiny(t, 100)
	work := 0
	_, err := Replay(c, policy.Policy{}, Options{None: true, Progress: func(done,
		of int) bool {
		work = of
		return true
	}})
	require.NoError(t, err)
	require.Equal(t, 100, work)
	w, err := newReplayer(c, policy.Policy{}, Options{None: true})
	require.NoError(t, err)
	require.NoError(t, w.begin(&w.segments[0]))
	limit := 0
	for n, m := range w.answers {
		w.advance(m)
		if n == 49 {
			limit = w.work
		}
	}
	require.Equal(t, w.whole.Total-w.meter.Conversation(c.WithMessages(nil)).Total+16*199, w.work,
		"each message counts once")

	_, err = Replay(c, policy.Policy{}, Options{None: true, MaxWork: w.work})
	require.NoError(t, err, "the limit itself is allowed")
	_, err = Replay(c, policy.Policy{}, Options{None: true, MaxWork: limit})
	var e *msg.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, msg.TooMuchWork, e.Code)
	require.Equal(t, "/101", e.Path, "the answer of call 51")
	require.Contains(t, e.Msg, strconv.Itoa(limit))
	_, err = At(c, policy.Policy{}, Options{None: true, MaxWork: limit}, 51)
	require.ErrorAs(t, err, &e)
	require.Equal(t, msg.TooMuchWork, e.Code)
	_, err = At(c, policy.Policy{}, Options{None: true, MaxWork: limit}, 50)
	require.NoError(t, err)
	_, err = Replay(c, policy.Policy{}, Options{MaxWork: -1})
	require.ErrorAs(t, err, &e)
	require.Equal(t, "/maxWork", e.Path)
}

// A policy that compacts before each call reads the whole conversation each time, so its work is quadratic in the
// calls; without compaction the work is linear.
func TestWorkOfPlansIsCounted(t *testing.T) {
	p, err := policy.Preset("harness")
	require.NoError(t, err)
	works := map[bool][2]int{}
	for _, none := range []bool{true, false} {
		var pair [2]int
		for i, calls := range []int{40, 80} {
			var b strings.Builder
			for n := range calls {
				id, text := strconv.Itoa(n), strings.Repeat("some output ", 60)
				b.WriteString(`,{"role":"assistant","content":[{"type":"tool_use","id":"t` + id + `","name":"Bash","input":{}}]},` +
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t` + id + `","content":"` + text + id + `"}]}`)
			}
			c := parse(t, `[{"role":"user","content":"go"}`+b.String()+`]`)
			w, err := newReplayer(c, p, Options{None: none})
			require.NoError(t, err)
			require.NoError(t, w.begin(&w.segments[0]))
			for n, m := range w.answers {
				require.NoError(t, w.call(n+1, m))
			}
			pair[i] = w.work
		}
		works[none] = pair
	}
	// Twice the calls: twice the work if linear, four times if quadratic; 3 is between.
	require.Less(t, works[true][1], 3*works[true][0])
	require.Greater(t, works[false][1], 3*works[false][0])
}

// A limit never changes a report: the result is the same report or an error.
func TestMaxWorkChangesNoReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{500, 2000}).Draw(t, "window")
		p.Trigger.BufferTokens, p.Trigger.ReserveOutput = min(p.Trigger.BufferTokens, 50), min(p.Trigger.ReserveOutput,
			100)
		want, err := Replay(c, p, Options{})
		require.NoError(t, err)
		have, err := Replay(c, p, Options{MaxWork: rapid.IntRange(1, 5000).Draw(t, "limit")})
		if err != nil {
			var e *msg.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, msg.TooMuchWork, e.Code)
			return
		}
		require.Equal(t, want, have)
	})
}

// Progress ends At as it ends Replay.
func TestProgressEndsAt(t *testing.T) {
	calls := 0
	_, err := At(tiny(t, 9), policy.Policy{}, Options{None: true, Progress: func(done,
		of int) bool {
		calls++
		return done < 3 && of == 8
	}}, 8)
	var e *msg.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "/call", e.Path)
	require.Equal(t, 4, calls)
}
