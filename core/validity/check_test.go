package validity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// rules writes problems as "rule path", with ~ before a warning and ! before a problem that is not repaired.
func found(problems []Problem) string {
	var out []string
	for _, p := range problems {
		mark := ""
		if p.Severity == SeverityWarning {
			mark = "~"
		} else if p.Repair == "" {
			mark = "!"
		}
		out = append(out, mark+string(p.Rule)+" "+p.Path)
	}
	return strings.Join(out, ", ")
}

// systemCases are of requests: a log of Claude Code has no message of this role.
var systemCases = []struct{ name, in, problems, repaired, why string }{
	{"a system message between", `u =hi a !1 s =rules u ?1 a =x`, `A18_system /2`, `u =hi a !1 u ?1 s =rules a =x`,
		"the next user message is still the next"},
	{"system messages in their places", `u =hi s =a s "b" a !1 u ?1 s =c a "x" $2 %2 s =d a =y u =go s =e`, ``, ``,
		"behind the user or a server's result, before the assistant or the end"},
	{"a system message behind the assistant", `u =hi a =x s =a s =b u =go u =more a =y`, `A18_system /2`,
		`u =hi a =x u =go u =more s =a s =b a =y`, "moved, in its order"},
	{"a system message before the user", `u =hi s =a s =b u =go a =y`, `A18_system /2`, `u =hi u =go s =a s =b a =y`,
		"the last of its neighbors is named, as the API does"},
	{"a system message between answers", `u =hi a =x a =y s =a a =z`, `A18_system /3`, `u =hi s =a a =x a =y a =z`,
		"no prompt is invented in the middle of a turn"},
	{"a system message at the end", `u =hi a =x s =a`, `A18_system /2`, `u =hi a =x u * s =a`, "it still is the end"},
	{"a system message behind an open call", `u =hi a !1 s =a`, `~A2_unanswered /1/content/0, ~A18_system /2`, ``,
		"the result may come before it"},
	{"no user message", `u =hi a !1 s =x a =y`, `A2_unanswered /1/content/0, A18_system /2`, `u =hi a !1 u ?1* s =x a =y`,
		"one is made for the result"},
	{"an image of the system", `u =hi s "a" img a =x`, `!A18_system /1/content/1`, ``, "there is no place for it"},
	{"a system message first", `s =hi u =x a !1 u ?1`, `A1_role /0`, `u =x s =hi a !1 u ?1`,
		"it is behind the user's then"},
}

