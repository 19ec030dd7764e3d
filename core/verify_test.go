package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

const verified = `{"model":"claude-opus-5-5","messages":[{"role":"user","content":"Look."},
 {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a listing"}]},
 {"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use","id":"2","name":"run","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"another listing"}]},
 {"role":"assistant","content":"Done."},{"role":"user","content":"Thanks."}]}`

func parseVerified(t *testing.T, model string) *msg.Conversation {
	c, err := format.Parse([]byte(verified), "")
	require.NoError(t, err)
	c.Model = model
	return c
}

// The check of the outcome can fail: each of these is an outcome that a mistake in a rewrite would leave.
func TestVerifyRefusesBrokenOutcomes(t *testing.T) {
	rows := []struct {
		why, model string
		rewrite    func(*rewrite)
		rule       msg.Rule // "": nothing is wrong
	}{
		{"nothing changed", "claude-opus-5-5", func(*rewrite) {}, ""},
		{"a result that went without its call", "", func(w *rewrite) { w.removed[2] = true }, msg.A2Unanswered},
		{"a call that went without its result", "", func(w *rewrite) { w.removed[3] = true }, msg.A3Orphan},
		{"a summary between a call and its result", "", func(w *rewrite) { w.insert[4] = []msg.Message{msg.TextMessage(msg.User, "[Compressed]\n\nx")} }, msg.A4Order},
		{"an empty summary", "", func(w *rewrite) { w.insert[5] = []msg.Message{msg.TextMessage(msg.User, "")} }, msg.A1Empty},
		{"a history that begins with the assistant", "", func(w *rewrite) { w.removed[0] = true }, msg.A1Role},
		{"a result changed before bound thinking", "claude-opus-5-5", func(w *rewrite) { w.inPlace[msg.Ref{Message: 2}] = "x" }, msg.A9ThinkingBound},
		{"the same on a model that binds nothing", "claude-opus-4-5", func(w *rewrite) { w.inPlace[msg.Ref{Message: 2}] = "x" }, ""},
		{"a result changed behind all thinking", "claude-opus-5-5", func(w *rewrite) { w.inPlace[msg.Ref{Message: 4}] = "x" }, ""},
		{"both halves of a pair that went", "", func(w *rewrite) { w.removed[1], w.removed[2] = true, true }, ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c := parseVerified(t, row.model)
			meter := tokens.NewMeter(nil, c)
			a := &applier{c: c, p: &Policy{}, plan: &Plan{Length: len(c.Messages)}, meter: meter, before: meter.Conversation(c), w: newRewrite(c, nil)}
			row.rewrite(a.w)
			out, err := a.outcome(memory{}, Env{})
			if row.rule == "" {
				require.NoError(t, err)
				require.NotNil(t, out)
				return
			}
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Nil(t, out)
			require.Equal(t, msg.InvalidOutcome, e.Code)
			require.Contains(t, e.Msg, string(row.rule))
		})
	}
}

// A conversation that was invalid before is not refused: what is wrong with it is not the outcome's doing.
func TestVerifyTakesInvalidInput(t *testing.T) {
	c := parseVerified(t, "claude-opus-5-5")
	broken := c.WithMessages(append(c.Messages[:2:2], c.Messages[3:]...)) // the first call has no result
	require.False(t, msg.Valid(msg.Check(broken)))
	w := newRewrite(broken, nil)
	w.removed[3] = true // and now the second has none either
	rule, err := verify(broken, w.conversation(true))
	require.Equal(t, msg.Rule(""), rule)
	require.NoError(t, err)
	_, err = verify(c, broken)
	require.Error(t, err)
}
