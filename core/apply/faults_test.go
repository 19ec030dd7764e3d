package apply_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/policy"
)

// faults are answers that are no summaries, as clients, proxies and models return them.
var faults = map[string]func(q core.SummaryRequest) core.SummaryResult{
	"an error's text": said("API Error: Rate limit reached"),
	"an error's text with its body": said(
		`API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired."}}`),
	"an error's body":    said(`{"error":{"message":"Provider returned error","code":429}}`),
	"a list of errors":   said("```json\n[{\"error\":{\"code\":503,\"message\":\"The model is overloaded.\"}}]\n```"),
	"a page of a proxy":  said("<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>"),
	"XML":                said(`<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>`),
	"a refusal":          said("I'm sorry, but I can't help with that request."),
	"a refusal, Chinese": said("抱歉，我无法满足您的要求。"),
	"a question":         said("Sure! Please provide the conversation you would like me to summarize."),
	"nothing":            said(" \n"),
	"a short word":       said("undefined"),
	"a failed call":      func(core.SummaryRequest) core.SummaryResult { return core.SummaryResult{Err: "overloaded"} },
	"the question again": said("Summarize the conversation above."),
	"the request again":  func(q core.SummaryRequest) core.SummaryResult { return core.SummaryResult{Text: q.User} },
	"the beginning of it": func(q core.SummaryRequest) core.SummaryResult {
		return core.SummaryResult{Text: q.User[:min(len(q.User), 900)]}
	},
	"a refusal, Japanese": said("申し訳ありませんが、そのご要望にはお応えできません。"),
	"a refusal, Korean":   said("죄송하지만 그 요청은 도와드릴 수 없습니다."),
	"nothing to do":       said("There is no conversation to summarize."),
	"the request, quoted": func(q core.SummaryRequest) core.SummaryResult {
		return core.SummaryResult{Text: "> " + strings.ReplaceAll(q.User, "\n", "\n> ")}
	},
	"the request as JSON": func(q core.SummaryRequest) core.SummaryResult {
		return core.SummaryResult{Text: strconv.Quote(q.User)}
	},
	"the instructions": func(q core.SummaryRequest) core.SummaryResult { return core.SummaryResult{Text: q.System} },
}

func said(text string) func(core.SummaryRequest) core.SummaryResult {
	return func(core.SummaryRequest) core.SummaryResult { return core.SummaryResult{Text: text} }
}

// workOf is a session of an agent with many names, in a format. chat has hardly any.
func workOf(t *testing.T, name string, chat bool) *msg.Conversation {
	messages := []string{`{"role":"user","content":"Find the leak in pool.go. Never change the public API."}`}
	for i := range 40 {
		if chat {
			messages = append(messages,
				fmt.Sprintf(`{"role":"assistant","content":"%s"}`, strings.Repeat("The garden needs water every second morning. ", 20)),
				fmt.Sprintf(`{"role":"user","content":"And the roses behind chapter %d of the orchard?"}`, i))
			continue
		}
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"go test ./pkg_%d"}}]}`, i, i),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"FAIL pkg_%d.go 401 429 %s"}]}`, i, i,
				strings.Repeat(fmt.Sprintf("river_%d stone lamp ", i), 60)))
	}
	messages = append(messages, `{"role":"assistant","content":"Found."}`, `{"role":"user","content":"Go on."}`)
	return claudeSession(t, messages, name)
}

// claudeSession parses messages of Anthropic as a session of a Claude model, converted to a format.
func claudeSession(t *testing.T, messages []string, name string) *msg.Conversation {
	c := parse(t, `{"model":"claude-sonnet-5","messages":[`+strings.Join(messages, ",")+`]}`)
	if name != msg.Anthropic {
		var err error
		c, _, err = format.Convert(c, name)
		require.NoError(t, err)
	}
	return c
}

// An answer that is no summary is never believed, and never silent: with every preset and in every format of requests,
// the result is that of the summarizer without a model, with a warning.
func TestFailedSummariesAreReplacedAndNamed(t *testing.T) {
	summarized := map[string]int{}
	for _, preset := range policy.Names() {
		p, err := policy.Parse(preset, []byte(`{"trigger":{"window":8000}}`))
		require.NoError(t, err)
		if p.Summary.Strategy == "none" {
			continue
		}
		p.Trigger.Tokens = min(p.Trigger.Tokens, 4000)
		for _, name := range []string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK} {
			for _, chat := range []bool{false, true} {
				c := workOf(t, name, chat)
				plan, err := core.NewPlan(c, "", p, core.Env{})
				if isOverflow(err) || len(plan.Requests) == 0 {
					continue
				}
				own, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
				require.NoError(t, err)
				want, err := core.Apply(c, "", p, core.Env{}, plan, own)
				if isOverflow(err) {
					continue
				}
				require.NoError(t, err)
				require.Empty(t, want.Warnings, "the built-in summary is no failure")
				for why, fault := range faults {
					rs := make([]core.SummaryResult, len(plan.Requests))
					for i, q := range plan.Requests {
						rs[i] = fault(q)
						rs[i].ID = q.ID
					}
					out, err := core.Apply(c, "", p, core.Env{}, plan, rs)
					require.NoError(t, err)
					at := preset + ", " + name + ", " + strconv.FormatBool(chat) + ": " + why
					require.Equal(t, texts(want.Conversation.Messages), texts(out.Conversation.Messages), at)
					require.Len(t, out.Warnings, 1, at)
					require.Equal(t, "summary_failed", out.Warnings[0].Code)
					require.Len(t, out.Broken(), len(plan.Requests))
					require.NotContains(t, whole(t, out.Conversation), marker.TruncatedNote)
					summarized[preset]++
				}
			}
		}
	}
	require.Len(t, summarized, 8, "every preset with summaries: %v", summarized)
}

