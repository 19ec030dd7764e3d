package forward

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

var errSpent = errors.New("spent")

// limited folds with a limit on the work, and returns the work that it needed.
func limited(b *Body, p policy.Policy, from *Checkpoint, limit int) (r *Result, work int, err error) {
	r, err = b.Fold(Options{Policy: p, From: from, Spend: func(n int) error {
		if work += n; work > limit {
			return errSpent
		}
		return nil
	}})
	return r, work, err
}

// A fold that ends at a limit hands over its last compaction: folds that go on from there forward at last what one
// without a limit forwards.
func TestGoesOnAfterALimit(t *testing.T) {
	presets := []string{"balanced", "s06", "harness", "turns", "prune", "regions"}
	rapid.Check(t, func(t *rapid.T) {
		p, err := policy.Preset(rapid.SampledFrom(presets).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = rapid.SampledFrom([]int{8000, 20_000}).Draw(t, "window")
		s := rounds(rapid.IntRange(5, 40).Draw(t, "rounds"), 500)
		b, err := Read(s.body(t, len(s.list)), s.format)
		require.NoError(t, err)
		want, work, err := limited(b, p, nil, 1<<40)
		require.NoError(t, err)
		require.GreaterOrEqual(t, work, want.Before/2) // each message was counted
		limit := work * rapid.IntRange(30, 100).Draw(t, "percent") / 100
		var from *Checkpoint
		for tries := 0; ; tries++ {
			r, _, err := limited(b, p, from, limit)
			if err == nil {
				require.Equal(t, string(want.Body), string(r.Body))
				return
			}
			require.ErrorIs(t, err, errSpent)
			if r.Checkpoint == nil { // nothing was compacted within the limit
				return
			}
			if from != nil {
				require.Greater(t, r.Checkpoint.Messages, from.Messages)
			}
			from, err = DecodeCheckpoint(r.Checkpoint.Encode())
			require.NoError(t, err)
			require.Less(t, tries, len(s.list))
		}
	})
}

// The checkpoint at a limit is of the last compaction within it, and there is none if that was given.
func TestCheckpointAtALimit(t *testing.T) {
	s, p := rounds(40, 500), small(t, 8000)
	b, err := Read(s.body(t, len(s.list)), s.format)
	require.NoError(t, err)
	_, work, err := limited(b, p, nil, 1<<40)
	require.NoError(t, err)
	r, _, err := limited(b, p, nil, work*9/10)
	require.ErrorIs(t, err, errSpent)
	require.NotNil(t, r.Checkpoint)
	require.Equal(t, string(b.Data()), string(r.Body))
	again, _, err := limited(b, p, r.Checkpoint, 0)
	require.ErrorIs(t, err, errSpent)
	require.Nil(t, again.Checkpoint)
	none, _, err := limited(b, p, nil, 0)
	require.ErrorIs(t, err, errSpent)
	require.Nil(t, none.Checkpoint)
}

// The work of a policy that decides again at each call grows with calls times messages, and is counted as such.
func TestCountsTheWorkOfEachPlan(t *testing.T) {
	p, err := policy.Preset("s06")
	require.NoError(t, err)
	p.Trigger.Tokens = 1_000_000 // clears at each call, and never summarizes
	switches, err := policy.Preset("balanced")
	require.NoError(t, err)
	switches.Trigger.TaskSwitch = true // compares each prompt with all words before it
	of := func(p policy.Policy, s session) int {
		b, err := Read(s.body(t, len(s.list)), s.format)
		require.NoError(t, err)
		_, work, err := limited(b, p, nil, 1<<40)
		require.NoError(t, err)
		return work
	}
	require.Greater(t, of(switches, talk(100, 20)), 3*of(switches, talk(50, 20)))
	require.Greater(t, of(p, rounds(100, 100)), 3*of(p, rounds(50, 100))) // twice the calls
}

// A message counts its tokens and 16 for itself and each part; a policy that looks for another task reads all words
// before a prompt, too.
func TestWorkOfAMessage(t *testing.T) {
	s := session{format: msg.Anthropic, head: `{"model":"claude-opus-4-5","system":"Be careful with the files.",`}
	s.list = append(s.list, json.RawMessage(`{"role":"user","content":[{"type":"text","text":"`+strings.Repeat("word ", 400)+`"}]}`))
	b, err := Read(s.body(t, 1), s.format)
	require.NoError(t, err)
	p := small(t, 200_000)
	for _, switches := range []bool{false, true} {
		p.Trigger.TaskSwitch = switches
		var work []int
		_, err := b.Fold(Options{Policy: p, Count: tokens.Chars4, Spend: func(n int) error {
			work = append(work, n)
			return nil
		}})
		require.NoError(t, err)
		counts := tokens.NewMeter(tokens.Chars4, b.Conversation()).Conversation(b.Conversation())
		want := []int{counts.Messages[0].Tokens + 2*16}
		if switches {
			want = append(want, counts.Total/8)
		}
		require.Equal(t, want, work)
	}
}

// A history that the policy cannot compact is not planned again at every call: a later fold goes on behind the points
// at which nothing could be done.
func TestOverflowIsNotPlannedAgain(t *testing.T) {
	p, err := policy.Preset("clear_thinking")
	require.NoError(t, err)
	p.Trigger.Window = 4000
	s := session{format: msg.Anthropic, head: `{"model":"claude-opus-4-5","max_tokens":1000,`}
	add := func(role, text string) {
		s.list = append(s.list, json.RawMessage(fmt.Sprintf(`{"role":%q,"content":%q}`, role, text)))
	}
	add("user", strings.Repeat("- never do this\n", 2000))
	var from *Checkpoint
	first, last := 0, 0
	for i := range 40 {
		work := 0
		add("assistant", "done")
		add("user", fmt.Sprint("and part ", i))
		r := foldOf(t, s.body(t, len(s.list)), s.format, Options{Policy: p, From: from,
			Spend: func(n int) error { work += n; return nil }})
		if i == 1 {
			first = work
		}
		require.True(t, r.Overflow)
		require.False(t, r.Changed)
		require.NotNil(t, r.Passed)
		from, err = DecodeCheckpoint(r.Passed.Encode())
		require.NoError(t, err)
		require.Equal(t, len(s.list), from.At())
		last = work
	}
	require.Less(t, last, first*3/2, "each call costs one plan, not one for each call before it")
}
