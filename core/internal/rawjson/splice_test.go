package rawjson_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
)

type pair struct {
	key   string
	value string
}

func pairs(r rawjson.Value) (out []pair) {
	for k, v := range r.Members() {
		out = append(out, pair{k, string(v)})
	}
	return out
}

func drawObject(t *rapid.T) rawjson.Value {
	members := ""
	for i := range rapid.IntRange(0, 4).Draw(t, "members") {
		if i > 0 {
			members += ","
		}
		members += rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "gap") + drawKey(t) + " : " + drawJSON(t, 1)
	}
	return rawjson.Value("{" + members + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end") + "}")
}

// With changes the last member of the name, or adds one, and nothing else.
func TestWith(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := drawObject(t)
		before := string(object)
		name := rapid.SampledFrom([]string{"a", "__proto__", "new"}).Draw(t, "name")
		value := drawJSON(t, 1)
		got := object.With(name, rawjson.Value(value))
		require.Equal(t, before, string(object), "the input is not touched")
		require.True(t, json.Valid(got), "%s", got)
		want, at := pairs(object), -1
		for i := range want {
			if want[i].key == name {
				at = i
			}
		}
		if at < 0 {
			want = append(want, pair{name, value})
		} else {
			want[at].value = value
		}
		require.Equal(t, want, pairs(got))
		if at >= 0 {
			require.Equal(t, before, string(got.With(name, object.Member(name))), "and back again: the very bytes")
		}
	})
}

// Without takes out every member of the name and nothing else.
func TestWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := drawObject(t)
		name := rapid.SampledFrom([]string{"a", "b", "not there"}).Draw(t, "name")
		got := object.Without(name)
		require.True(t, json.Valid(got), "%s of %s", got, object)
		var want []pair
		for _, p := range pairs(object) {
			if p.key != name {
				want = append(want, p)
			}
		}
		require.Equal(t, want, pairs(got))
		if len(want) == len(pairs(object)) {
			require.Equal(t, string(object), string(got))
		}
	})
}

// WithElements holds the given elements byte for byte, and is the array itself where they are its own and evenly
// spaced.
func TestWithElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := rapid.SampledFrom([]string{"", " ", "\n  "}).Draw(t, "gap")
		tail := rapid.SampledFrom([]string{"", "\n"}).Draw(t, "tail")
		text, own := "[", []rawjson.Value(nil)
		for i := range rapid.IntRange(0, 4).Draw(t, "elements") {
			if i > 0 {
				text += ","
			}
			element := drawJSON(t, 1)
			text += gap + element
			own = append(own, rawjson.Value(element))
		}
		array := rawjson.Value(text + tail + "]")
		if len(own) > 0 {
			require.Equal(t, string(array), string(array.WithElements(own)))
		}
		other := append([]rawjson.Value{rawjson.Value(drawJSON(t, 1))}, own...)
		got := array.WithElements(other)
		require.True(t, json.Valid(got), "%s", got)
		n := 0
		for i, e := range got.Elements() {
			require.Equal(t, string(other[i]), string(e))
			n++
		}
		require.Len(t, other, n)
	})
}

func TestSpliceRows(t *testing.T) {
	require.Equal(t, `{"a":1}`, string(rawjson.Value(`{}`).With("a", rawjson.Value("1"))))
	require.Equal(t, `{}`, string(rawjson.Value(`{"a":1 }`).Without("a")))
	require.Equal(t, `{"a":1}`, string(rawjson.Value(`{"a":1,"b":2}`).Without("b")))
	require.Equal(t, `{"a":1,"a":3}`, string(rawjson.Value(`{"a":1,"a":2}`).With("a", rawjson.Value("3"))),
		"readers obey the last one")
	require.Equal(t, `["x"]`, string(rawjson.Value("null").WithElements([]rawjson.Value{rawjson.Value(`"x"`)})))
}
