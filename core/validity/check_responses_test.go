package validity

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

const (
	userItem    = `{"role":"user","content":"go"}`
	callItem    = `{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"}`
	outputItem  = `{"type":"function_call_output","call_id":"c1","output":"x"}`
	answerItem  = `{"role":"assistant","content":"done"}`
	messageItem = `{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"x"},` +
		`{"type":"output_text","text":"z"}]}`
	programItems = `{"type":"program","id":"pr_1","call_id":"p1","code":"f()","fingerprint":"AA"},` +
		`{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}",` +
		`"caller":{"type":"program","caller_id":"p1"}},` + outputItem
	programOutput = `{"type":"program_output","id":"po_1","call_id":"p1","result":"7","status":"completed"}`
	reasoningItem = `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"AA"}`
)

var responsesCases = []struct {
	name, items string
	rule        Rule
	says, left  string // the provider's words; the items after Repair, "" if it leaves them
}{
	{"an output without a call", userItem + "," + outputItem, R1Orphan,
		"No tool call found for function call output with call_id c1.", userItem},
	{"an output before its call", userItem + "," + outputItem + "," + callItem, R1Orphan,
		"No tool call found for function call output with call_id c1.", userItem + "," + callItem},
	{"an output without an id", userItem + `,{"type":"function_call_output","call_id":"","output":"x"}`, R1Orphan,
		"No tool call found for function call output with call_id .", userItem},
	{"a second output", userItem + "," + callItem + "," + outputItem + "," + outputItem, R1Orphan,
		"No tool call found for function call output with call_id c1.", userItem + "," + callItem + "," + outputItem},
	{"a call without an output", userItem + "," + callItem + "," + userItem + "," + answerItem, R1Unanswered,
		"No tool output found for function call c1.", userItem + "," + callItem +
			`,{"type":"function_call_output","call_id":"c1","output":"[No result was recorded for this call]"},` +
			userItem + "," + answerItem},
	{"a patch without an output", userItem + `,{"type":"apply_patch_call","call_id":"c1","operation":{}},` + userItem +
		"," + answerItem, R1Unanswered, "No tool output found for function call c1.",
		userItem + `,{"type":"apply_patch_call","call_id":"c1","operation":{}},` +
			`{"type":"apply_patch_call_output","status":"failed","call_id":"c1",` +
			`"output":"[No result was recorded for this call]"},` + userItem + "," + answerItem},
	{"a screenshot that was never taken", userItem + `,{"type":"computer_call","call_id":"c1","action":{}},` + userItem +
		"," + answerItem, R1Unanswered, "No tool output found for function call c1.", ""},
	{"reasoning without what it produced", userItem + "," + reasoningItem + "," + userItem, R2Reasoning,
		"Item 'rs_1' of type 'reasoning' was provided without its required following item.", userItem + "," + userItem},
	{"reasoning before an output", userItem + "," + callItem + "," + reasoningItem + "," + outputItem, R2Reasoning,
		"Item 'rs_1' of type 'reasoning' was provided without its required following item.",
		userItem + "," + callItem + "," + outputItem},
	{"a reference to an item that is not stored", userItem + `,{"type":"item_reference","id":"msg_1"}`, R3Stored,
		"Item with id 'msg_1' not found. Items are not persisted when store is set to false.", userItem},
	{"reasoning that is not stored", userItem + `,{"type":"reasoning","id":"rs_1","summary":[]},` + callItem + "," +
		outputItem, R3Stored, "Item with id 'rs_1' not found. Items are not persisted when store is set to false.",
		userItem + "," + callItem + "," + outputItem},
	{"an item twice", userItem + "," + reasoningItem + "," + callItem + "," + outputItem + "," + reasoningItem +
		`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}`, R3Sealed,
		"Duplicate item found with id rs_1. Remove duplicate items from your input and try again.",
		userItem + "," + reasoningItem + "," + callItem + "," + outputItem +
			`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}`},
	{"a message twice", userItem + "," + messageItem + "," + userItem + "," + messageItem, R3Sealed,
		"Duplicate item found with id msg_1. Remove duplicate items from your input and try again.",
		userItem + "," + messageItem + "," + userItem},
	{"a message twice in one response",
		userItem + "," + messageItem + "," + messageItem + "," + callItem + "," + outputItem, R3Sealed, "Duplicate item found with id msg_1. Remove duplicate items from your input and try again.",
		userItem + "," + messageItem + "," + callItem + "," + outputItem},
	{"two messages with one id", userItem + "," + messageItem + "," + strings.Replace(messageItem, "x", "y", 1), R3Sealed,
		"Duplicate item found with id msg_1. Remove duplicate items from your input and try again.", ""},
	{"a compaction of another service", `{"type":"context_compaction","id":"cmp_1","encrypted_content":"AA"},` + userItem,
		R4Compaction, "Invalid value: 'context_compaction'. Supported values are: 'compaction' and others", ""},
	{"a compaction under its older name", `{"type":"compaction_summary","id":"cmp_1","encrypted_content":"AA"},` + userItem,
		R4Compaction, "Invalid value: 'compaction_summary'. Supported values are: 'compaction' and others",
		`{"type":"compaction","id":"cmp_1","encrypted_content":"AA"},` + userItem},
	{"a compaction", `{"type":"compaction","id":"cmp_1","encrypted_content":"AA"},` + userItem, "", "", ""},
	{"a call with an empty id", userItem + "," + unnamed(callItem) + "," + unnamed(outputItem), R7ID,
		"Invalid 'input[1].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
		userItem + "," + renamed(callItem) + "," + renamed(outputItem)},
	{"a call without an id", userItem + `,{"type":"custom_tool_call","name":"f","input":"x"},` +
		`{"type":"custom_tool_call_output","call_id":"","output":"x"}`, R7ID, "Missing required parameter: 'input[1].call_id'.",
		userItem + `,{"type":"custom_tool_call","name":"f","input":"x","call_id":"call_1"},` +
			`{"type":"custom_tool_call_output","call_id":"call_1","output":"x"}`},
	{"an output with an empty id", userItem + "," + callItem + "," + unnamed(outputItem), R7ID,
		"Invalid 'input[2].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
		userItem + "," + callItem + "," + outputItem},
	{"a call that the provider ran has no id", userItem + `,{"type":"web_search_call","id":"ws_1","status":"completed"},` +
		`{"type":"tool_search_call","execution":"server","call_id":null,"arguments":{}},` +
		`{"type":"tool_search_output","execution":"server","call_id":null,"tools":[]},` + answerItem, "", "", ""},
	{"a role that the API does not know", `{"role":"robot","content":"x"}`, R6Role,
		"Invalid value: 'robot'. Supported values are: 'assistant', 'system', 'developer', and 'user'.", ""},
	{"a message without content", userItem + `,{"type":"message","role":"user","content":null}`, R8Content,
		"Missing required parameter: 'input[1].content'.", userItem + `,{"type":"message","role":"user","content":""}`},
	{"a message with text in place of content", userItem + "," + reasoningItem + `,{"role":"assistant","id":"msg_9"},` + userItem,
		R8Content, "Missing required parameter: 'input[2].content'.",
		userItem + "," + reasoningItem + `,{"role":"assistant","id":"msg_9","content":""},` + userItem},
	{"a program with its calls", userItem + "," + programItems + `,{"type":"program_output","id":"po_1","call_id":"p1",` +
		`"result":"7","status":"completed"},` + answerItem, "", "", ""},
	{"a program that has not returned", userItem + "," + programItems, "", "", ""},
	{"the output of no program", userItem + `,{"type":"program_output","id":"po_1","call_id":"p1","result":"7",` +
		`"status":"completed"},` + answerItem, R1Orphan, "No tool call found for function call output with call_id p1.",
		userItem + "," + answerItem},
	{"a program's output without an id", userItem + "," + programItems + "," +
		strings.Replace(programOutput, `"p1"`, "null", 1) + "," + answerItem, R7ID, "Missing required parameter: 'input[4].call_id'.",
		userItem + "," + programItems + "," + programOutput + "," + answerItem},
	{"a program's output without an id, of no program", userItem + "," + strings.Replace(programOutput, `"p1"`, `""`, 1) + "," +
		answerItem, R1Orphan, "No tool call found for function call output with call_id .", userItem + "," + answerItem},
	{"a program without an id", userItem + "," + strings.Replace(programItems, `"call_id":"p1",`, "", 1) + "," + answerItem,
		R7ID, "Missing required parameter: 'input[1].call_id'.", ""},
	{"an output without an id in a program", userItem + "," + strings.TrimSuffix(programItems, outputItem) +
		unnamed(outputItem), R7ID, "Invalid 'input[3].call_id': empty string. Expected a string with " +
		"minimum length 1, but got an empty string instead.", userItem + "," + programItems},
	{"an asynchronous call that waits", userItem + "," + strings.Replace(callItem, "{", `{"async":true,`, 1) + "," +
		answerItem + "," + userItem + "," + answerItem, "", "", ""},
	{"an asynchronous call, answered later", userItem + "," + strings.Replace(callItem, "{", `{"async":true,`, 1) + "," +
		answerItem + "," + userItem + "," + outputItem, "", "", ""},
	{"an output of a tool without a call", userItem + `,{"type":"function_call_output","name":"alarm","output":"x"}`, "", "", ""},
	{"instructions of the client", userItem + `,{"type":"configuration_update","id":"cfg_1","reasoning":{"effort":"low"}},` +
		`{"type":"additional_tools","role":"developer","tools":[]},` + callItem + "," + outputItem, "", "", ""},
	{"a trigger at the end", userItem + `,{"type":"compaction_trigger"}`, "", "", ""},
	{"a trigger in the middle", userItem + `,{"type":"compaction_trigger"},` + userItem, R4Compaction, "",
		userItem + "," + userItem},
	{"what responses/compact returned", `{"type":"message","id":"msg_2","role":"user","status":"completed","content":` +
		`[{"type":"input_text","text":"go"}]},{"type":"compaction","id":"cmp_1","encrypted_content":"AA"}`, "", "", ""},
	{"a valid one", userItem + "," + reasoningItem + "," + callItem + "," + outputItem, "", "", ""},
}