var anthropicCases = []struct{ name, in, problems, repaired, why string }{
	{"a question", `u =hi`, ``, ``, "the smallest request"},
	{"a whole session", `u =hi a ~ "ok" !1 !2 u ?2 ?1 "go" a "done" u =more`, ``, ``,
		"results may come in any order, text after them"},
	{"neighbors of one role", `u =hi u ?x a !1 a !2 u ?1 u ?2 "go" a =x`, `A3_orphan /1/content/0`,
		`u =hi a !1 a !2 u ?1 u ?2 "go" a =x`,
		"the API merges neighbors, so a run answers a run"},
	{"unknown blocks", `u new a new !1 u ?1 new img`, ``, ``, "unknown blocks violate no rule"},
	{"a prefill that is empty", `u =hi a =`, ``, ``, "the optional final assistant message may be empty"},

	{"no messages", ``, `!A1_empty `, ``, "there is no message to repair"},
	{"an empty string", `u =hi a =x u = a =y`, `A1_empty /2`, `u =hi a =x a =y`, "neighbors are legal, so it can go"},
	{"an empty message", `u =hi a =x u a =y`, `A1_empty /2`, `u =hi a =x a =y`, "likewise without any block"},
	{"an empty text", `u =hi a "" !1 u ?1`, `A1_empty /1/content/0`, `u =hi a !1 u ?1`, "the rest of the message stays"},
	{"only empty texts", `u =hi a "" "" u =go`, `A1_empty /1/content/0, A1_empty /1/content/1`, `u =hi u =go`,
		"the last block takes its message along"},
	{"nothing but an empty message", `u =`, `A1_empty /0`, `u *`, "an empty list would be refused too"},

	{"the assistant first", `a =hi u =x`, `A1_role /0`, `u * a =hi u =x`, "inserting loses nothing, dropping would"},
	{"a compaction first", `a comp u =x`, ``, ``, "the one exception"},
	{"an unknown role", `u =hi robot =x a =y`, `!A1_role /1`, ``, "kept: we cannot know whose it is"},
	{"an unknown role between a pair", `u =hi a !1 robot =x u ?1`,
		`A2_unanswered /1/content/0, !A1_role /2, A3_orphan /3/content/0`,
		`u =hi a !1 u ?1 robot =x`, "only the pair is brought together"},
	{"a call of the user", `u =hi !1 a =x u ?1 "go"`, `A1_role /0/content/1, A3_orphan /2/content/0`, `u =hi a =x u "go"`,
		"only the assistant calls"},
	{"thinking of the user", `u "hi" ~ a =x`, `A1_role /0/content/1`, `u "hi" a =x`, "no provider takes it"},

	{"no result", `u =hi a !1 u =go`, `A2_unanswered /1/content/0`, `u =hi a !1 u ?1* =go`,
		"a prompt has followed, so nothing will come"},
	{"one result of two", `u =hi a !1 !2 u ?1 "go" a =x`, `A2_unanswered /1/content/1`, `u =hi a !1 !2 u ?1 ?2* "go" a =x`,
		"behind the results that are there"},
	{"aborted turns", `u =hi a !1 u =stop a !2 u =again`, `A2_unanswered /1/content/0, A2_unanswered /3/content/0`,
		`u =hi a !1 u ?1* =stop a !2 u ?2* =again`, "logs of agents that were interrupted look so"},
	{"a result too late", `u =hi a !1 u =go a =x u ?1 "more"`, `A2_unanswered /1/content/0, A3_orphan /4/content/0`,
		`u =hi a !1 u ?1 =go a =x u "more"`, "the real result is moved, not replaced"},
	{"waiting", `u =hi a !1 !2`, `~A2_unanswered /1/content/0, ~A2_unanswered /1/content/1`, ``,
		"C23: an open round is not broken, it is not done"},
	{"waiting for the second", `u =hi a !1 !2 u ?1`, `~A2_unanswered /1/content/1`, ``,
		"parallel calls end at different times"},

	{"an orphan", `u =hi a =x u ?1 "go"`, `A3_orphan /2/content/0`, `u =hi a =x u "go"`, "C3: a result survived its call"},
	{"nothing but an orphan", `u =hi a =x u ?1 a =y`, `A3_orphan /2/content/0`, `u =hi a =x a =y`,
		"C19: its message goes too"},
	{"an orphan first", `u ?1 a =x u =go`, `A3_orphan /0/content/0, A1_role /1`, `u * a =x u =go`,
		"C4: the tail of a cut, then the assistant is first"},
	{"a result before its call", `u ?1 "hi" a !1 u =go`, `A3_orphan /0/content/0, A2_unanswered /1/content/0`,
		`u "hi" a !1 u ?1* =go`, "results do not precede"},
	{"a result of the assistant", `u =hi a !1 ?1 u =go`, `A2_unanswered /1/content/0, A3_orphan /1/content/1`,
		`u =hi a !1 u ?1 =go`, "moved to where it belongs"},

	{"text before a result", `u =hi a !1 u "go" ?1`, `A4_order /2/content/1`, `u =hi a !1 u ?1 "go"`,
		"results come first"},
	{"text between results", `u =hi a !1 !2 u ?1 "go" ?2 img`, `A4_order /2/content/2`, `u =hi a !1 !2 u ?1 ?2 "go" img`,
		"only the late one moves"},
	{"text in the message before", `u =hi a !1 u =go u ?1 a =x`, `A4_order /3/content/0`, `u =hi a !1 u ?1 =go a =x`,
		"the two are one message to the API"},

	{"an id again", `u =hi a !1 u ?1 a !1 u ?1 a =x`, `A5_duplicate /3/content/0`, `u =hi a !1 u ?1 a !1_2 u ?1_2 a =x`,
		"C22: paired by occurrence, then renamed"},
	{"an id thrice", `u =hi a !1 !1 u ?1 ?1 a !1 !1_2 u ?1 ?1_2 a =x`,
		`A5_duplicate /1/content/1, A5_duplicate /3/content/0`, `u =hi a !1 !1_3 u ?1 ?1_3 a !1_4 !1_2 u ?1_4 ?1_2 a =x`,
		"never a name that is taken"},
	{"an id again that is waited for", `u =hi a !1 u ?1 a !1`, `A5_duplicate /1/content/0, ~A2_unanswered /3/content/0`,
		`u =hi a !1_2 u ?1_2 a !1`,
		"the host will answer the open call by the id it knows"},
	{"a second result", `u =hi a !1 u ?1 ?1 "go"`, `A5_duplicate /2/content/1`, `u =hi a !1 u ?1 "go"`,
		"each call has a single result"},
	{"a second result later", `u =hi a !1 u ?1 a =x u ?1`, `A3_orphan /4/content/0`, `u =hi a !1 u ?1 a =x`,
		"there it is an orphan"},

	{"a call without an id", `u =hi a ! u ? a =x`, `A6_id /1/content/0`, `u =hi a !call_1 u ?call_1 a =x`,
		"a call and a result without one go together"},
	{"two calls without an id", `u =hi a ! ! u ? ? a =x`, `A6_id /1/content/0, A6_id /1/content/1`,
		`u =hi a !call_1 !call_2 u ?call_1 ?call_2 a =x`, "in order"},
	{"a call without an id that is waited for", `u =hi a !call_1 u ?call_1 a !`,
		`A6_id /3/content/0, ~A2_unanswered /3/content/0`,
		`u =hi a !call_1 u ?call_1 a !call_2`, "the request would be refused"},
	{"a result without an id", `u =hi a !1 !2 u ?2 ? a =x`, `A6_id /2/content/1`, `u =hi a !1 !2 u ?2 ?1 a =x`,
		"by its place it answers the call that is left"},
	{"a result without an id too many", `u =hi a !1 u ?1 ? a =x`, `A3_orphan /2/content/1`, `u =hi a !1 u ?1 a =x`,
		"no call is left"},
	{"a second result without an id", `u =hi a ! u ? ? a =x`, `A6_id /1/content/0, A5_duplicate /2/content/1`,
		`u =hi a !call_1 u ?call_1 a =x`, "each call has one"},
	{"a result without an id far from its call", `u =hi a !1 u =go a =x u ? "y"`,
		`A2_unanswered /1/content/0, A3_orphan /4/content/0`,
		`u =hi a !1 u ?1* =go a =x u "y"`, "only its place would say which"},
	{"a server pair without an id", `u =hi a $ % "x" u =go`, `A6_id /1/content/0, A6_id /1/content/1`, `u =hi a "x" u =go`,
		"the provider made it, we cannot"},

	{"a result behind a compaction", `u =hi a !1 u comp ?1 a =x`, `A4_order /2/content/1`, `u =hi a !1 u ?1 u comp a =x`,
		"the compaction stays the first of its message"},
	{"no result before a compaction", `u =hi a !1 u comp a =x`, `A2_unanswered /1/content/0`,
		`u =hi a !1 u ?1* u comp a =x`, "likewise"},
	{"a result behind a server's", `u =hi a !1 u %9 ?1 a =x`, `A7_server_tool /2/content/0, A4_order /2/content/1`,
		`u =hi a !1 u ?1 a =x`, "a server's result is none of the user's"},
	{"a server pair", `u =hi a $1 %1 "x" u =go`, ``, ``, "both halves in one message"},
	{"a server pair over a tool round", `u =hi a $1 !2 u ?2 a %1 "x" u =go`, ``, ``,
		"code that calls tools ends after them"},
	{"half a server pair", `u =hi a $1 "x" u =go`, `A7_server_tool /1/content/0`, `u =hi a "x" u =go`, "C16"},
	{"the other half", `u =hi a %1 "x" u =go`, `A7_server_tool /1/content/0`, `u =hi a "x" u =go`, "C16"},
	{"a server result too late", `u =hi a $1 "x" u =go a %1 "y"`,
		`A7_server_tool /1/content/0, A7_server_tool /3/content/0`, `u =hi a "x" u =go a "y"`,
		"the turn was over"},
	{"a paused turn", `u =hi a $1 %1 $2`, `~A7_server_tool /1/content/2`, ``,
		"pause_turn: sent back as it is, the server goes on"},

	{"four breakpoints", `u "1" @5 "2" @5 "3" @5 "4" @5`, ``, ``, "the limit"},
	{"six breakpoints", `u "1" @5 "2" @5 "3" @5 a "4" @5 u "5" @5 "6" @5`, `A11_cache_control /0/content/0`,
		`u "1" "2" "3" @5 a "4" @5 u "5" @5 "6" @5`, "C18: the oldest go"},
	{"an hour after five minutes", `u "1" @60 "2" @5 a =x u "3" @60`, `A11_cache_control /2/content/0`,
		`u "1" @60 "2" @5 a =x u "3"`, "longer ones come first"},
	{"a breakpoint on thinking", `u =hi a ~ @5 "x" u =go`, `A11_cache_control /1/content/0`, `u =hi a ~ "x" u =go`,
		"the thinking itself stays"},
	{"six breakpoints, the first on thinking", `u =hi a ~ @5 "1" @5 "2" @5 "3" @5 "4" @5 "5" @5`,
		`A11_cache_control /1/content/0, A11_cache_control /1/content/1`, `u =hi a ~ "1" "2" @5 "3" @5 "4" @5 "5" @5`,
		"it counts once"},
	{"hours behind the oldest of five", `u "1" @5 "2" @60 "3" @60 a "4" @60 u "5" @60`, `A11_cache_control /0/content/0`,
		`u "1" "2" @60 "3" @60 a "4" @60 u "5" @60`, "with that one gone no hour is late"},
	{"five breakpoints, one of them on thinking", `u "1" @5 a ~ @5 "x" @5 u "2" @5 a "y" @5`,
		`A11_cache_control /1/content/0`,
		`u "1" @5 a ~ "x" @5 u "2" @5 a "y" @5`, "with that one gone the others are no more than four"},
	{"an hour after five minutes on thinking", `u =hi a ~ @5 "x" @60 u =go`, `A11_cache_control /1/content/0`,
		`u =hi a ~ "x" @60 u =go`,
		"with that one gone the hour comes first"},
	{"a breakpoint on an empty text", `u =hi a "" @5 "x" u =go`, `A1_empty /1/content/0, A11_cache_control /1/content/0`,
		`u =hi a "x" u =go`, "goes with its block"},

	{"a compaction", `u =hi a comp "x" u =go`, ``, ``, "first of its message"},
	{"a breakpoint on a compaction", `a comp @60 u "1" @5 "2" @5 "3" @5 "4" @5`, `A11_cache_control /0/content/0`,
		`a comp u "1" @5 "2" @5 "3" @5 "4" @5`,
		"the compaction is as it was without it"},
	{"a compaction in the middle", `u =hi a "x" comp u =go`, `!A12_compaction /1/content/1`, ``, "opaque to us: reported"},
	{"two compactions", `a comp "x" u =hi a comp u =go`, `!A12_compaction /2/content/0`, ``,
		"which one counts is not ours to say"},
}

