package validity

import (
	"testing"

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
