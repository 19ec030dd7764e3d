package validity

import (
	"testing"

	"tamp/core/msg"
)

// Calls and results in the messages of other roles, and blocks of the provider's own tools under the id of a client's
// call.
func TestCheckPairsByRole(t *testing.T) {
	for _, row := range []struct{ name, in, problems, repaired, why string }{
		{"a result in the assistant's next message", `u =hi a !1 u =go a ?1 "x" u =on`,
			`A2_unanswered /1/content/0, A3_orphan /3/content/0`,
			`u =hi a !1 u ?1 =go a "x" u =on`, "only the user's message right behind the call answers it"},
		{"a result of an unknown role", `u =hi a !1 robot ?1 u =go`, `A2_unanswered /1/content/0, !A1_role /2`,
			`u =hi a !1 u ?1* robot ?1 u =go`, "what an unknown role says answers nothing"},
		{"an empty text of an unknown role", `u =hi robot "" a =y`, `!A1_role /1`, ``, "kept as it is"},
		{"an empty message of an unknown role", `u =hi robot a =y`, `!A1_role /1`, ``, "likewise"},
		{"a server's pair under the id of a call", `u =hi a !1 $1 %1 u ?1 a =x`, ``, ``, "each kind has its own ids"},
	} {
		t.Run(row.name, func(t *testing.T) { try(t, msg.Anthropic, row.in, row.problems, row.repaired, row.why) })
	}
}

// Each repetition of an id gets the next number.
func TestCheckNumbersEachRepetition(t *testing.T) {
	try(t, msg.Anthropic, `u =hi a !1 u ?1 a !1 u ?1 a !1 u ?1 a !1 u ?1 a =x`,
		`A5_duplicate /3/content/0, A5_duplicate /5/content/0, A5_duplicate /7/content/0`,
		`u =hi a !1 u ?1 a !1_2 u ?1_2 a !1_3 u ?1_3 a !1_4 u ?1_4 a =x`, "in order")
}

// A second result of a call is an orphan if it is far from the call, and a result that is renamed is moved under its
// new id.
func TestCheckToolMessagesFarFromTheirCall(t *testing.T) {
	for _, row := range []struct{ name, in, problems, repaired, why string }{
		{"a second result later", `u =hi a !1 t ?1 u =go t ?1 a =x`, `O2_orphan /4/content/0`, `u =hi a !1 t ?1 u =go a =x`,
			"there it is an orphan"},
		{"a late result of a repeated id", `u =hi a !1 !1 t ?1 u =go t ?1 a =x`,
			`O5_duplicate /1/content/1, O1_unanswered /1/content/1, O2_orphan /4/content/0`,
			`u =hi a !1 !1_2 t ?1 t ?1_2 u =go a =x`,
			"renamed and moved"},
	} {
		t.Run(row.name, func(t *testing.T) { try(t, msg.OpenAIChat, row.in, row.problems, row.repaired, row.why) })
	}
}
