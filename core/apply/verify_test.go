package apply

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/view"
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
		rewrite    func(*view.Rewrite)
		rule       validity.Rule // "": nothing is wrong
	}{
		{"nothing changed", "claude-opus-5-5", func(*view.Rewrite) {}, ""},
		{"a result that went without its call", "", func(w *view.Rewrite) { w.Removed[2] = true }, validity.A2Unanswered},
		{"a call that went without its result", "", func(w *view.Rewrite) { w.Removed[3] = true }, validity.A3Orphan},
		{"a summary between a call and its result", "",
			func(w *view.Rewrite) { w.Insert[4] = []msg.Message{msg.TextMessage(msg.User, "[Compressed]\n\nx")} },
			validity.A4Order},
		{"an empty summary", "",
			func(w *view.Rewrite) { w.Insert[5] = []msg.Message{msg.TextMessage(msg.User, "")} }, validity.A1Empty},
		{"a history that begins with the assistant", "", func(w *view.Rewrite) { w.Removed[0] = true }, validity.A1Role},
		{"a result changed before bound thinking", "claude-opus-5-5",
			func(w *view.Rewrite) { w.InPlace[msg.Ref{Message: 2}] = "x" }, validity.A9ThinkingBound},
		{"the same on a model that binds nothing", "claude-opus-4-5",
			func(w *view.Rewrite) { w.InPlace[msg.Ref{Message: 2}] = "x" }, ""},
		{"a result changed behind all thinking", "claude-opus-5-5",
			func(w *view.Rewrite) { w.InPlace[msg.Ref{Message: 4}] = "x" }, ""},
		{"both halves of a pair that went", "", func(w *view.Rewrite) { w.Removed[1], w.Removed[2] = true, true }, ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c := parseVerified(t, row.model)
			meter := tokens.NewMeter(nil, c)
			p := &policy.Policy{}
			from := source{c: c, p: p, strategy: plan.StrategyOf(p), plan: &plan.Plan{Length: len(c.Messages)}, meter: meter,
				before: meter.Conversation(c)}
			a := &applier{answers: newAnswers(from, nil), w: view.NewRewrite(c, nil)}
			row.rewrite(a.w)
			out, err := a.outcome(&view.Record{}, &plan.Env{})
			if row.rule == "" {
				require.NoError(t, err)
				require.NotNil(t, out)
				return
			}
			var e *msg.Error
			require.ErrorAs(t, err, &e)
			require.Nil(t, out)
			require.Equal(t, msg.InvalidOutcome, e.Code)
			require.Contains(t, e.Msg, string(row.rule))
		})
	}
}

// A conversation that was invalid before is not refused: its faults are not those of the outcome.
func TestVerifyTakesInvalidInput(t *testing.T) {
	c := parseVerified(t, "claude-opus-5-5")
	broken := c.WithMessages(append(c.Messages[:2:2], c.Messages[3:]...)) // the first call has no result
	require.False(t, validity.Valid(validity.Check(broken)))
	w := view.NewRewrite(broken, nil)
	w.Removed[3] = true // and now the second has none either
	out := w.Write(true)
	rule, err := verify(broken, out, w.Origin, "")
	require.Equal(t, validity.Rule(""), rule)
	require.NoError(t, err)
	w = view.NewRewrite(c, nil)
	w.Removed[2] = true
	out = w.Write(true)
	_, err = verify(c, out, w.Origin, "")
	require.Error(t, err)
}

// An invalid conversation can have more problems than a list of validity.Check holds. Both sides are compared by all
// their errors: a rule that was broken before is no reason to decline a change, and a rule that only the outcome breaks
// is one.
func TestVerifyReadsAllErrors(t *testing.T) {
	n := validity.MaxProblems
	messages := []msg.Message{msg.TextMessage(msg.User, "Go.")}
	for range 2 * n {
		messages = append(messages, msg.TextMessage(msg.User, ""), msg.TextMessage(msg.Assistant, "Done."))
	}
	call := msg.Message{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindToolUse, Type: "tool_use", ID: "1",
		Name: "run", Text: "{}"}}}
	prompt := msg.TextMessage(msg.User, "Next.")
	empty := &msg.Conversation{Format: msg.Anthropic, Messages: append(messages, prompt)}
	late := empty.WithMessages(append(messages[:len(messages):len(messages)], prompt, call, prompt))

	w := view.NewRewrite(late, nil)
	for m := 1; m < len(messages); m++ {
		w.Removed[m] = true
	}
	rule, err := verify(late, w.Write(true), w.Origin, "")
	require.NoError(t, err)
	require.Equal(t, validity.Rule(""), rule, "the unanswered call was there before")
	w = view.NewRewrite(empty, nil)
	w.Insert[len(empty.Messages)] = []msg.Message{call, prompt}
	rule, err = verify(empty, w.Write(true), w.Origin, "")
	require.NoError(t, err)
	require.Equal(t, validity.A2Unanswered, rule)
}
