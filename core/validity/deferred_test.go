package validity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/validity"
)

// A deferred tool that joins or goes changes no prompt: no cache is lost, and no thinking. It gets no breakpoint.
func TestDeferredTools(t *testing.T) {
	read := func(tools string) *msg.Conversation {
		c, err := format.Parse([]byte(`{"model":"claude-opus-5-5","tools":[{"name":"a","input_schema":{}}`+tools+
			`],"messages":[{"role":"user","content":"Hi."},`+
			`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},`+
			`{"type":"text","text":"Yes."}]},{"role":"user","content":"Go on."}]}`), "anthropic")
		require.NoError(t, err)
		return c
	}
	const deferred = `,{"name":"b","defer_loading":true,"input_schema":{}}`
	require.Empty(t, validity.CheckAppend(read(""), read(deferred)))
	require.Empty(t, validity.CheckAppend(read(deferred), read("")))
	require.NotEmpty(t, validity.CheckAppend(read(""), read(`,{"name":"b","input_schema":{}}`)))
	require.Equal(t, promptcache.FingerprintOf(read("")), promptcache.FingerprintOf(read(deferred)))
}
