package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/validity"
)

// converted returns a conversation as a request in another format, and the losses as "path: what -> became".
func converted(t *testing.T, document, from, to string) (string, []string) {
	c, err := format.Parse([]byte(document), from)
	require.NoError(t, err)
	made, losses, err := format.Convert(c, to)
	require.NoError(t, err)
	out, err := format.Render(made)
	require.NoError(t, err)
	again, err := format.Parse(out, to)
	require.NoError(t, err, string(out))
	require.True(t, validity.Valid(validity.Check(again)), "%s\n%v", out, validity.Check(again))
	var report []string
	for _, l := range losses {
		report = append(report, l.Path+": "+l.What+" -> "+l.Became)
	}
	return string(out), report
}

// A request that another API would refuse for its first message or its order is written as that API takes it.
func TestConvertWritesValidRequests(t *testing.T) {
	const compacted = `[{"role":"assistant","content":[{"type":"compaction","content":"All of it."}]},{"role":"user","content":"go"}]`
	const between = `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},` +
		`{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},` +
		`{"role":"assistant","content":"done"}]`
	const sealed = `[{"type":"compaction","id":"cmp_1","encrypted_content":"gAAAA"},{"type":"message","role":"user","content":"go"}]`
	const steered = `[{"role":"user","content":"go"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
		`{"type":"function_call","call_id":"d","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"d",` +
		`"output":"x"},{"role":"user","content":"faster"},{"type":"function_call_output","call_id":"c","output":"y"}]`
	long := "call_" + strings.Repeat("x", 40)
	for _, row := range []struct{ document, from, to, has, lacks, loss string }{
		{compacted, msg.Anthropic, msg.Gemini, `[{"role":"user","parts":[{"text":"All of it."}]}`, "", ""},
		{compacted, msg.Anthropic, msg.OpenAIChat, `[{"role":"user","content":[{"type":"text","text":"All of it."}]}`, "", ""},
		{sealed, msg.OpenAIResponses, msg.Anthropic, `"go"`, "gAAAA", "/0: summary -> dropped"},
		{between, msg.Anthropic, msg.OpenAIChat, `"x"},{"role":"system"`, "", "/3: the place of a result -> behind its call"},
		{between, msg.Anthropic, msg.AISDK, `{"role":"system","content":"Be brief."},{"role":"assistant"`, "",
			"/3: the place of a result -> behind its call"},
		{steered, msg.OpenAIResponses, msg.Anthropic, `"x"},{"type":"tool_result","tool_use_id":"c","content":"y"}]},{"role":"user"`, "",
			"/5: the place of a result -> behind its call"},
		{steered, msg.OpenAIResponses, msg.OpenAIChat, `"y"},{"role":"user","content":[{"type":"text","text":"faster"}]}]`, "",
			"/5: the place of a result -> behind its call"},
		{steered, msg.OpenAIResponses, msg.Gemini, `"faster"`, "", ""},
		{steered, msg.OpenAIResponses, msg.AISDK, `"faster"`, "", ""},
		{between, msg.Anthropic, msg.Gemini, `"Be brief."`, "", "/2: the role system -> a user message"},
		{between, msg.Anthropic, msg.OpenAIResponses, `"Be brief."`, "", ""},
		{`[{"role":"system","content":"s"},{"role":"assistant","content":"Hello."},{"role":"user","content":"go"}]`, msg.OpenAIChat,
			msg.Anthropic, `[Conversation continues]`, "",
			"/0: a first message of the assistant -> preceded by [Conversation continues]"},
		{`{"input":[{"type":"function_call_output","call_id":"c","output":"x"},{"role":"user","content":"go"}],` +
			`"previous_response_id":"r"}`, msg.OpenAIResponses, msg.Anthropic, `{"type":"text","text":"x"}`, "tool_result",
			"/input/0: a result without its call -> text"},
		{`[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a page"}}]}]`,
			msg.Anthropic, msg.Gemini, `{"text":"a page"}`, "", "/0/content/0: document -> text"},
		{`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"search_result","source":"s",` +
			`"title":"t","content":[{"type":"text","text":"a hit"}]}]}]}]`, msg.Anthropic, msg.OpenAIChat, "a hit", "",
			"/2/content/0/content/0: the document in a tool result -> text"},
		{`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"` + long +
			`","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + long +
			`","content":"x"}]}]`, msg.Anthropic, msg.OpenAIChat, `"tool_call_id":"call_made_1"`, long,
			"/1/content/0: the id -> call_made_1"},
	} {
		out, losses := converted(t, row.document, row.from, row.to)
		require.Contains(t, out, row.has, row.to)
		if row.lacks != "" {
			require.NotContains(t, out, row.lacks)
		}
		if row.loss != "" {
			require.Contains(t, losses, row.loss)
		}
	}
}

// A call that was interrupted gets the result that its agent sends for it; one at the end may still get its own.
func TestConvertInterruptedCalls(t *testing.T) {
	for name, row := range map[string]struct{ log, to, result, lacks string }{
		"opencode": {`{"info":{"id":"s"},"messages":[{"info":{"id":"1","role":"user"},"parts":[{"type":"text","text":"go"}]},` +
			`{"info":{"id":"2","role":"assistant"},"parts":[{"type":"tool","callID":"c","tool":"f","state":{"status":"running",` +
			`"input":{}}}]},{"info":{"id":"3","role":"user"},"parts":[{"type":"text","text":"on"}]}]}`, msg.Anthropic,
			`{"type":"tool_result","tool_use_id":"c","content":"[Tool execution was interrupted]","is_error":true}`, ""},
		"codex": {`{"timestamp":"x","type":"session_meta","payload":{"id":"s"}}` + "\n" +
			`{"timestamp":"x","type":"response_item","payload":{"type":"message","role":"user","content":[]}}` + "\n" +
			`{"timestamp":"x","type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"f","input":"x"}}` + "\n" +
			`{"timestamp":"x","type":"response_item","payload":{"type":"message","role":"user","content":[]}}` + "\n" +
			`{"timestamp":"x","type":"response_item","payload":{"type":"function_call","call_id":"d","name":"f","arguments":"{}"}}` + "\n",
			msg.OpenAIResponses, `{"type":"custom_tool_call_output","call_id":"c","output":"aborted"}`, `"call_id":"d","output"`},
		"pi": {`{"type":"session","version":3,"id":"s","cwd":"/"}` + "\n" +
			`{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"go"}}` + "\n" +
			`{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"toolCall","id":"c",` +
			`"name":"f","arguments":{}}]}}` + "\n" +
			`{"type":"message","id":"3","parentId":"2","message":{"role":"user","content":"on"}}` + "\n", msg.OpenAIChat,
			`{"role":"tool","tool_call_id":"c","content":"No result provided"}`, ""},
		"claude-code": {`{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"go"}}` + "\n" +
			`{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"tool_use",` +
			`"id":"c","name":"f","input":{}}]}}` + "\n" +
			`{"type":"user","uuid":"3","parentUuid":"2","message":{"role":"user","content":"on"}}` + "\n", msg.Anthropic,
			`"content":"[Tool result missing due to internal error]","is_error":true}`, ""},
	} {
		c, err := format.Parse([]byte(row.log), name)
		require.NoError(t, err)
		made, _, err := format.Convert(c, row.to)
		require.NoError(t, err)
		out, err := format.Render(made)
		require.NoError(t, err)
		require.Contains(t, string(out), row.result, name)
		require.Equal(t, 1, strings.Count(string(out), row.result))
		if row.lacks != "" {
			require.NotContains(t, string(out), row.lacks)
		}
		require.True(t, validity.Valid(validity.Check(made)), name)
	}
}

// The user's refusal of a call is its result, with the text that the SDK sends; useChat has answers without parts.
func TestUIMessagesOfApprovals(t *testing.T) {
	ui := func(part string) string {
		return `[{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"2","role":"assistant","parts":[` + part +
			`]},{"id":"3","role":"user","parts":[{"type":"text","text":"on"}]}]`
	}
	const denied = `{"type":"tool-f","toolCallId":"c","state":"output-denied","input":{},"approval":{"id":"a","approved":false`
	for part, text := range map[string]string{
		denied + `}}`:                    "Tool call execution denied.",
		denied + `,"reason":"too far"}}`: "too far",
	} {
		out, _ := converted(t, ui(part), "", msg.AISDK)
		require.Contains(t, out, `"output":{"type":"error-text","value":"`+text+`"}`)
		c, err := format.Parse([]byte(ui(part)), "")
		require.NoError(t, err)
		require.Empty(t, validity.Check(c))
		same, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, ui(part), string(same))
		c = c.WithMessages(c.Messages)
		c.Messages[2] = c.Messages[2].WithBlocks([]msg.Block{c.Messages[2].Blocks[0].WithText("[cleared]")})
		cleared, err := format.Render(c)
		require.NoError(t, err)
		require.Contains(t, string(cleared), `"state":"output-error"`)
		require.Contains(t, string(cleared), `"errorText":"[cleared]"`)
	}
	for _, name := range []string{"", msg.AISDKUI} {
		c, err := format.Parse([]byte(ui("")), name)
		require.NoError(t, err)
		require.Equal(t, msg.AISDKUI, c.Format)
		require.Empty(t, validity.Check(c))
	}
}