var openAICases = []struct{ name, in, problems, repaired, why string }{
	{"a question", `u =hi`, ``, ``, "the smallest request"},
	{"a whole session", `s =rules d =more u =hi a = !1 !2 t ?2 t ?1 a =done u "x" img`, ``, ``,
		"results in any order; an empty string is content"},
	{"ids again in a later round", `u =hi a !1 t ?1 a !1 t ?1 a =x`, ``, ``, "servers that count their calls per answer"},
	{"the deprecated pair", `u =hi a !fn:fn f ?fn a =x`, ``, ``, "a pair like any other"},
	{"an empty result", `u =hi a !1 t ?1 u =`, ``, ``, "empty strings are content"},

	{"no messages", ``, `!O3_empty `, ``, "there is no message to repair"},
	{"no result", `u =hi a !1 u =go`, `O1_unanswered /1/content/0`, `u =hi a !1 t ?1* u =go`, "a prompt has followed"},
	{"one result of two", `u =hi a !1 !2 t ?2 a =x`, `O1_unanswered /1/content/0`, `u =hi a !1 !2 t ?2 t ?1* a =x`,
		"C17: behind those that are there"},
	{"no result of a function", `u =hi a !fn:fn u =go`, `O1_unanswered /1/content/0`, `u =hi a !fn:fn f ?fn* u =go`,
		"under its own role"},
	{"a result too late", `u =hi a !1 u =go t ?1 a =x`, `O1_unanswered /1/content/0, O2_orphan /3/content/0`,
		`u =hi a !1 t ?1 u =go a =x`, "moved up, not replaced"},
	{"waiting", `u =hi a !1 !2 t ?1`, `~O1_unanswered /1/content/1`, ``, "C23: an open round is not done"},
	{"an assistant message between", `u =hi a !1 a =x t ?1`, `O1_unanswered /1/content/0, O2_orphan /3/content/0`,
		`u =hi a !1 t ?1 a =x`, "neighbors are not merged here"},

	{"an orphan", `u =hi t ?1 a =x`, `O2_orphan /1/content/0`, `u =hi a =x`, "C3"},
	{"an orphan first", `t ?1 t ?2 a =x`, `O2_orphan /0/content/0, O2_orphan /1/content/0`, `a =x`,
		"C17: a cut through a batch"},
	{"nothing but an orphan", `t ?1`, `O2_orphan /0/content/0`, `u *`, "an empty list would be refused too"},
	{"a result without an id", `u =hi a !1 !2 t ?2 t ? a =x`, `O2_orphan /3/content/0`, `u =hi a !1 !2 t ?2 t ?1 a =x`,
		"by its place it answers the call that is left"},
	{"a result without an id too many", `u =hi a !1 t ?1 t ? a =x`, `O2_orphan /3/content/0`, `u =hi a !1 t ?1 a =x`,
		"no call is left"},
	{"a tool message without a result", `u =hi t a =x`, `O2_orphan /1`, `u =hi a =x`, "it answers nothing"},

	{"an empty assistant message", `u =hi a u =go`, `O3_empty /1`, `u =hi u =go`, "content: null"},
	{"only reasoning", `u =hi a ~ u =go`, `O3_empty /1`, `u =hi u =go`, "reasoning_content does not count as content"},
	{"an empty user message", `u =hi u a =x`, `O3_empty /1`, `u =hi a =x`, "an empty array of parts"},
	{"an unknown role", `u =hi robot =x a =y`, `!O4_role /1`, ``, "kept"},

	{"an id twice in a message", `u =hi a !1 !1 t ?1 t ?1 a =x`, `O5_duplicate /1/content/1`,
		`u =hi a !1 !1_2 t ?1 t ?1_2 a =x`, "paired in order, then renamed"},
	{"a call without an id", `u =hi a ! t ? a =x`, `O6_id /1/content/0`, `u =hi a !call_1 t ?call_1 a =x`,
		"a call and a result without one go together"},
	{"calls without ids", `u =hi a ! !2 ! t ?2 t ? a =x`,
		`O6_id /1/content/0, O6_id /1/content/2, O1_unanswered /1/content/2`,
		`u =hi a !call_1 !2 !call_2 t ?2 t ?call_1 t ?call_2* a =x`, "in order, and a missing result is added"},
	{"a second result", `u =hi a !1 t ?1 t ?1 a =x`, `O5_duplicate /3/content/0`, `u =hi a !1 t ?1 a =x`,
		"each call has one"},
}

