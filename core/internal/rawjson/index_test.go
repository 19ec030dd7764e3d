package rawjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// With an index, Members and Elements yield the same values as without one.
func TestIndexReadsLikeValue(t *testing.T) {
	var same func(t require.TestingT, x *rawjson.Index, r rawjson.Value)
	same = func(t require.TestingT, x *rawjson.Index, r rawjson.Value) {
		type pair struct{ key, value string }
		var want, got []pair
		for key, value := range r.Members() {
			want = append(want, pair{key, string(value)})
		}
		for key, value := range x.Members(r) {
			got = append(got, pair{key, string(value)})
			same(t, x, value)
		}
		require.Equal(t, want, got)
		var elements []string
		for _, value := range r.Elements() {
			elements = append(elements, string(value))
		}
		n := 0
		for i, value := range x.Elements(r) {
			require.Equal(t, n, i)
			require.Equal(t, elements[i], string(value))
			same(t, x, value)
			n++
		}
		require.Len(t, elements, n)
	}
	big := convtest.Big(50_000)
	x, err := msg.ValidateIndex(big)
	require.NoError(t, err)
	same(t, x, big)
	rapid.Check(t, func(t *rapid.T) {
		doc := convtest.Conversation(t, rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat}).Draw(t, "format"))
		x, err := msg.ValidateIndex(doc)
		require.NoError(t, err)
		same(t, x, doc)
		other := append([]byte(nil), doc...) // memory that x does not know
		same(t, x, other)
		same(t, x, rawjson.Value(doc).Clip())
		same(t, nil, doc)
	})
}

func TestNewIndexRefusesLikeCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := convtest.Conversation(t, msg.Anthropic)
		at := rapid.IntRange(0, len(doc)-1).Draw(t, "at")
		broken := append(append([]byte(nil), doc[:at]...), doc[at+1:]...)
		_, err := msg.ValidateIndex(broken)
		require.Equal(t, msg.Validate(broken), err)
	})
}