// An item that is only an id refers to one that the provider has.
func TestItemReferenceWithoutItsType(t *testing.T) {
	const body = `{"input":[{"id":"rs_1"},{"role":"user","content":"go"}],"store":false}`
	c, err := format.Parse([]byte(body), "")
	require.NoError(t, err)
	require.Equal(t, "item_reference", c.Messages[0].Blocks[0].Type)
	problems := validity.Check(c)
	require.Len(t, problems, 1)
	require.Equal(t, validity.R3Stored, problems[0].Rule)
	out, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, body, string(out))
}

// Assistant messages in a row are one turn for Anthropic, whose results may come in one message or in several. Every
// target gets a request that it takes.
func TestConvertCallsInMessagesOfTheirOwn(t *testing.T) {
	use := func(id string) string {
		return `{"role":"assistant","content":[{"type":"text","text":"` + id + `"},{"type":"tool_use","id":"` + id +
			`","name":"read","input":{}}]}`
	}
	results := func(ids ...string) string {
		var blocks []string
		for _, id := range ids {
			blocks = append(blocks, `{"type":"tool_result","tool_use_id":"`+id+`","content":"R"}`)
		}
		return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
	}
	const user, text = `{"role":"user","content":"go"}`, `{"role":"assistant","content":"hm"}`
	check := func(t require.TestingT, doc string) {
		c, err := format.Parse([]byte(doc), msg.Anthropic)
		require.NoError(t, err)
		if !validity.Valid(validity.Check(c)) {
			return
		}
		for _, to := range []string{msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK} {
			made, _, err := format.Convert(c, to)
			require.NoError(t, err)
			out, err := format.Render(made)
			require.NoError(t, err)
			again, err := format.Reparse(out, to)
			require.NoError(t, err)
			require.True(t, validity.Valid(validity.Check(again)), "%s\n%s: %v\n%s", doc, to, validity.Check(again), out)
		}
	}
	for _, list := range [][]string{
		{user, use("a"), use("b"), use("c"), results("a", "b", "c")},
		{user, use("a"), use("b"), use("c"), results("a", "b"), results("c"), text},
		{user, use("a"), use("b"), use("c"), results("c"), results("a", "b"), text},
		{user, use("a"), text, use("b"), results("b", "a"), text, user},
		{user, use("a"), use("b"), results("a", "b"), use("c"), use("d"), results("c", "d"), user},
		{user, text, use("a"), use("b"), results("a"), results("b"), user},
	} {
		check(t, "["+strings.Join(list, ",")+"]")
	}
	rapid.Check(t, func(t *rapid.T) {
		s := convtest.NewSession(convtest.Drawn(t), msg.Anthropic)
		var list []string
		for _, m := range s.Messages {
			message := rawjson.Value(m)
			blocks := message.Member("content").List()
			if message.Member("role").Text() != "assistant" || len(blocks) < 2 {
				list = append(list, m)
				continue
			}
			for _, b := range blocks {
				list = append(list, string(message.With("content", rawjson.Value("[]").WithElements([]rawjson.Value{b}))))
			}
		}
		check(t, "["+strings.Join(list, ",")+"]")
	})
}