func TestCheckAnthropic(t *testing.T) {
	for _, format := range []string{msg.Anthropic, msg.ClaudeCode} {
		for _, row := range anthropicCases {
			t.Run(format+"/"+row.name, func(t *testing.T) { try(t, format, row.in, row.problems, row.repaired, row.why) })
		}
	}
}

func TestCheckSystem(t *testing.T) {
	for _, row := range systemCases {
		t.Run(row.name, func(t *testing.T) { try(t, msg.Anthropic, row.in, row.problems, row.repaired, row.why) })
	}
}

func TestCheckOpenAI(t *testing.T) {
	for _, row := range openAICases {
		t.Run(row.name, func(t *testing.T) { try(t, msg.OpenAIChat, row.in, row.problems, row.repaired, row.why) })
	}
}

func try(t *testing.T, format, in, problems, repaired, why string) {
	t.Helper()
	c := convtest.FromWords(format, in)
	before := convtest.Words(c)
	got := Check(c)
	fixed, reports := Repair(c)
	require.Equal(t, before, convtest.Words(c), "the input is as it was")
	if repaired == "" {
		require.Equal(t, problems, found(got), why)
		require.Same(t, c, fixed, why)
		require.Empty(t, reports, why)
		return
	}
	require.Equal(t, repaired, convtest.Words(fixed), why)
	// The repaired problems are those of Check, followed by those that a first pass caused.
	all := got
	if len(reports) > len(got) {
		all = reports
	}
	require.Equal(t, problems, found(all), why)
	for _, p := range Check(fixed) {
		require.Empty(t, p.Repair, why)
	}
	again, none := Repair(fixed)
	require.Same(t, fixed, again, why)
	require.Empty(t, none, why)
}

