package forward

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// same requires that the fold of a request that goes on from a Live is that of the request alone, and returns the Live
// for the next request. It reports whether the fold went on.
func same(t require.TestingT, data []byte, name string, o Options, live *Live) (next *Live, resumed bool) {
	b, err := Read(data, name)
	require.NoError(t, err)
	want, wantErr := b.Fold(o)
	b, err = ReadAfter(data, name, func([]byte) *Live { return live }, unlimited)
	require.NoError(t, err)
	walk := (*walk)(nil)
	if live != nil {
		walk = live.walk
	}
	have, err := b.Fold(o)
	if wantErr != nil {
		require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err))
		return b.TakeLive(), false
	}
	require.NoError(t, err)
	require.Equal(t, string(want.Body), string(have.Body))
	require.Equal(t, want, have)
	next = b.TakeLive()
	require.Nil(t, b.TakeLive())
	return next, walk != nil && next != nil && next.walk == walk
}

func unlimited(int) error { return nil }

// With what was kept of the request before, a fold has the same result: for conversations of every kind, also if the
// history branches, and if the request or the options change.
func TestLiveChangesNothing(t *testing.T) {
	convtest.SetCases(t, 100)
	steps := 12
	if convtest.Fewer() {
		steps = 5
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses}).Draw(t, "format")
		heads := []string{`{"model":"claude-opus-4-5","max_tokens":10,`, `{"model":"claude-opus-4-5","max_tokens":11,`,
			`{"model":"claude-opus-4-5","tools":[],`}
		s := sessionOf(t, name, heads[0], convtest.Conversation(t, name))
		other := sessionOf(t, name, "", convtest.Conversation(t, name)).list
		p := small(t, rapid.SampledFrom([]int{200, 500, 2000}).Draw(t, "window"))
		p.Trigger.BufferTokens, p.Clear.MinSavings = 10, p.Trigger.Window/10
		o := Options{Policy: p, Count: rapid.SampledFrom([]tokens.Counter{tokens.Chars4, nil}).Draw(t, "counter")}
		var live *Live
		for n := max(1, len(s.list)-steps); n <= len(s.list); n++ {
			switch rapid.IntRange(0, 9).Draw(t, "change") {
			case 0:
				s.head = rapid.SampledFrom(heads).Draw(t, "head")
			case 1:
				o.DropBlock, o.Clears = rapid.Bool().Draw(t, "drops"), rapid.Bool().Draw(t, "clears")
			case 2:
				live = nil
			case 3:
				if i := rapid.IntRange(0, n-1).Draw(t, "at"); i < len(other) { // another branch
					s.list[i] = other[i]
				}
			}
			b, err := Read(s.body(t, n), name)
			if err != nil {
				return
			}
			live, _ = same(t, b.Data(), name, o, live)
		}
	})
}

// Of a request that grows only the new messages are work; the error of the work ends it.
func TestLiveIsNoWork(t *testing.T) {
	s := rounds(60, 700)
	b, err := ReadAfter(s.body(t, 60), s.format, func([]byte) *Live { return nil }, unlimited)
	require.NoError(t, err)
	live, last := b.TakeLive(), s.body(t, 62)
	work, over := 0, errors.New("over")
	_, err = ReadAfter(last, s.format, func([]byte) *Live { return live }, func(n int) error { work += n; return nil })
	require.NoError(t, err)
	require.Less(t, 10*work, Work(last))
	_, err = ReadAfter(last, s.format, func([]byte) *Live { return live }, func(int) error { return over })
	require.Equal(t, over, err)
}

// A request that grows is not read again: the fold of each goes on, over several compactions.
func TestLiveGoesOn(t *testing.T) {
	for _, format := range []string{msg.Anthropic, msg.OpenAIChat} {
		s := rounds(60, 700)
		if format == msg.OpenAIChat {
			s = session{format: format, head: `{"model":"gpt-5.5",`}
			for i := range 60 {
				s.list = append(s.list, json.RawMessage(fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d",`+
					`"type":"function","function":{"name":"read","arguments":"{\"path\":\"f%d\"}"}}]}`, i, i)),
					json.RawMessage(fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":"%s"}`, i, strings.Repeat("a line. ", 350))))
			}
			s.list = append([]json.RawMessage{json.RawMessage(`{"role":"user","content":"Read all."}`)}, s.list...)
		}
		o, calls, compactions, went := Options{Policy: small(t, 20_000)}, 0, 0, 0
		var live *Live
		for n := 1; n < len(s.list); n += 2 {
			data := s.body(t, n)
			calls++
			var on bool
			if live, on = same(t, data, format, o, live); on {
				went++
			}
			if foldOf(t, data, format, o).Cause != "" {
				compactions++
			}
		}
		require.Equal(t, calls-1, went, format)
		require.Greater(t, compactions, 2, format)
	}
}

// What is kept does not hold the documents of the requests.
func TestLiveOwnsItsMemory(t *testing.T) {
	s := rounds(40, 1500)
	var live *Live
	var freed atomic.Int32
	for n := 1; n < len(s.list); n += 2 {
		data := bytes.Clone(s.body(t, n))
		runtime.SetFinalizer(&data[0], func(*byte) { freed.Add(1) })
		b, err := ReadAfter(data, s.format, func([]byte) *Live { return live }, unlimited)
		require.NoError(t, err)
		_, err = b.Fold(Options{Policy: small(t, 40_000)})
		require.NoError(t, err)
		live = b.TakeLive()
	}
	require.Eventually(t, func() bool {
		runtime.GC()
		return freed.Load() > 35 // of 41: not those of the last compaction and after
	}, time.Minute, time.Millisecond)
	require.Positive(t, live.Size())
	require.True(t, slices.ContainsFunc(live.messages, func(m msg.Message) bool { return len(m.Raw) > 5000 }))
}