// Short answers of models that say something about the text are summaries, in any language.
func TestShortSummariesAreBelieved(t *testing.T) {
	for _, row := range []struct {
		chat bool
		text string
	}{
		{false, "All tests of pkg_3.go to pkg_30.go fail."},
		{false, "测试失败：pkg_12.go。"},
		{false, `{"summary":"go test ./pkg_7 fails","errors":["pkg_7.go"]}`},
		{true, "They talked about the garden: water each second morning, and roses in the orchard."},
		{true, strings.Repeat("Es ging um Pflanzen und darum, wie oft man sie giessen soll. ", 12)},
	} {
		p, err := policy.Parse("turns", []byte(`{"trigger":{"window":8000}}`))
		require.NoError(t, err)
		c := workOf(t, msg.Anthropic, row.chat)
		plan, err := core.NewPlan(c, "", p, core.Env{})
		require.NoError(t, err)
		require.Len(t, plan.Requests, 1)
		out, err := core.Apply(c, "", p, core.Env{}, plan, []core.SummaryResult{{ID: plan.Requests[0].ID, Text: row.text}})
		require.NoError(t, err)
		require.Empty(t, out.Warnings, row.text)
		require.Contains(t, strings.Join(texts(out.Conversation.Messages), ""), strings.TrimSpace(row.text))
	}
}

// Grammar of languages without spaces is no word of the text, and their nouns are.
func TestShortAnswersInEastAsianLanguages(t *testing.T) {
	for _, row := range []struct {
		said, refusal, summary string
	}{
		{"小屋の裏のバラは日光が必要です。堆肥を移したほうがいいでしょう。トマトの葉が濡れると病気になると言っています。りんごの木は剪定しません。ポンプが夜うるさいと客が文句を言います。柵があります。",
			"申し訳ありませんが、そのご要望にはお応えできません。", "相談：バラの日光、堆肥の移動、トマトの病気、ポンプの騒音。"},
		{"헛간 뒤의 장미는 햇빛이 더 필요합니다. 첫서리가 오기 전에 퇴비를 옮겨야 합니다. 토마토 잎이 저녁에 젖으면 병이 듭니다. 사과나무는 늦겨울에 가지를 치겠습니다. 흙은 물을 머금어서 나쁩니다. 울타리는 도움이 됩니다. 토끼는 올 수 없습니다.",
			"죄송하지만 그 요청은 도와드릴 수 없습니다.", "정원 대화: 장미 햇빛, 퇴비 옮기기, 토마토, 토끼 울타리."},
	} {
		messages := []string{}
		for range 20 {
			messages = append(messages, `{"role":"user","content":"`+row.said+`"}`, `{"role":"assistant","content":"`+
				strings.Repeat(row.said, 3)+`"}`)
		}
		c := claudeSession(t, append(messages, `{"role":"user","content":"?"}`), msg.Anthropic)
		p, err := policy.Parse("turns", []byte(`{"trigger":{"window":6000}}`))
		require.NoError(t, err)
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.Len(t, plan.Requests, 1)
		for text, broken := range map[string]int{row.refusal: 1, row.summary: 0} {
			out, err := core.Apply(c, "", p, core.Env{Force: true}, plan,
				[]core.SummaryResult{{ID: plan.Requests[0].ID, Text: text}})
			require.NoError(t, err)
			require.Len(t, out.Broken(), broken, text)
		}
	}
}

// A model that refuses a part gets the summary of that part replaced, and no other.
func TestOneOfSomeSummariesFails(t *testing.T) {
	p, err := policy.Parse("hierarchical", []byte(`{"trigger":{"window":8000}}`))
	require.NoError(t, err)
	c := workOf(t, msg.Anthropic, false)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Greater(t, len(plan.Requests), 2)
	rs := answerAll(plan, core.SummaryResult{Text: "They ran it."})
	rs[1].Text = "I'm sorry, but I can't help with that request."
	out, err := core.Apply(c, "", p, core.Env{}, plan, rs)
	require.NoError(t, err)
	require.Equal(t, []string{plan.Requests[1].ID}, out.Broken())
	all := whole(t, out.Conversation)
	require.Equal(t, len(plan.Requests)-1, strings.Count(all, "They ran it."))
	require.NotContains(t, all, "sorry")
	failed := slices.IndexFunc(out.Actions, func(a core.Action) bool { return a.Kind == "failed" })
	require.Equal(t, "the answer has none of the names of the text; the built-in summary is used instead", out.Actions[failed].Reason)
}