func TestChangedThinking(t *testing.T) {
	c := convtest.FromWords(msg.Anthropic, `u =hi a ~ !1 u ?1`)
	c.Messages[1].Blocks[0] = c.Messages[1].Blocks[0].WithText("shorter")
	require.Equal(t, "!A9_thinking_open /1/content/0", found(Check(c)), "C2: the signature is of the old words")
	require.Equal(t, "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified",
		Check(c)[0].ProviderError)
	c = convtest.FromWords(msg.Anthropic, `u =hi a ~ @5 !1 u ?1`)
	repaired, _ := Repair(c)
	require.Empty(t, Check(repaired), "a breakpoint is not part of the thinking")
}

func TestProblemsSpeakTheProvidersWords(t *testing.T) {
	one := func(format, in string) Problem {
		problems := Check(convtest.FromWords(format, in))
		require.NotEmpty(t, problems)
		return problems[0]
	}
	require.Equal(t, "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1",
		one(msg.Anthropic, `u =hi a !toolu_1 u =go`).ProviderError)
	require.Equal(t, "unexpected `tool_use_id` found in `tool_result` blocks: toolu_9",
		one(msg.Anthropic, `u ?toolu_9 "hi"`).ProviderError)
	require.Equal(t, "`web_search` tool use with id srv_1 was found without a corresponding `web_search_tool_result` block",
		one(msg.Anthropic, `u =hi a $srv_1 "x" u =go`).ProviderError)
	require.Equal(t, "each tool_use must have a single result", one(msg.Anthropic, `u =hi a !1 u ?1 ?1`).ProviderError)
	require.Equal(t, "messages.1.content.1.tool_use.id: Field required",
		one(msg.Anthropic, `u =hi a "x" ! u ?`).ProviderError)
	require.Equal(t, "messages.2.content.0.tool_result.tool_use_id: Field required",
		one(msg.Anthropic, `u =hi a !1 u ?`).ProviderError)
	require.Equal(t, "messages.1.content.0.server_tool_use.id: Field required",
		one(msg.Anthropic, `u =hi a $ % "x"`).ProviderError)
	require.Equal(t, "Missing required parameter: 'messages[1].tool_calls[1].id'.",
		one(msg.OpenAIChat, `u =hi a "x" !1 ! t ?1 t ?`).ProviderError)
	require.Equal(t, "text content blocks must be non-empty", one(msg.Anthropic, `u "" "x"`).ProviderError)
	require.Equal(t, "compaction_block_misplaced", one(msg.Anthropic, `u =hi a "x" comp`).ProviderError)
	require.Equal(t, "compaction_block_ambiguous", one(msg.Anthropic, `a comp u =hi a comp`).ProviderError)
	changed := convtest.FromWords(msg.Anthropic, `a comp u =hi`)
	changed.Messages[0].Blocks[0] = changed.Messages[0].Blocks[0].WithText("shorter")
	require.Equal(t, "compaction_block_content_mismatch", Check(changed)[0].ProviderError)
	require.Equal(t, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
		one(msg.OpenAIChat, `u =hi t ?1`).ProviderError)
	p := one(msg.OpenAIChat, `u =hi a !call_1 u =go`)
	require.Contains(t, p.ProviderError, "did not have response messages: call_1")
	require.Equal(t, "The call call_1 (run) has no result behind it.", p.Message)
	long := strings.Repeat("号", 1000)
	require.Less(t, len(one(msg.Anthropic, `u =hi a !`+long+` u =go`).Message), 400, "an id of any length fits a sentence")
}

