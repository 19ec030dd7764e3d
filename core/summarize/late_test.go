package summarize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// A summary of results names the tools of their calls, which are outside its span. Such names are counted one by one
// when they are looked up, and all that are left after maxLate of them; the summary is the same.
func TestNamesOutsideOfSpansAreCountedLate(t *testing.T) {
	for _, calls := range []int{1, 3 * maxLate} {
		var b strings.Builder
		for i := range calls {
			fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"server_tool_%d","input":{}}]},`+
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"OrderTable%d has %d rows\nOrderTable%d is full"}]}`,
				i, i, i, i, 4000+i, i)
		}
		c, err := format.Parse([]byte(`[{"role":"user","content":"Count the tables."}`+b.String()+`]`), "")
		require.NoError(t, err)
		var spans []msg.Span
		for m := 2; m < len(c.Messages); m += 2 {
			spans = append(spans, msg.Span{Start: m, End: m + 1})
		}
		var memory Memory
		x, all := memory.New(c, spans, nil), New(c, spans, nil)
		require.Less(t, len(x.atoms), len(all.atoms))
		for i := range spans {
			o := Options{MaxTokens: 60}
			require.Equal(t, all.Summarize(i, o), x.Summarize(i, o))
		}
		require.Equal(t, min(calls, maxLate+1), x.late)
		require.Equal(t, calls > maxLate, x.inSpans == nil)
	}
}
