package forward

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The provider clears the results of the client's tools only, without those of tools that the policy keeps.
func TestResultsThatTheProviderClears(t *testing.T) {
	call := func(kind, id, name string) string {
		return fmt.Sprintf(`{"type":%q,"id":%q,"name":%q,"input":{}}`, kind, id, name)
	}
	doc := `{"model":"claude-opus-5-5","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[` +
		call("server_tool_use", "srvtoolu_1", "web_search") +
		`,{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},` +
		call("tool_use", "a", "read") + `,` + call("tool_use", "b", "plan") + `]},{"role":"user","content":[` +
		`{"type":"tool_result","tool_use_id":"a","content":"one two three"},` +
		`{"type":"tool_result","tool_use_id":"b","content":"four five six"}]}]}`
	b, err := Read([]byte(doc), msg.Anthropic)
	require.NoError(t, err)
	p := small(t, 40_000)
	p.Clear.KeepTools = []string{"plan"}
	w := &walk{b: b, o: &Options{Policy: p, Count: tokens.Chars4}}
	require.NoError(t, w.start())
	_, err = w.call(len(b.plain))
	require.NoError(t, err)
	list := w.results()
	require.Len(t, list, 2)
	require.Equal(t, []int{2, 2}, []int{list[0].message, list[1].message})
	require.Positive(t, list[0].tokens)
	require.Zero(t, list[1].tokens)
	require.Equal(t, 2, w.recentResults(list), "both are in the recent window")
	w.o.Policy.Trigger.Scale, w.o.Policy.Pin.RecentTokens = false, 1
	require.Zero(t, w.recentResults(list), "their message is larger than the recent window")
}

// The thinking after the first message that a compaction changed is lost. What precedes it stays, and a message of
// nothing else.
func TestThinkingAfterAChange(t *testing.T) {
	c, err := format.Parse([]byte(`{"messages":[{"role":"user","content":"go"},`+
		`{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"s"},{"type":"text","text":"x"}]},`+
		`{"role":"user","content":"on"},`+
		`{"role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"s"},{"type":"text","text":"y"}]},`+
		`{"role":"user","content":"on"},`+
		`{"role":"assistant","content":[{"type":"thinking","thinking":"c","signature":"s"}]}]}`), msg.Anthropic)
	require.NoError(t, err)
	blocks := func(changed int) (n []int) {
		next := c.WithMessages(append([]msg.Message(nil), c.Messages...))
		if changed >= 0 {
			next.Messages[changed].Changed = true
		}
		for _, m := range withoutLostThinking(next).Messages {
			n = append(n, len(m.Blocks))
		}
		return n
	}
	require.Equal(t, []int{1, 2, 1, 2, 1, 1}, blocks(-1))
	require.Equal(t, []int{1, 2, 1, 1, 1, 1}, blocks(2))
	require.Equal(t, []int{1, 1, 1, 1, 1, 1}, blocks(0))
}

// The boundary is the last message that a compaction wrote or changed.
func TestBoundary(t *testing.T) {
	whole := msg.Message{Raw: []byte("{}")}
	for want, messages := range map[int][]msg.Message{
		-1: {whole, whole}, 0: {{Changed: true, Raw: whole.Raw}, whole}, 1: {{}, {}, whole},
	} {
		require.Equal(t, want, (*walk)(nil).boundary(messages))
	}
}
