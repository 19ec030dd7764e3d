package gemini_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/msg"
)

// toolIDs lists the ids of calls and responses in their order.
func toolIDs(messages []msg.Message) (ids []string) {
	for m := range messages {
		for _, b := range messages[m].Blocks {
			if b.Kind == msg.KindToolUse || b.Kind == msg.KindToolResult {
				ids = append(ids, string(b.Kind)+" "+b.ID)
			}
		}
	}
	return ids
}

func contents(t *rapid.T, roles ...string) (list []string) {
	part := rapid.SampledFrom([]string{`{"text":"x"}`, `{"functionCall":{"name":"f","args":{}}}`,
		`{"functionCall":{"id":"a","name":"f","args":{}}}`, `{"functionCall":{"id":"b","name":"g","args":{}}}`})
	result := rapid.SampledFrom([]string{`{"text":"x"}`, `{"functionResponse":{"name":"f","response":{}}}`,
		`{"functionResponse":{"name":"g","response":{}}}`, `{"functionResponse":{"id":"a","name":"f","response":{}}}`})
	for range rapid.IntRange(1, 8).Draw(t, "contents") {
		role, parts := rapid.SampledFrom(roles).Draw(t, "role"), result
		if role == "model" {
			parts = part
		}
		list = append(list, `{"role":"`+role+`","parts":[`+
			strings.Join(rapid.SliceOfN(parts, 1, 4).Draw(t, "parts"), ",")+`]}`)
	}
	return list
}

func parse(t require.TestingT, list []string) *msg.Conversation {
	c, err := format.Reparse([]byte("["+strings.Join(list, ",")+"]"), msg.Gemini)
	require.NoError(t, err)
	return c
}

// Responses without an id answer the same calls if the contents of one turn of the model are one content.
func TestTurnsOfSeveralContents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := contents(t, "model", "model", "user", "robot")
		var merged []string
		for i, content := range list {
			last := len(merged) - 1
			if model := `{"role":"model"`; i > 0 && strings.HasPrefix(content, model) && strings.HasPrefix(list[i-1], model) {
				merged[last] = strings.TrimSuffix(merged[last], "]}") + "," + strings.TrimPrefix(content, `{"role":"model","parts":[`)
				continue
			}
			merged = append(merged, content)
		}
		require.Equal(t, toolIDs(parse(t, merged).Messages), toolIDs(parse(t, list).Messages), "%s", list)
	})
}

// Responses that are read later answer the calls that no earlier response answers.
func TestAppendedResponses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := contents(t, "model", "user", "user", "robot")
		at := rapid.IntRange(0, len(list)).Draw(t, "at")
		c := parse(t, list[:at])
		added, reread, err := format.Append(c, []byte("["+strings.Join(list[at:], ",")+"]"), msg.Gemini, nil)
		require.NoError(t, err)
		if reread == nil {
			reread = c.WithMessages(append(c.Messages[:at:at], added...))
		}
		require.Equal(t, toolIDs(parse(t, list).Messages), toolIDs(reread.Messages), "%s at %d", list, at)
	})
}

// A content of a role that the API refuses answers no call.
func TestResponsesOfAnUnknownRole(t *testing.T) {
	c := parse(t, []string{`{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]}`,
		`{"role":"robot","parts":[{"functionResponse":{"name":"f","response":{}}}]}`,
		`{"role":"user","parts":[{"functionCall":{"name":"g","args":{}}},` +
			`{"functionResponse":{"name":"f","response":{}}}]}`})
	require.Equal(t, []string{"tool_use a", "tool_result " + msg.NoID + "f", "tool_use " + msg.NoID + "g",
		"tool_result a"}, toolIDs(c.Messages))
}
