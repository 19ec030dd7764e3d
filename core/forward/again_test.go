package forward

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
