package promptcache

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// A host that caches its tools alone has a breakpoint like any other: misses are reported, with the cause that is true
// for it, and the lifetime of the tool's entry counts.
func TestABreakpointOnAToolAlone(t *testing.T) {
	request := func(cache string) string {
		return `{"model":"claude-sonnet-4-5","tools":[{"name":"a","input_schema":{}` + cache +
			`}],"messages":[{"role":"user","content":"hi"}]}`
	}
	four := func(doc string) []string { return []string{doc, doc, doc, doc} }
	missed := msg.Usage{Input: 8000}

	warnings, _ := session(t, missed, 0, four(request(`,"cache_control":{"type":"ephemeral"}`))...)
	require.Len(t, warnings, 1)
	require.Equal(t, CodeShort, warnings[0].Code, "%s", warnings[0].Message)
	require.Contains(t, warnings[0].Message, "nothing was written")

	warnings, _ = session(t, wrote, 600, four(request(`,"cache_control":{"type":"ephemeral","ttl":"1h"}`))...)
	require.Len(t, warnings, 1)
	require.Equal(t, CodeMissed, warnings[0].Code, "ten minutes are within the hour: %s", warnings[0].Message)

	warnings, _ = session(t, missed, 0, four(request(``))...)
	require.Empty(t, warnings, "without a breakpoint no read is expected")
}
