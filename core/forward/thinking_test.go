package forward

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
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

// An original message keeps its index, through the prefix of a checkpoint, too; a written one has that of the message
// before it.
func TestOrigins(t *testing.T) {
	original := func(i int) msg.Message {
		return msg.Message{Raw: []byte("{}"), Path: fmt.Sprintf("/messages/%d", i)}
	}
	written := msg.Message{Path: "/messages/9"}
	from := Checkpoint{Messages: 6, Origins: []int{-1, 3, 5}}
	for _, row := range []struct {
		from     Checkpoint
		messages []msg.Message
		want     []int
	}{
		{Checkpoint{}, []msg.Message{original(0), written, original(4), written}, []int{0, 0, 4, 4}},
		{Checkpoint{}, []msg.Message{written, original(2)}, []int{-1, 2}},
		{from, []msg.Message{written, original(1), original(2), original(6), written}, []int{-1, 3, 5, 6, 6}},
		{from, []msg.Message{original(0), original(7)}, []int{-1, 7}},
	} {
		require.Equal(t, row.want, (&walk{Checkpoint: row.from}).origins(row.messages))
	}
}

// The thinking from the block on goes, with the row of thinking that the block is in, and a message of nothing else.
func TestWithoutThinking(t *testing.T) {
	const head, text = `{"model":"m","messages":[`, `{"type":"text","text":"x"}`
	const think = `{"type":"thinking","thinking":"a","signature":"s"}`
	const redacted = `{"type":"redacted_thinking","data":"x"}`
	message := func(blocks ...string) string {
		return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
	}
	const user = `{"role":"user","content":"go"}`
	body := func(messages ...string) string { return head + strings.Join(messages, ",") + `],"x":1}` }
	whole := body(user, message(think, redacted, text), user, message(text, think, text), user, message(think), user)
	end := []string{user, message(text, text), user, user}
	for _, row := range []struct {
		message, block int
		want           string
	}{
		{1, 0, body(append([]string{user, message(text)}, end...)...)},
		{1, 1, body(append([]string{user, message(text)}, end...)...)},
		{1, 2, body(append([]string{user, message(text)}, end...)...)},
		{1, 9, body(append([]string{user, message(think, redacted, text)}, end...)...)},
		{2, 0, body(append([]string{user, message(think, redacted, text)}, end...)...)},
		{5, 0, body(user, message(think, redacted, text), user, message(text, think, text), user, user)},
		{6, 0, whole},
	} {
		got := string(WithoutThinking(&msg.Conversation{Format: msg.Anthropic}, []byte(whole), row.message, row.block))
		require.Equal(t, row.want, got, "%d %d", row.message, row.block)
	}
}

// bound is a session of one open tool round, with thinking that the model binds.
func bound(n, size int) session {
	s := rounds(n, size)
	s.head = `{"model":"claude-opus-5-5","max_tokens":1000,`
	s.list = s.list[:len(s.list)-1]
	for i := 1; i < len(s.list); i += 2 {
		s.list[i] = json.RawMessage(strings.Replace(string(s.list[i]), `"content":[`,
			fmt.Sprintf(`"content":[{"type":"thinking","thinking":"","signature":"s%d"},`, i), 1))
	}
	return s
}

// While bound thinking makes a compaction wait, the provider clears, in steps: the same calls until the rest is over
// the limit again, so that each call keeps one result more. A compaction ends the clearing.
func TestClearingInSteps(t *testing.T) {
	s, p := bound(60, 800), small(t, 40_000)
	hard := p.Trigger.LimitsFor(40_000, 0).Hard
	var from *Checkpoint
	var last Clear
	cleared, compacted := 0, 0
	for n := 3; n <= len(s.list); n += 2 {
		r := foldOf(t, s.body(t, n), s.format, Options{Policy: p, Clears: true, From: from})
		without := foldOf(t, s.body(t, n), s.format, Options{Policy: p, From: from})
		require.Equal(t, string(without.Body), string(r.Body))
		require.Equal(t, without.After-r.Clear.Freed, r.After)
		require.LessOrEqual(t, without.After, hard)
		switch {
		case r.Cause != "":
			require.Zero(t, r.Clear.Uses, "compacted at this call")
			compacted++
		case r.Clear.Uses > 0:
			require.Greater(t, r.Clear.Freed, without.After/2, "all but the newest")
			if last.Uses == r.Clear.Uses {
				require.Equal(t, last.Keep+1, r.Clear.Keep)
				cleared++
			}
		default:
			require.Zero(t, last.Uses, "a clearing goes on until a compaction")
		}
		from, last = r.Checkpoint, r.Clear
	}
	require.Positive(t, compacted)
	require.Positive(t, cleared)
}

// Where the provider drops thinking that does not fit any more, a compaction does not wait for the end of the round.
func TestDropBlockDoesNotWait(t *testing.T) {
	s, p := bound(60, 800), small(t, 40_000)
	first := func(o Options) int {
		for n := 3; n <= len(s.list); n += 2 {
			if r := foldOf(t, s.body(t, n), s.format, o); r.Changed {
				require.Equal(t, o.DropBlock, r.DropBlock)
				return n
			}
		}
		return len(s.list)
	}
	require.Less(t, first(Options{Policy: p, DropBlock: true}), first(Options{Policy: p}))
}

// An error of the host's summarizer ends the fold.
func TestErrorOfTheSummarizer(t *testing.T) {
	s := talk(20, 1500)
	b, err := Read(s.body(t, len(s.list)), s.format)
	require.NoError(t, err)
	down := errors.New("down")
	_, err = b.Fold(Options{Policy: small(t, 20_000),
		Summarize: func(*core.Loop, bool) ([]core.SummaryResult, error) { return nil, down }})
	require.ErrorIs(t, err, down)
}