// What only an assistant message may have next to its content takes no other's place.
func TestContentOfOtherRoles(t *testing.T) {
	refusal := msg.Block{Kind: msg.KindText, Type: "refusal", Raw: rawjson.Value(`"no"`), Text: "no", Path: "/1/refusal"}
	audio := msg.Block{Kind: msg.KindOther, Type: "audio", Raw: rawjson.Value(`{"id":"a"}`), Path: "/1/audio"}
	call := msg.Block{Kind: msg.KindToolUse, Type: "function", Raw: rawjson.Value(`{"id":"1"}`), ID: "1", Name: "f",
		Path: "/1/tool_calls/0"}
	for _, block := range []msg.Block{refusal, audio, call} {
		for _, role := range []msg.Role{msg.System, msg.Developer, msg.User, msg.Assistant} {
			c := convtest.FromWords(msg.OpenAIChat, `u =hi u u =go`)
			c.Messages[1].Role, c.Messages[1].Blocks, c.Messages[1].Raw = role, []msg.Block{block},
				rawjson.Value(`{"content":null}`)
			repaired, problems := Repair(c)
			switch {
			case role != msg.Assistant:
				require.Equal(t, "O3_empty /1", found(problems), "%s next to a %s", role, block.Type)
				require.Equal(t, `u =hi u =go`, convtest.Words(repaired))
			case block.Kind == msg.KindToolUse:
				require.Equal(t, "O1_unanswered /1/tool_calls/0", found(problems))
			default:
				require.Empty(t, problems)
			}
		}
	}
	c := convtest.FromWords(msg.OpenAIChat, `u =hi s`)
	c.Messages[1].Blocks = []msg.Block{{Kind: msg.KindText, Type: "refusal",
		Raw: rawjson.Value(`{"type":"refusal","refusal":"no"}`), Text: "no"}}
	require.Empty(t, Check(c), "a part of the content is content")
}

func TestOtherFormatsHaveNoRules(t *testing.T) {
	require.Empty(t, Check(convtest.FromWords("none", `a !1 !1`)))
	require.True(t, Valid(Check(convtest.FromWords(msg.Anthropic, `u =hi a !1`))), "a warning leaves it valid")
	require.False(t, Valid(Check(convtest.FromWords(msg.Anthropic, `a =hi`))))
}
