package document

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// What Again reads is what Read reads, of valid documents and of damaged ones, whatever is known.
func TestAgainIsRead(t *testing.T) {
	elements := []string{`{"role":"user","content":"a"}`, `{"role":"user"}`, `{"content":[{"text":"]}\"\\"}]}`, `{}`, `[1]`,
		`"x"`, `{"long":"` + strings.Repeat("x", 200) + `"}`}
	members := []string{`"model":"m"`, `"system":[{"text":"s"}]`, `"messages":[{}]`, `"messages":7`, `"tools":[]`,
		`"mess\u0061ges":[]`}
	damage := []string{",", "]", "}", `"`, " ", "[", "\\", ":", "1"}
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom(elements), 0, 5).Draw(t, "elements")
		gap := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "gap")
		all := rapid.SliceOfN(rapid.SampledFrom(members), 0, 3).Draw(t, "members")
		at := rapid.IntRange(0, len(all)).Draw(t, "at")
		all = slices.Insert(all, at, `"messages"`+gap+":"+gap+"["+gap+strings.Join(list, gap+","+gap)+gap+"]")
		data := []byte(gap + "{" + gap + strings.Join(all, gap+","+gap) + gap + "}" + gap)
		if rapid.Bool().Draw(t, "damaged") {
			i := rapid.IntRange(0, len(data)-1).Draw(t, "place")
			removed := rapid.IntRange(0, 1).Draw(t, "removed")
			data = slices.Replace(data, i, i+removed, rapid.SampledFrom(damage).Draw(t, "new")[0])
		}
		known := []msg.Message{}
		for _, raw := range rapid.SliceOfN(rapid.SampledFrom(elements), 0, 5).Draw(t, "known") {
			known = append(known, msg.Message{Raw: rawjson.Value(raw)})
		}
		for i := range min(len(known), len(list), rapid.IntRange(0, 5).Draw(t, "same")) {
			known[i].Raw = rawjson.Value(list[i])
		}
		texts := 0
		d, err := Again(data, func(rawjson.Value) []msg.Message { return known }, func(text []byte) error {
			texts += len(text)
			return nil
		})
		require.NoError(t, err)
		if d == nil {
			return
		}
		require.LessOrEqual(t, texts, len(data)+len("[][],"))
		read++
		want, err := Open(data, "messages")
		require.NoError(t, err, "%s", data)
		require.Equal(t, want.Elements, d.Elements, "%s", data)
		for i := range d.Elements {
			_, isKnown := d.Before(i)
			require.Equal(t, i < len(known) && string(known[i].Raw) == string(d.Elements[i]), isKnown)
		}
		require.Equal(t, want.Path(1), d.Path(1))
		wantMembers, have := maps.Collect(want.Top.Members()), maps.Collect(d.Rest.Members())
		delete(wantMembers, "messages")
		delete(have, "messages")
		require.Equal(t, wantMembers, have)
		items := []Item{{Raw: rawjson.Value("{}"), Index: -1}}
		require.Equal(t, string(want.Render(want.Replace(items))), string(d.Render(d.Replace(items))))
		require.Equal(t, string(data), string(d.Render(d.List)))
	})
	require.Positive(t, read)
}