// unnamed empties the id of a call or an output, and renamed gives it the first free one.
func unnamed(item string) string { return strings.Replace(item, `"call_id":"c1"`, `"call_id":""`, 1) }

func renamed(item string) string {
	return strings.Replace(item, `"call_id":"c1"`, `"call_id":"call_1"`, 1)
}

// Each rule of Responses has a broken case; Repair leaves none of them, and changes no valid conversation.
func TestResponsesRules(t *testing.T) {
	for _, row := range responsesCases {
		t.Run(row.name, func(t *testing.T) {
			body := `{"input":[` + row.items + `],"store":false}`
			c, err := format.Parse([]byte(body), "")
			require.NoError(t, err)
			require.Equal(t, msg.OpenAIResponses, c.Format)
			problems := slices.DeleteFunc(Check(c), func(p Problem) bool {
				return p.Severity != SeverityError
			})
			if row.rule == "" {
				require.Empty(t, problems)
			} else {
				require.Len(t, problems, 1)
				require.Equal(t, row.rule, problems[0].Rule)
				require.Equal(t, row.says, problems[0].ProviderError)
			}
			repaired, _ := Repair(c)
			out, err := format.Render(repaired)
			require.NoError(t, err)
			if row.left == "" {
				require.Equal(t, body, string(out))
				return
			}
			require.True(t, Valid(Check(repaired)))
			var want, got any
			require.NoError(t, json.Unmarshal([]byte(`{"input":[`+row.left+`],"store":false}`), &want))
			require.NoError(t, json.Unmarshal(out, &got))
			require.Equal(t, want, got)
		})
	}
}

