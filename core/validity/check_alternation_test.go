package validity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// Mistral's chat templates refuse two messages of a role in a row, calls and their results left out. Messages of the
// user next to each other become one.
func TestAlternation(t *testing.T) {
	const devstral = `"model":"mistralai/Devstral-2-123B"`
	const user, answer = `{"role":"user","content":"a"}`, `{"role":"assistant","content":"x"}`
	for name, row := range map[string]struct {
		body   string
		paths  []string
		joined string // "" if nothing is repaired
	}{
		"alternating": {body(msg.OpenAIChat, devstral, `{"role":"system","content":"s"}`, user, calling, told, answer, user), nil, ""},
		"two prompts": {body(msg.OpenAIChat, devstral, user, user, calling, told), []string{"/messages/1"},
			body(msg.OpenAIChat, devstral, `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"a"}]}`, calling,
				told)},
		"calls between":  {body(msg.OpenAIChat, devstral, user, calling, told, user), []string{"/messages/3"}, ""},
		"two answers":    {body(msg.OpenAIChat, devstral, user, answer, answer, user), []string{"/messages/2"}, ""},
		"another model":  {body(msg.OpenAIChat, gpt, user, user), nil, ""},
		"no name of one": {body(msg.OpenAIChat, `"model":"my-amistral"`, user, user), nil, ""},
		"a list":         {"[" + user + "," + user + "]", nil, ""},
	} {
		c, err := format.Parse([]byte(row.body), msg.OpenAIChat)
		require.NoError(t, err, name)
		var paths []string
		for _, p := range Check(c) {
			require.Equal(t, O11Alternation, p.Rule, name)
			require.Equal(t, SeverityWarning, p.Severity, name)
			require.Contains(t, p.ProviderError, "must alternate", name)
			require.NotEqual(t, p.Repair == "", p.Reason == "", name)
			paths = append(paths, p.Path)
		}
		require.Equal(t, row.paths, paths, name)
		require.Empty(t, BrokenRules(c), name)
		fixed, done := RepairAll(c)
		out, err := format.Render(fixed)
		require.NoError(t, err)
		if row.joined == "" {
			require.Equal(t, row.body, string(out), name)
			continue
		}
		require.JSONEq(t, row.joined, string(out), name)
		require.Empty(t, done.Left, name)
	}
}
