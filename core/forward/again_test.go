package forward

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
)

// A call counts as read again if the request that it answers had the result of the call before with the same input no
// longer: by the bytes of each request.
func TestReadAgain(t *testing.T) {
	s := rounds(0, 0)
	s.list = s.list[:1]
	file := func(i int) int {
		switch {
		case i%7 == 6:
			return i - 1 // still there
		case i%5 == 4:
			return i / 2 // long ago
		}
		return i
	}
	for i := range 70 {
		text := strings.Repeat(fmt.Sprintf(`line %d of core/msg/raw.go\n`, i), 220)
		s.list = append(s.list,
			json.RawMessage(fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"call_%d","name":"read",`+
				`"input":{"path":"f%d.go"}}]}`, i, file(i))),
			json.RawMessage(fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_%d",`+
				`"content":"%s"}]}`, i, text)))
	}
	p := small(t, 40_000)
	var from *Checkpoint
	again, repeats := 0, 0
	newest := map[int]int{} // the last call that read a file
	for n := 1; n <= len(s.list); n += 2 {
		r := foldOf(t, s.body(t, n), s.format, Options{Policy: p, From: from})
		require.Equal(t, again, r.ReadAgain, "of %d messages", n)
		if n%16 == 1 {
			require.Equal(t, again, foldOf(t, s.body(t, n), s.format, Options{Policy: p}).ReadAgain, "without a checkpoint")
		}
		from = r.Checkpoint
		call := n / 2
		if was, ok := newest[file(call)]; ok {
			repeats++
			if !strings.Contains(string(r.Body), strings.Repeat(fmt.Sprintf(`line %d of core/msg/raw.go\n`, was), 220)) {
				again++
			}
		}
		newest[file(call)] = call
	}
	require.Positive(t, again)
	require.Greater(t, repeats, again+3)
}

// The calls of a history are read once, in however many compactions: 50 parts allocate at most half as much again as
// one, for the results of each part. If each part reads all messages before it, it is 25 times as much.
func TestRepeatsReadEachMessageOnce(t *testing.T) {
	s := rounds(200, 100)
	c, err := format.Parse(s.body(t, len(s.list)), s.format)
	require.NoError(t, err)
	history := c.Messages
	in := func(parts int) float64 {
		return testing.AllocsPerRun(1, func() {
			var r repeats
			for from := 0; from < len(history); from = r.next {
				r.count(nil, history[:min(from+len(history)/parts, len(history))], from)
			}
		})
	}
	require.Greater(t, in(1), 400.0)
	require.Less(t, in(50), 1.5*in(1))
}
