package validity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// Every rule with a text of its provider: a request that breaks it, the provider's words for that very request, and
// whether Repair leaves it valid. A row of Rules that is not here fails the test.
func TestEveryRuleHasItsText(t *testing.T) {
	const user, call = `{"role":"user","content":"go"}`, `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}`
	const calls = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const turn = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`
	const toolCall = `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}}]}`
	const done, hello = `{"role":"assistant","content":"done"}`, `{"role":"user","parts":[{"text":"go"}]}`
	result := func(id string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"x"}]}`
	}
	cached := `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`
	seen := map[Rule]bool{R1Orphan: true, R1Unanswered: true, R2Reasoning: true, R3Stored: true, R3Sealed: true,
		R4Compaction: true, R6Role: true, R7ID: true, R8Content: true, // TestResponsesRules
		R5Context: true, A9ThinkingOpen: true} // TestContextWindow, TestChangedThinking
	for _, row := range []struct {
		rule          Rule
		format, items string
		says          string
		repaired      bool
	}{
		{A1Empty, msg.Anthropic, user + `,{"role":"assistant","content":[]},` + user,
			"all messages must have non-empty content except for the optional final assistant message", true},
		{A1Empty, msg.Anthropic, `{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"x"}]}`,
			"text content blocks must be non-empty", true},
		{A2Unanswered, msg.Anthropic, user + "," + call + "," + user,
			"`tool_use` ids were found without `tool_result` blocks immediately after: t1", true},
		{A3Orphan, msg.Anthropic, user + "," + done + "," + result("t9"),
			"unexpected `tool_use_id` found in `tool_result` blocks: t9", true},
		{A5Duplicate, msg.Anthropic, user + "," + call + "," + result("t1") + "," + call + "," + result("t1"),
			"`tool_use` ids must be unique", true},
		{A5Duplicate, msg.Anthropic, user + "," + call + "," + result("t1") + "," + result("t1"),
			"each tool_use must have a single result", true},
		{A6ID, msg.Anthropic, user + "," + strings.Replace(call, "t1", "", 1) + "," + result(""),
			"messages.1.content.0.tool_use.id: Field required", true},
		{A7ServerTool, msg.Anthropic, user + `,{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_fetch",` +
			`"input":{}},{"type":"text","text":"x"}]},` + user,
			"`web_fetch` tool use with id s1 was found without a corresponding `web_fetch_tool_result` block", true},
		{A11Cache, msg.Anthropic, `{"role":"user","content":[` + strings.Repeat(cached+",", 4) + cached + `]}`,
			"A maximum of 4 blocks with cache_control may be provided. Found 5.", true},
		{A12Compaction, msg.Anthropic, user + `,{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"compaction","content":"s"}]}`,
			"compaction_block_misplaced", false},
		{A13MediaType, msg.Anthropic, `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/bmp",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]}`, "messages.0.content.0.image.source.base64.media_type: " +
			"Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'", true},
		{O1Unanswered, msg.OpenAIChat, user + "," + calls + "," + user, "An assistant message with 'tool_calls' must be followed by " +
			"tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c1", true},
		{O2Orphan, msg.OpenAIChat, user + `,{"role":"tool","tool_call_id":"c9","content":"x"}`,
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'", true},
		{O3Empty, msg.OpenAIChat, user + `,{"role":"assistant","content":null},` + user,
			"Invalid assistant message: content or tool_calls must be set", true},
		{O6ID, msg.OpenAIChat, user + "," + strings.Replace(calls, "c1", "", 1) + `,{"role":"tool","tool_call_id":"","content":"x"}`,
			"Missing required parameter: 'messages[1].tool_calls[0].id'.", true},
		{G1Order, msg.Gemini, turn + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}`,
			"Please ensure that function call turn comes immediately after a user turn or after a function response turn.", true},
		{G2Count, msg.Gemini, hello + "," + turn + "," + hello, "Please ensure that the number of function response parts is " +
			"equal to the number of function call parts of the function call turn.", true},
		{G3Signature, msg.Gemini, hello + "," + turn, "Function call is missing a thought_signature in functionCall parts. This " +
			"is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.", true},
		{G4Empty, msg.Gemini, hello + `,{"role":"model","parts":[]}`, "contents.parts must not be empty.", true},
		{G4Empty, msg.Gemini, hello + `,{"role":"model","parts":[{"thoughtSignature":"AA"}]}`, "* GenerateContentRequest." +
			"contents[1].parts[0].data: required oneof field 'data' must have one initialized field", true},
		{S1Unanswered, msg.AISDK, user + "," + toolCall + "," + user, "Tool result is missing for tool call c1.", true},
		{S3Schema, msg.AISDK, user + "," + strings.Replace(toolCall, "assistant", "user", 1),
			"Invalid prompt: The messages do not match the ModelMessage[] schema.", true},
	} {
		body := "[" + row.items + "]"
		if row.format == msg.Gemini {
			body = `{"model":"gemini-3-pro-preview","contents":` + body + `}`
		}
		c, err := format.Parse([]byte(body), row.format)
		require.NoError(t, err, row.rule)
		said := false
		for _, p := range Check(c) {
			said = said || p.Rule == row.rule && p.ProviderError == row.says
		}
		require.True(t, said, "%s: %v", row.rule, Check(c))
		repaired, done := RepairAll(c)
		require.Equal(t, row.repaired, Valid(done.Left), "%s: %v", row.rule, done.Left)
		for _, p := range done.Left {
			require.NotEmpty(t, p.Reason, row.rule)
		}
		if out, err := format.Render(repaired); row.repaired {
			require.NoError(t, err)
			again, err := format.Parse(out, row.format)
			require.NoError(t, err)
			require.True(t, Valid(Check(again)), "%s: %s", row.rule, out)
		}
		seen[row.rule] = true
	}
	for _, row := range memberRows {
		seen[row.rule] = true
	}
	seen[O11Alternation] = true // TestAlternation
	for _, r := range Rules {
		require.True(t, seen[r.Rule] || r.Error == "", "%s has a text, and no request that shows it", r.Rule)
	}
}