// Calls and outputs without ids are matched by their order, and each pair gets an id of its own.
func TestCallsWithoutIDsAreRepaired(t *testing.T) {
	two := unnamed(callItem) + "," + strings.Replace(unnamed(callItem), "fc_1", "fc_2", 1)
	outputs := unnamed(outputItem) + "," + strings.Replace(unnamed(outputItem), `"x"`, `"y"`, 1)
	c, err := format.Parse([]byte(`[`+userItem+`,`+two+`,`+outputs+`,`+answerItem+`,`+userItem+`]`), msg.OpenAIResponses)
	require.NoError(t, err)
	require.False(t, Valid(Check(c)))
	repaired, _ := Repair(c)
	out, err := format.Render(repaired)
	require.NoError(t, err)
	again, err := format.Parse(out, msg.OpenAIResponses)
	require.NoError(t, err)
	require.Empty(t, Check(again), string(out))
	require.Equal(t, 2, strings.Count(string(out), `"call_id":"call_1"`))
	require.Equal(t, 2, strings.Count(string(out), `"call_id":"call_2"`))
	require.Regexp(t, `"call_id":"call_1","output":"x".*"call_id":"call_2","output":"y"`, string(out))
}

// Two requests show that an item lost the reasoning that it came with; one alone does not.
func TestLostReasoning(t *testing.T) {
	const search = `{"type":"web_search_call","id":"ws_1","status":"completed"}`
	parse := func(items ...string) *msg.Conversation {
		c, err := format.Parse([]byte(`[`+strings.Join(items, ",")+`]`), msg.OpenAIResponses)
		require.NoError(t, err)
		return c
	}
	prev := parse(userItem, reasoningItem, search, messageItem)
	next := parse(userItem, search, messageItem, userItem)
	require.True(t, Valid(Check(next)))
	problems := slices.DeleteFunc(CheckAppend(prev, next), func(p Problem) bool { return p.Rule != R2Reasoning })
	require.Len(t, problems, 1)
	require.Equal(t, "Item 'ws_1' of type 'web_search_call' was provided without its required 'reasoning' item: 'rs_1'.",
		problems[0].ProviderError)
	require.Equal(t, "/1", problems[0].Path)
	require.Equal(t, SeverityError, problems[0].Severity)
	require.NotEmpty(t, problems[0].Reason)
	require.Empty(t, CheckAppend(prev, parse(userItem, reasoningItem, search, messageItem, userItem)))
	require.True(t, Valid(CheckAppend(prev, parse(userItem))), "the whole response went")
}

