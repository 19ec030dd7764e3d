package fake_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// System messages in the middle of a conversation, where the provider takes them and where it does not.
func TestSystemMessages(t *testing.T) {
	const user, assistant = `{"role":"user","content":"x"}`, `{"role":"assistant","content":"y"}`
	const system, effort = `{"role":"system","content":"z"}`, `{"role":"system","content":[],"output_config":{"effort":"low"}}`
	const both = `{"role":"system","content":"z","output_config":{"effort":"low"}}`
	const until = `{"role":"system","content":"z","clear_at":"next_user_message"}`
	for _, row := range []struct{ name, beta, says, messages string }{
		{"after a prompt", "", "", user + "," + system + "," + assistant + "," + user},
		{"at the end", "", "", user + "," + system},
		{"two", "", "", user + "," + system + "," + system + "," + assistant},
		{"first", "", "initial system prompt", system + "," + user},
		{"after an answer", "", "must follow a 'user' message", user + "," + assistant + "," + system},
		{"before a prompt", "", "must precede an 'assistant' message", user + "," + system + "," + user},
		{"effort first", "mid-conversation-output-config-2026-07-01", "", effort + "," + user},
		{"effort anywhere", "mid-conversation-output-config-2026-07-01", "", user + "," + effort + "," + user + "," + assistant + "," + effort + "," + user},
		{"effort without the header", "", "output_config: Extra inputs", effort + "," + user},
		{"text and effort", "per-turn-control-2026-07-01", "", user + "," + both},
		{"neither", "mid-conversation-output-config-2026-07-01", "must contain at least one block", user + `,{"role":"system","content":[]}`},
		{"cleared later", "mid-conversation-system-clear-at-2026-08-21", "", user + "," + until + "," + assistant + "," + user},
		{"cleared later without the header", "", "clear_at: Extra inputs", user + "," + until},
		{"a block of users", "", "supports text, tool_addition", user + `,{"role":"system","content":[{"type":"image"}]}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, url := serve(t, "ok")
			status, _, err := post(t, url+"/v1/messages", `{"model":"m","max_tokens":9,"messages":[`+row.messages+`]}`,
				"X-Api-Key", "k", "Anthropic-Version", "2023-06-01", "Anthropic-Beta", row.beta)
			require.NoError(t, err)
			said := strings.Join(f.Problems(), "\n")
			if row.says == "" {
				require.Equal(t, 200, status, said)
				return
			}
			require.Contains(t, said, row.says)
		})
	}
}
