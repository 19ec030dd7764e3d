package validity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Each field of a block that the model sees is compared, in blocks that were changed since they were read too.
func TestCheckAppendComparesEachField(t *testing.T) {
	image := `{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`
	doc := `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[` + image + `,` + image + `]}]}]`
	rows := map[string]struct {
		message int
		change  func(b *msg.Block)
	}{
		"the id of a call":    {1, func(b *msg.Block) { *b = b.WithID("2") }},
		"the name of a call":  {1, func(b *msg.Block) { b.Name, b.Changed = "walk", msg.ChangedInput }},
		"the input of a call": {1, func(b *msg.Block) { *b = b.WithInput(`{"a":1}`) }},
		"a result that fails": {2, func(b *msg.Block) { b.IsError, b.Changed = true, msg.ChangedText }},
		"one image fewer":     {2, func(b *msg.Block) { b.Parts = b.Parts[:1] }},
		"another kind":        {2, func(b *msg.Block) { b.Kind, b.Changed = msg.KindText, msg.ChangedText }},
	}
	for why, row := range rows {
		prev, err := format.Parse([]byte(doc), "")
		require.NoError(t, err)
		next, err := format.Parse([]byte(doc), "")
		require.NoError(t, err)
		require.Empty(t, validity.CheckAppend(prev, next))
		row.change(next.At(msg.Ref{Message: row.message}))
		for _, pair := range [][2]*msg.Conversation{{prev, next}, {next, prev}} {
			problems := validity.CheckAppend(pair[0], pair[1])
			require.Len(t, problems, 1, why)
			require.Equal(t, msg.Ref{Message: row.message}, problems[0].Ref, why)
		}
	}
}

// A request without a model is for the model of the one before it.
func TestCheckAppendTakesTheModelOfTheRequestBefore(t *testing.T) {
	all := parseAll(t, msg.Anthropic, request(binding, "u1 a1 u2"), request("", "u9 a1 u2"), request("", "u1 a1 u2"))
	require.Equal(t, "append_only /messages/0/content/0, /messages/1/content/0",
		found(validity.CheckAppend(all[0], all[1])))
	require.Equal(t, "append_only /messages/0/content/0", found(validity.CheckAppend(all[2], all[1])), "neither names one")
}
