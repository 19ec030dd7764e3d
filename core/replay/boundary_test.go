package replay

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/tokens"
)

// The breakpoint at the stable boundary, by hand. In every turn all results except the newest are cleared. The model is
// Opus 4.5: a token of input costs 5 millionths of a dollar, one that is written 6.25, one that is read 0.5, one of
// output 25. By chars4 a call of the tool t has 0 tokens, a placeholder ("[Previous: used t]") 4.
//
//	call 1: system 5,000 + prompt 1,000 = 6,000, all written: 37,500.
//	call 2: 6,000 + a result of 3,000 = 9,000. 6,000 are read, 3,000 written: 3,000 + 18,750 = 21,750. The boundary is
//	        the call before the result, at 6,000.
//	call 3: the first result is cleared: 6,000 + 4 + 3,000 = 9,004. The prefix up to the boundary is unchanged: 6,000 are
//	        read, 3,004 written: 3,000 + 18,775 = 21,775. The boundary moves to the second call, at 6,004.
//	call 4: 6,000 + 4 + 4 + 3,000 = 9,008. 6,004 are read, 3,004 written; an answer of 10: 3,002 + 18,775 + 250 = 22,027.
//
// Without the boundary calls 3 and 4 would read the system prompt alone: 5,000.
func TestStableBoundaryByHand(t *testing.T) {
	text := func(n int) string { return strings.Repeat("text", n) }
	round := func(id string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"t","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text(3000) + `"}]},`
	}
	c := parse(t, `{"model":"claude-opus-4-5","system":"`+text(5000)+`","messages":[{"role":"user","content":"`+text(1000)+
		`"},`+round("a")+round("b")+round("c")+`{"role":"assistant","content":"`+text(10)+`"}]}`)
	p := preset(t, "s06")
	p.Clear.KeepRecent, p.Trigger.Tokens, p.Summary.Strategy = 1, 0, "none"
	r, err := Replay(c, p, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, strings.Join([]string{
		"call idle  sent  read write input output   cost",
		"   1    0  6000     0  6000     0      0  37500",
		"   2    5  9000  6000  3000     0      0  21750",
		"   3    5  9004  6000  3004     0      0  21775",
		"   4    5  9008  6004  3004     0     10  22027",
		" all      33012 18004 15008     0     10 103052", "",
	}, "\n"), accountOf(r))
}
