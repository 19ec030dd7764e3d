package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/wire"
)

// Two million messages are refused with a place; many broken ones give a short list, and all of them are repaired.
func TestLimitsOnTheWire(t *testing.T) {
	list := func(n int, message string) []byte {
		return []byte("[" + strings.Repeat(message+",", n-1) + message + "]")
	}
	large := 2_000_000
	if convtest.Fewer() { // the same steps
		large = 260_000
	}
	for _, message := range []string{`{"role":"user","content":""}`, `{"role":"user","content":[]}`} {
		for _, op := range convtest.InTurn([]string{"check", "repair", "detect", "plan"}) {
			out, rendered := handleBody(new(wire.Engine), op, []byte(`{"format":"anthropic","policy":{"preset":"balanced"}}`),
				list(large, message))
			require.Contains(t, string(out), `"code":"too_large","path":"/250000"`)
			require.Contains(t, string(out), "more than 250000 messages")
			require.Nil(t, rendered)
		}
	}
	for _, message := range []string{`{}`, `[]`} {
		out, _ := handleBody(new(wire.Engine), "check", []byte(`{}`), list(large, message))
		require.Contains(t, string(out), `"code":"unknown_format"`)
	}
	out, _ := handleBody(new(wire.Engine), "check", []byte(`{}`), list(20_000, `{"role":"user","content":""}`))
	require.Less(t, len(out), 1_000_000) // 1,000 problems are listed, each of less than 1 KB
	require.Contains(t, string(out), `"omitted":19000`)
	out, rendered := handleBody(new(wire.Engine), "repair", []byte(`{}`), list(20_000, `{"role":"user","content":""}`))
	require.Contains(t, string(out), `"omitted":19000,"left":[]`)
	require.Equal(t, `[{"role":"user","content":"[Conversation continues]"}]`, string(rendered))
	out, _ = handleBody(new(wire.Engine), "repair", []byte(`{}`),
		[]byte(`[{"role":"user","content":"hi"},{"role":"robot","content":"x"}]`))
	require.Contains(t, string(out), `"left":[{"rule":"A1_role","severity":"error","path":"/1"`)
	require.Contains(t, string(out), `"reason":"the role does not say whose message it is"`)
}
