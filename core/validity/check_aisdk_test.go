package validity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var aiSDKCases = []struct{ name, in, problems, repaired, why string }{
	{"valid", `s =x u =hi a !1 !2 u ?1 u ?2 a =x`, ``, ``, "results may be in several tool messages"},
	{"the assistant first", `a =x u =hi`, ``, ``, "any message may be the first"},
	{"an id of an earlier round", `u =hi a !1 u ?1 a !1 u ?1`, ``, ``, "ids may come again"},
	{"no result", `u =hi a !1 u =go`, `S1_unanswered /1/content/0`, `u =hi a !1 u ?1* =go`, "the SDK throws"},
	{"a result after the user", `u =hi a !1 u =go u ?1`, `S1_unanswered /3/content/0`, `u =hi a !1 u ?1 =go`,
		"the SDK throws at the user message"},
	{"a system message before the result", `u =hi a !1 s =x u ?1 a =x`,
		`S1_unanswered /1/content/0, S2_orphan /3/content/0`, `u =hi a !1 u ?1 s =x a =x`, "the SDK throws at the system message"},
	{"a system message instead of the result", `u =hi a !1 s =x`, `S1_unanswered /1/content/0`, `u =hi a !1 u ?1* s =x`,
		"no result can come behind it"},
	{"waiting", `u =hi a !1`, `~S1_unanswered /1/content/0`, ``, "the result may still come"},
	{"an orphan", `u =hi a =x u ?1`, `S2_orphan /2/content/0`, `u =hi a =x`, "the provider would refuse it"},
	{"a second result", `u =hi a !1 u ?1 ?1`, `S2_orphan /2/content/1`, `u =hi a !1 u ?1`, "one for each call"},
	{"a call of the user", `u =hi !1`, `S3_schema /0/content/1`, `u =hi`, "the schema has no such part there"},
	{"no content", `u =hi a`, `S3_schema /1`, `u =hi`, "the message goes"},
	{"a role", `u =hi robot =x`, `!S3_schema /1`, ``, "it does not say whose message it is"},
}

func TestCheckAISDK(t *testing.T) {
	for _, row := range aiSDKCases {
		t.Run(row.name, func(t *testing.T) { try(t, msg.AISDK, row.in, row.problems, row.repaired, row.why) })
	}
}

// A result in a message of role user, and a text in one of role tool, break the schema; written again they do not.
func TestPartsOfAToolMessage(t *testing.T) {
	for _, row := range []struct{ role, words string }{{"user", `u =hi a !1 u ?1`}, {"tool", `u =hi a !1 u ?1 "x"`}} {
		c := convtest.FromWords(msg.AISDK, row.words)
		c.Messages[2].Raw = rawjson.Value(`{"content":[]}`).With("role", rawjson.Quote(row.role))
		problems := Check(c)
		require.Equal(t, S3Schema, problems[0].Rule)
		require.Equal(t, "Invalid prompt: The messages do not match the ModelMessage[] schema.", problems[0].ProviderError)
		repaired, _ := Repair(c)
		require.Empty(t, Check(repaired))
	}
}

// A call without an id, and one with an empty id, which a provider refuses, get one of their own.
func TestCallsOfTheSDKHaveIDs(t *testing.T) {
	for _, id := range []string{``, `"toolCallId":"",`, `"toolCallId":null,`} {
		c, err := format.Parse([]byte(`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call",`+id+
			`"toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result",`+id+
			`"toolName":"f","output":{"type":"text","value":"x"}}]}]`), msg.AISDK)
		require.NoError(t, err)
		require.Equal(t, "S3_schema /1/content/0", found(Check(c)))
		repaired, _ := Repair(c)
		require.Empty(t, Check(repaired))
		require.Equal(t, "call_1", repaired.Messages[1].Blocks[0].ID)
		require.Equal(t, "call_1", repaired.Messages[2].Blocks[0].ID)
		_, err = format.Render(repaired)
		require.NoError(t, err)
	}
}

// A tool message may begin with the answer to a request for approval; the call still waits for its result.
func TestApprovals(t *testing.T) {
	const before = `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t1",
		"toolName":"rm","input":{}},{"type":"tool-approval-request","approvalId":"a1","toolCallId":"t1"}]},
		{"role":"tool","content":[{"type":"tool-approval-response","approvalId":"a1","approved":true}`
	for after, want := range map[string][]Severity{
		`]}]`: {SeverityWarning},
		`,{"type":"tool-result","toolCallId":"t1","toolName":"rm","output":{"type":"text","value":"x"}}]}]`: {},
		`]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","toolName":"rm",
			"output":{"type":"execution-denied"}}]}]`: {},
		`]},{"role":"user","content":"stop"}]`: {SeverityError},
	} {
		c, err := format.Parse([]byte(before+after), "")
		require.NoError(t, err)
		got := []Severity{}
		for _, p := range Check(c) {
			require.Equal(t, S1Unanswered, p.Rule)
			got = append(got, p.Severity)
		}
		require.Equal(t, want, got, after)
	}
}
