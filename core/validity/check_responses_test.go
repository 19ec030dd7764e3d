package validity

import (
	"encoding/json"
	"slices"
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
	{"a role that the API does not know", `{"role":"robot","content":"x"}`, R6Role,
		"Invalid value: 'robot'. Supported values are: 'assistant', 'system', 'developer', and 'user'.", ""},
	{"a valid one", userItem + "," + reasoningItem + "," + callItem + "," + outputItem, "", "", ""},
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
