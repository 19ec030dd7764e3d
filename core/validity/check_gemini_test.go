package validity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var geminiCases = []struct{ name, in, problems, repaired, why string }{
	{"valid", `u =hi a !1 !2 u ?1 ?2 a =x`, ``, ``, "nothing to report"},
	{"neighbors", `u =hi u =there a =x a =y`, ``, ``, "recorded requests have contents of one role next to each other"},
	{"the model first", `a =x u =hi`, `G1_order /0`, `u * a =x u =hi`, "the first content is the user's"},
	{"a call turn after a model turn", `u =hi a =x a !1 u ?1`, `G1_order /2`, `u =hi a =x !1 u ?1`,
		"the two contents become one"},
	{"a model turn after a call turn", `u =hi a !1 a =x u ?1`, `G1_order /2`, `u =hi a !1 =x u ?1`,
		"the responses come right after the call turn"},
	{"a call of the user", `u =hi !1`, `G1_order /0/content/1`, `u =hi`, "only the model calls"},
	{"no response", `u =hi a !1 !2 u ?1 =go`, `G2_count /1/content/1`, `u =hi a !1 !2 u ?1 ?2* =go`,
		"as many responses as calls"},
	{"two contents of responses", `u =hi a !1 !2 u ?1 u ?2`, ``, ``, "parallel responses may have contents of their own"},
	{"a prompt between responses", `u =hi a !1 !2 u ?1 u =so u ?2`, `G2_count /1/content/1, G2_count /4/content/0`,
		`u =hi a !1 !2 u ?1 ?2 u =so`, "it ends them"},
	{"an orphan", `u =hi ?1 a =x`, `G2_count /0/content/1`, `u =hi a =x`, "there is no call for it"},
	{"a second response", `u =hi a !1 u ?1 ?1`, `G2_count /2/content/1`, `u =hi a !1 u ?1`, "one for each call"},
	{"text before a response", `u =hi a !1 u "see" ?1`, ``, ``, "the order of the parts does not count"},
	{"waiting", `u =hi a !1`, `~G2_count /1/content/0`, ``, "the response may still come"},
	{"no parts", `u =hi a u =go`, `G4_empty /1`, `u =hi u =go`, "the content goes"},
	{"another role", `u =hi robot =x`, ``, ``, "a made message has no role of its own in the JSON"},
}

func TestCheckGemini(t *testing.T) {
	for _, row := range geminiCases {
		t.Run(row.name, func(t *testing.T) { try(t, msg.Gemini, row.in, row.problems, row.repaired, row.why) })
	}
}

// The first call of each step of the current turn has a signature: on Gemini 3, in the current turn only.
func TestSignatures(t *testing.T) {
	for _, row := range []struct {
		model, words string
		signed       []int // messages whose first call is signed
		problems     string
		why          string
	}{
		{"gemini-3-pro-preview", `u =hi a !1 !2 u ?1 ?2 a !3`, nil, "G3_signature /1/content/0, ~G2_count /3/content/0, G3_signature /3/content/0",
			"each step, its first call"},
		{"models/gemini-3.1-flash", `u =hi a !1 u ?1 a !3 u ?3`, []int{1}, "G3_signature /3/content/0", "a step lost its own"},
		{"gemini-3-pro", `u =hi a !1 u ?1 a =x u =go a !2 u ?2`, []int{5}, "", "an older turn is not checked"},
		{"gemini-2.5-pro", `u =hi a !1 u ?1`, nil, "", "older models do not check"},
		{"", `u =hi a !1 u ?1 a !2 u ?2`, []int{1}, "~G3_signature /3/content/0", "the model is not known: a warning"},
		{"", `u =hi a !1 u ?1`, nil, "", "no call has one"},
	} {
		c := convtest.FromWords(msg.Gemini, row.words)
		c.Model = row.model
		for _, m := range row.signed {
			c.Messages[m].Blocks[0].Raw = rawjson.Value(`{"functionCall":{"name":"run"},"thought_signature":"abc"}`)
		}
		require.Equal(t, row.problems, found(Check(c)), row.why)
		repaired, _ := Repair(c)
		require.True(t, Valid(Check(repaired)), row.why)
	}
}