// A log whose last line is cut short can be read, and the report has the place of the cut.
func TestCutLinesAreReported(t *testing.T) {
	for name, log := range map[string]string{
		msg.ClaudeCode: `{"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":"go"}}`,
		msg.Codex: `{"timestamp":"x","type":"session_meta","payload":{"id":"s"}}` + "\n" +
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`,
		msg.Pi: `{"type":"session","version":3,"id":"s","cwd":"/"}` + "\n" +
			`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"go"}}`,
		msg.GeminiCLI: `{"sessionId":"s","projectHash":"p"}` + "\n" + `{"id":"a","type":"user","content":"go"}`,
	} {
		whole, err := format.Parse([]byte(log+"\n"), "")
		require.NoError(t, err, name)
		require.Equal(t, name, string(whole.Format))
		require.Empty(t, Check(whole), name)
		cut := log + "\n" + log[strings.LastIndexByte(log, '\n')+1:][:30]
		c, err := format.Parse([]byte(cut), "")
		require.NoError(t, err, name)
		require.Len(t, c.Messages, 1)
		problems := Check(c)
		require.Len(t, problems, 1, name)
		line := strings.Count(cut, "\n")
		require.Equal(t, Problem{Rule: L1Line, Severity: SeverityWarning, Path: "/" + strconv.Itoa(line),
			Ref: outside,
			Message: "the last line (line " + strconv.Itoa(line+1) + ", from byte " + strconv.Itoa(len(log)+1) +
				") is cut short at byte " + strconv.Itoa(len(cut)) + ": it is kept, but not part of the conversation",
			Repair: "the line is removed"}, problems[0])
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, cut, string(out))
		repaired, done := RepairAll(c)
		require.Equal(t, problems, done.Problems)
		require.Empty(t, done.Left)
		out, err = format.Render(repaired)
		require.NoError(t, err)
		require.Equal(t, log+"\n", string(out))
	}
}

// A request over the window of its model is a warning with the provider's words; one of an unknown model is none.
func TestContextWindow(t *testing.T) {
	for _, row := range []struct {
		model string
		words int
		says  string
	}{
		{"gpt-5", 500_000, "The request has about 5"}, {"gpt-5", 200_000, ""}, {"gpt-4.1", 500_000, ""},
		{"acme-1", 500_000, ""},
	} {
		body := `{"model":"` + row.model + `","input":[{"role":"user","content":"` + strings.Repeat("word ", row.words) + `"}]}`
		c, err := format.Parse([]byte(body), "")
		require.NoError(t, err)
		problems := Check(c)
		if row.says == "" {
			require.Empty(t, problems, row.model)
			continue
		}
		require.Len(t, problems, 1)
		require.Equal(t, R5Context, problems[0].Rule)
		require.Equal(t, SeverityWarning, problems[0].Severity)
		require.Contains(t, problems[0].Message, row.says)
		require.Equal(t, "Your input exceeds the context window of this model. Please adjust your input and try again.",
			problems[0].ProviderError)
		require.NotEmpty(t, problems[0].Reason)
		repaired, _ := Repair(c)
		require.Same(t, c, repaired)
	}
}
