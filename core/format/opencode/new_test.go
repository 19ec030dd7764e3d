package opencode_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// opencode orders messages and parts by their ids, and refuses an import whose parts name no message.
func TestNewMessagesAreImported(t *testing.T) {
	const (
		user   = `"sessionID":"ses_1","messageID":"msg_21a5ce736001GgoqgOsY0trOWJ"`
		answer = `"sessionID":"ses_1","messageID":"msg_21a5ceccb001SEUEgzbeHedi3s"`
	)
	doc := `{"info":{"id":"ses_1"},"messages":[
{"info":{"id":"msg_21a5ce736001GgoqgOsY0trOWJ","sessionID":"ses_1","role":"user","agent":"build",` +
		`"model":{"providerID":"x","modelID":"m"}},` +
		`"parts":[{"id":"prt_21a5ce744001jTnOkpbnnr9icw",` + user + `,"type":"text","text":"go"}]},
{"info":{"id":"msg_21a5ceccb001SEUEgzbeHedi3s","sessionID":"ses_1","role":"assistant","mode":"build",` +
		`"path":{"cwd":"/","root":"/"},"modelID":"m","providerID":"x","parentID":"msg_21a5ce736001GgoqgOsY0trOWJ"},` +
		`"parts":[{"id":"prt_21a5cf2a40019a6UlhIt7eS9oI",` + answer + `,"type":"text","text":"done"}]}]}`
	c, err := format.Parse([]byte(doc), msg.OpenCode)
	require.NoError(t, err)
	two := msg.Message{Role: msg.User, Blocks: []msg.Block{msg.TextBlock("a"), msg.TextBlock("b")}}
	messages := slices.Insert(slices.Clone(c.Messages), 1, two, msg.TextMessage(msg.Assistant, "c"),
		msg.TextMessage(msg.User, "d"))
	out, err := format.Render(c.WithMessages(append(messages, msg.TextMessage(msg.User, "e"))))
	require.NoError(t, err)
	var written struct {
		Messages []struct {
			Info  map[string]any
			Parts []map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(out, &written))
	require.Len(t, written.Messages, 6)
	var ids, parts []string
	for _, m := range written.Messages {
		ids = append(ids, m.Info["id"].(string))
		require.Equal(t, "ses_1", m.Info["sessionID"])
		if m.Info["role"] == "user" {
			require.Equal(t, map[string]any{"providerID": "x", "modelID": "m"}, m.Info["model"])
		} else {
			require.Equal(t, []any{"x", "m"}, []any{m.Info["providerID"], m.Info["modelID"]})
			require.NotEmpty(t, m.Info["parentID"])
		}
		for _, p := range m.Parts {
			parts = append(parts, p["id"].(string))
			require.Equal(t, m.Info["id"], p["messageID"])
			require.Equal(t, "ses_1", p["sessionID"])
		}
	}
	require.True(t, slices.IsSorted(ids), ids)
	require.Len(t, slices.Compact(ids), 6)
	require.True(t, slices.IsSorted(parts[1:3]), "those of one message: %v", parts)
	slices.Sort(parts)
	require.Len(t, slices.Compact(parts), 7)
}
