package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// An export that ends anywhere in the middle has the messages that are whole, with a warning, and is written as it was;
// changed, it is written whole.
func TestCutExport(t *testing.T) {
	var all []string
	for i := range 4 {
		all = append(all, fmt.Sprintf(`{"info": {"id": "m%d", "role": "user", "time": {"created": 1}}, "parts": [`+
			`{"type": "text", "text": "} ] \" %d"}, {"type": "step-start"}]}`, i, i))
	}
	head := `{"info": {"id": "s", "summary": {"diffs": [{}]}}, "messages": [`
	whole := head + strings.Join(all, ",\n") + "]}\n"
	for end := len(head) + len(all[0]); end < len(whole)-len("]}\n"); end++ {
		text := whole[:end]
		c, err := format.Parse([]byte(text), "")
		require.NoError(t, err, text)
		require.Equal(t, msg.OpenCode, c.Format)
		want := strings.Count(text, "step-start\"}]}")
		require.Len(t, c.Messages, want, text)
		problems := validity.Check(c)
		require.Len(t, problems, 1)
		require.Equal(t, validity.L1Line, problems[0].Rule)
		require.Equal(t, fmt.Sprintf("/messages/%d", want), problems[0].Path)
		same, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, text, string(same))
		_, err = format.Parse([]byte(text), msg.OpenCode)
		require.NoError(t, err)
		if want > 1 {
			out, err := format.Render(c.WithMessages(c.Messages[1:]))
			require.NoError(t, err)
			back, err := format.Parse(out, "")
			require.NoError(t, err)
			require.Len(t, back.Messages, want-1)
			require.Empty(t, validity.Check(back))
		}
	}
	for _, text := range []string{whole[:len(head)+9], `{"messages": [{"role": "user", "content": "x"}, {"rol`} {
		_, err := format.Parse([]byte(text), "")
		require.ErrorContains(t, err, "cannot parse JSON", text)
	}
}
