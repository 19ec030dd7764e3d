package forward

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// session is a session of an agent: the body of each of its calls is a prefix of its messages.
type session struct {
	format string
	head   string // the members before the messages
	list   []json.RawMessage
}

func sessionOf(t require.TestingT, name, head string, doc []byte) session {
	var list []json.RawMessage
	if json.Unmarshal(doc, &list) != nil {
		var body struct{ Messages, Input []json.RawMessage }
		if json.Unmarshal(doc, &body) == nil {
			list = append(body.Messages, body.Input...)
		}
	}
	return session{name, head, list}
}

// stepsOf writes a conversation of Gemini as steps of its Interactions API.
func stepsOf(t require.TestingT, contents []byte) []byte {
	c, err := format.Parse(contents, msg.Gemini)
	require.NoError(t, err)
	steps := []any{map[string]any{"type": "user_input", "content": []any{}}}
	for m := range c.Messages {
		kind := map[bool]string{true: "model_output", false: "user_input"}[c.Messages[m].Role == msg.Assistant]
		for b := range c.Messages[m].Blocks {
			switch block := &c.Messages[m].Blocks[b]; block.Kind {
			case msg.KindThinking:
				steps = append(steps, map[string]any{"type": "thought", "signature": "c2ln"})
			case msg.KindToolUse:
				steps = append(steps, map[string]any{"type": "function_call", "id": block.ID, "name": block.Name,
					"arguments": json.RawMessage(block.Text)})
			case msg.KindToolResult:
				steps = append(steps, map[string]any{"type": "function_result", "call_id": block.ID, "result": block.Text})
			default:
				steps = append(steps, map[string]any{"type": kind, "content": []any{
					map[string]any{"type": "text", "text": block.Text}}})
			}
		}
	}
	data, err := json.Marshal(steps)
	require.NoError(t, err)
	return data
}

// body is the request with the first n messages, with a breakpoint on the last one, as clients set it.
func (s *session) body(t require.TestingT, n int) []byte {
	list := append([]byte("["), bytes.Join(toBytes(s.list[:n]), []byte(", "))...)
	list = append(list, ']')
	c, err := format.Parse(list, s.format)
	require.NoError(t, err)
	if s.format == msg.Anthropic {
		last := slices.Clone(c.Messages[n-1].Blocks)
		at, ok := holder(c.Messages, n-1, len(last)-1)
		if ok && at.Message == n-1 && c.Messages[n-1].Raw.Member("content").Kind() == '[' {
			last[at.Block] = last[at.Block].WithCache(&msg.Cache{Type: "ephemeral"})
			messages := slices.Clone(c.Messages)
			messages[n-1] = messages[n-1].WithBlocks(last)
			list, err = format.Render(c.WithMessages(messages))
			require.NoError(t, err)
		}
	}
	member := `"messages":`
	if s.format == msg.OpenAIResponses || s.format == msg.Interactions {
		member = `"input":`
	}
	return []byte(s.head + member + string(list) + `,"unknown": 12345678901234567890.5 ,"stream":true}`)
}

func toBytes(list []json.RawMessage) (out [][]byte) {
	for _, m := range list {
		out = append(out, m)
	}
	return out
}

// rounds is a session of an agent that reads n files of about size tokens.
func rounds(n, size int) session {
	s := session{format: msg.Anthropic, head: `{"model":"claude-opus-4-5","max_tokens":1000,` +
		`"system":[{"type":"text","text":"Be careful.","cache_control":{"type":"ephemeral"}}],`}
	add := func(text string) { s.list = append(s.list, json.RawMessage(text)) }
	add(`{"role":"user","content":[{"type":"text","text":"Read every file of the project and say what is in it."}]}`)
	for i := range n {
		add(fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Next."},{"type":"tool_use","id":"call_%d","name":"read","input":{"path":"f%d.go"}}]}`, i, i))
		text := strings.Repeat(fmt.Sprintf(`line %d of core/msg/raw.go\n`, i), size*4/28)
		add(fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_%d","content":"%s"}]}`, i, text))
	}
	add(`{"role":"assistant","content":"That is all."}`)
	return s
}

// talk is a session of n long answers of about size tokens. It has no results that could be cut, so that only summaries
// free something.
func talk(n, size int) session {
	s := session{format: msg.Anthropic, head: `{"model":"claude-opus-4-5","max_tokens":1000,`}
	for i := range n {
		text := strings.Repeat(fmt.Sprintf(`Part %d of the answer is here. `, i), size*4/31)
		s.list = append(s.list, json.RawMessage(fmt.Sprintf(`{"role":"user","content":"Tell me about part %d."}`, i)),
			json.RawMessage(fmt.Sprintf(`{"role":"assistant","content":"%s"}`, text)))
	}
	return s
}

func small(t require.TestingT, window int) policy.Policy {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = window
	return p
}

func foldOf(t require.TestingT, data []byte, name string, o Options) *Result {
	b, err := Read(data, name)
	require.NoError(t, err)
	r, err := b.Fold(o)
	require.NoError(t, err)
	return r
}

// messagesOf lists the messages of a body without their cache_control.
func messagesOf(t require.TestingT, data []byte, name string) []string {
	b, err := Read(data, name)
	require.NoError(t, err)
	var out []string
	for i := range b.plain {
		out = append(out, string(b.Message(i)))
	}
	return out
}

// A long session stays within its window, each request is valid, and requests between two compactions only grow.
func TestALongSession(t *testing.T) {
	s, p := rounds(40, 1500), small(t, 40_000)
	var last []string
	var checkpoint *Checkpoint
	compactions := 0
	for n := 1; n < len(s.list); n += 2 {
		data := s.body(t, n)
		r := foldOf(t, data, s.format, Options{Policy: p})
		again := foldOf(t, data, s.format, Options{Policy: p, From: checkpoint})
		require.Equal(t, string(r.Body), string(again.Body), "losing the checkpoint changes no byte")
		require.Equal(t, r.Before, again.Before)
		require.Equal(t, r.Checkpoint, again.Checkpoint)
		checkpoint = r.Checkpoint
		require.Less(t, r.After, 36_000) // the hard limit: 90 % of the window
		c, err := format.Parse(r.Body, s.format)
		require.NoError(t, err)
		require.True(t, validity.Valid(validity.Check(c)))
		now := messagesOf(t, r.Body, s.format)
		if r.Cause == "" {
			require.Equal(t, append([]string{}, last...), now[:len(last)], "call with %d messages", n)
		} else {
			compactions++
		}
		if !r.Changed {
			require.Equal(t, string(data), string(r.Body))
		} else {
			require.Contains(t, string(r.Body), `],"unknown": 12345678901234567890.5 ,"stream":true}`)
			require.True(t, bytes.HasPrefix(r.Body, []byte(s.head)))
			require.LessOrEqual(t, bytes.Count(r.Body, []byte(`"cache_control"`)), 4)
			require.Contains(t, now[len(now)-1], `line`)
		}
		last = now
	}
	require.Positive(t, compactions)
	require.Less(t, compactions, 15, "at least four rounds for each")
}

// The provider finds a cached prompt only at a breakpoint or up to 20 blocks before one. After a compaction the request
// has a breakpoint where the call before had one, although the client leaves only one of the four free.
func TestACompactionReadsTheCache(t *testing.T) {
	s, p := rounds(40, 1500), small(t, 40_000)
	const cached = `,"cache_control":{"type":"ephemeral"}}]`
	s.head += `"tools":[{"name":"read","input_schema":{"type":"object"}` + cached + `,`
	var last, now []string
	var before, at []int
	read := 0
	for n := 1; n < len(s.list); n += 2 {
		r := foldOf(t, s.body(t, n), s.format, Options{Policy: p})
		c, err := format.Parse(r.Body, s.format)
		require.NoError(t, err)
		last, now, before, at = now, messagesOf(t, r.Body, s.format), at, nil
		marks, _ := breakpoints(c.Messages, len(c.Messages))
		for _, b := range marks {
			at = append(at, b.at.Message)
		}
		require.Equal(t, 2, bytes.Count(r.Body[:bytes.Index(r.Body, []byte(`"messages"`))], []byte(cacheControl)))
		require.LessOrEqual(t, len(at), 2)
		if r.Cause == "" || len(before) < 2 || len(now) <= before[0] ||
			!slices.Equal(now[:before[0]+1], last[:before[0]+1]) {
			continue
		}
		require.Contains(t, at, before[0])
		read++
	}
	require.Positive(t, read)
}

// The same for conversations of every kind, in both formats: with and without the checkpoint of any earlier call, the
// bytes are equal, and a checkpoint survives its encoding.
func TestCheckpointsChangeNothing(t *testing.T) {
	convtest.SetCases(t, 100)
	steps := 12 // a few, since each is a whole fold
	if convtest.Fewer() {
		steps = 4
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses,
			msg.Interactions}).Draw(t, "format")
		doc := []byte(nil)
		if name == msg.Interactions {
			doc = stepsOf(t, convtest.Conversation(t, msg.Gemini))
		} else {
			doc = convtest.Conversation(t, name)
		}
		s := sessionOf(t, name, `{"model":"claude-opus-4-5","max_tokens":10,`, doc)
		p := small(t, rapid.SampledFrom([]int{200, 500, 2000}).Draw(t, "window"))
		p.Trigger.BufferTokens, p.Clear.MinSavings = 10, p.Trigger.Window/10
		o := Options{Policy: p, Count: rapid.SampledFrom([]tokens.Counter{tokens.Chars4, nil}).Draw(t, "counter")}
		var checkpoint *Checkpoint
		var history []string // of the checkpoint
		for n := max(1, len(s.list)-steps); n <= len(s.list); n++ {
			b, err := Read(s.body(t, n), name)
			require.NoError(t, err)
			want, err := b.Fold(o)
			with := o
			if checkpoint != nil && slices.Contains(b.Points(), checkpoint.At()) &&
				slices.Equal(history, messagesOf(t, b.Data(), name)[:checkpoint.At()]) {
				with.From = checkpoint
			}
			have, errWith := b.Fold(with)
			if err != nil {
				require.Error(t, errWith)
				continue
			}
			require.NoError(t, errWith)
			require.Equal(t, string(want.Body), string(have.Body))
			require.Equal(t, want.Changed, have.Changed)
			require.Equal(t, want.Checkpoint, have.Checkpoint)
			require.Equal(t, want.Passed, have.Passed)
			require.Equal(t, want.Overflow, have.Overflow)
			require.Equal(t, want.Before, have.Before)
			if want.Passed != nil && rapid.Bool().Draw(t, "passed") {
				want.Checkpoint = want.Passed
			}
			if want.Checkpoint == nil || rapid.Bool().Draw(t, "lose") {
				continue
			}
			checkpoint, err = DecodeCheckpoint(want.Checkpoint.Encode())
			require.NoError(t, err)
			require.Equal(t, want.Checkpoint, checkpoint)
			history = messagesOf(t, b.Data(), name)[:checkpoint.At()]
		}
	})
}

// A summary of a model is used at an earlier call only if it is there.
func TestPastCallsDoNotWait(t *testing.T) {
	s, p := talk(60, 1500), small(t, 40_000)
	data := s.body(t, len(s.list)-1)
	texts := map[string]string{}
	asked := 0
	find := func(loop *core.Loop, past bool) ([]core.SummaryResult, error) {
		var results []core.SummaryResult
		for _, q := range loop.Plan().Requests {
			if texts[q.ID] == "" {
				asked++
				return nil, core.ErrWait
			}
			results = append(results, core.SummaryResult{ID: q.ID, Text: texts[q.ID]})
		}
		return results, nil
	}
	r := foldOf(t, data, s.format, Options{Policy: p, Summarize: find})
	require.Zero(t, r.Summaries)
	require.Positive(t, asked)
	write := func(loop *core.Loop, past bool) ([]core.SummaryResult, error) {
		for _, q := range loop.Plan().Requests {
			texts[q.ID] = "What was done is written here, " + q.ID
		}
		return find(loop, past)
	}
	written := foldOf(t, data, s.format, Options{Policy: p, Summarize: write})
	require.Positive(t, written.Summaries)
	asked = 0
	found := foldOf(t, data, s.format, Options{Policy: p, Summarize: find})
	require.Zero(t, asked)
	require.Equal(t, string(written.Body), string(found.Body))
}

// A forced compaction fits the window that the provider named.
func TestForce(t *testing.T) {
	s, p := rounds(20, 1500), small(t, 200_000)
	p.Clear.Enabled = false
	data := s.body(t, len(s.list)-1)
	require.False(t, foldOf(t, data, s.format, Options{Policy: p}).Changed)
	r := foldOf(t, data, s.format, Options{Policy: p, Force: true, Window: 10_000})
	require.True(t, r.Changed)
	require.Equal(t, "manual", r.Cause)
	require.Less(t, r.After, 10_000)
	for _, window := range []int{0, 100_000} {
		wide := foldOf(t, data, s.format, Options{Policy: p, Force: true, Window: window})
		require.Greater(t, wide.After, r.After, "window %d", window)
	}
	next := foldOf(t, s.body(t, len(s.list)), s.format, Options{Policy: p, From: r.Checkpoint})
	have, want := messagesOf(t, next.Body, s.format), messagesOf(t, r.Body, s.format)
	require.Equal(t, want, have[:len(want)], "the checkpoint keeps what was forced")
	require.NotEmpty(t, r.Checkpoint.State)
}

// A body whose parsed messages were dropped parses the document again.
func TestForget(t *testing.T) {
	s, p := rounds(20, 1500), small(t, 20_000)
	data := s.body(t, len(s.list))
	b, err := Read(data, s.format)
	require.NoError(t, err)
	want := foldOf(t, data, s.format, Options{Policy: p})
	first := string(b.Message(0))
	for _, use := range []func(){
		func() { require.Equal(t, first, string(b.Message(0))) },
		func() { require.Len(t, b.Conversation().Messages, len(s.list)) },
		func() {
			r, err := b.Fold(Options{Policy: p})
			require.NoError(t, err)
			require.Equal(t, string(want.Body), string(r.Body))
		},
	} {
		b.Forget()
		use()
	}
}

// Client breakpoints on removed messages move; the order of lifetimes and the limit of four hold.
func TestBreakpointsMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rounds(12, 1500)
		for i := range s.list {
			s.list[i] = json.RawMessage(strings.ReplaceAll(string(s.list[i]), "\n", " "))
		}
		hours := rapid.IntRange(0, 2).Draw(t, "hours")
		places := map[int]bool{}
		for range rapid.IntRange(0, 3).Draw(t, "breakpoints") {
			places[2*rapid.IntRange(1, len(s.list)/2-1).Draw(t, "at")] = true
		}
		for i := range s.list {
			if !places[i] {
				continue
			}
			ttl := `{"type":"ephemeral"}`
			if hours > 0 {
				ttl, hours = `{"type":"ephemeral","ttl":"1h"}`, hours-1
			}
			s.list[i] = bytes.Replace(s.list[i], []byte(`"type":"tool_result"`),
				[]byte(`"type":"tool_result","cache_control":`+ttl), 1)
		}
		s.head = `{"model":"claude-opus-4-5","max_tokens":1000,`
		if rapid.Bool().Draw(t, "system") && hours == 0 && len(places) < 4 {
			s.head += `"system":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral","ttl":"1h"}}],`
		}
		var out bytes.Buffer
		out.WriteString(s.head + `"messages":[`)
		out.Write(bytes.Join(toBytes(s.list), []byte(",")))
		out.WriteString(`]}`)
		c, err := format.Parse(out.Bytes(), s.format)
		require.NoError(t, err)
		if !validity.Valid(validity.Check(c)) {
			return
		}
		r := foldOf(t, out.Bytes(), s.format, Options{Policy: small(t, 12_000)})
		require.True(t, r.Changed)
		after, err := format.Parse(r.Body, s.format)
		require.NoError(t, err)
		require.Empty(t, validity.Check(after))
		given := bytes.Count(out.Bytes(), []byte("cache_control"))
		have := bytes.Count(r.Body, []byte("cache_control"))
		require.LessOrEqual(t, have, min(given+2, 4))
		if given == 0 {
			require.Zero(t, have, "a client that does not cache gets no breakpoint")
		} else {
			require.Positive(t, have)
		}
	})
}

// The provider ignores what comes before its own compaction block: it is not counted, the block stays, and nothing
// changes below the limits.
func TestBlocksOfTheProvider(t *testing.T) {
	s, p := rounds(40, 1500), small(t, 40_000)
	mark := []byte(`"content":[{"type":"text","text":"Next."}`)
	block := []byte(`"content":[{"type":"compaction","content":"So far.","encrypted_content":"e"},{"type":"text","text":"Next."}`)
	at := 1 + 2*10
	s.list[at] = bytes.Replace(s.list[at], mark, block, 1)
	require.Contains(t, string(s.list[at]), "So far.")
	var last *Result
	for n := at + 2; n < len(s.list); n += 2 {
		data := s.body(t, n)
		r := foldOf(t, data, s.format, Options{Policy: p})
		if !r.Changed {
			require.Equal(t, string(data), string(r.Body))
			require.Less(t, r.Before, 40_000) // the window
			continue
		}
		var from *Checkpoint
		if last != nil {
			from = last.Checkpoint
		}
		again := foldOf(t, data, s.format, Options{Policy: p, From: from})
		require.Equal(t, string(r.Body), string(again.Body))
		c, err := format.Parse(r.Body, s.format)
		require.NoError(t, err)
		require.True(t, validity.Valid(validity.Check(c)))
		require.Equal(t, "compaction", c.Messages[0].Blocks[0].Type)
		require.NotContains(t, string(r.Body), "line 9 of")
		last = r
	}
	require.NotNil(t, last)
	failed := bytes.Replace(s.body(t, len(s.list)-1), []byte(`"So far."`), []byte("null"), 1)
	require.Greater(t, foldOf(t, failed, s.format, Options{Policy: p}).Before, 60_000, "a failed compaction is none")
}

// For any input: an error or a result, never a panic, and an unchanged result is the input.
func TestBrokenBodies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses}).Draw(t, "format")
		data := convtest.Break(t, name, convtest.Conversation(t, name))
		b, err := Read(data, name)
		if err != nil {
			return
		}
		r, err := b.Fold(Options{Policy: small(t, 200), Count: tokens.Chars4})
		if err == nil && !r.Changed {
			require.Equal(t, string(Whole(data)), string(r.Body))
		}
	})
}

func TestBadCheckpoints(t *testing.T) {
	s, p := rounds(30, 1500), small(t, 40_000)
	r := foldOf(t, s.body(t, len(s.list)-1), s.format, Options{Policy: p})
	good := string(r.Checkpoint.Encode())
	for _, bad := range []string{"", "{}", "[]", "null", good[:len(good)-1], strings.Replace(good, `"v":6`, `"v":5`, 1),
		strings.Replace(good, `"kept":`, `"kept":9999`, 1),
		strings.Replace(good, `"messages":`, `"messages":-`, 1),
		strings.Replace(good, `"messages":`, `"messages":"a","x":`, 1)} {
		_, err := DecodeCheckpoint([]byte(bad))
		require.Error(t, err, "%.60s", bad)
	}
	b, err := Read(s.body(t, 3), s.format)
	require.NoError(t, err)
	_, err = b.Fold(Options{Policy: p, From: r.Checkpoint})
	require.Error(t, err, "it is of a longer history")
}

// The gateway's two breakpoints are placed next to those of the client: the second one has the lifetime of its
// neighbors, also of the first one, which may be before them.
func TestLifetimesOfFourBreakpoints(t *testing.T) {
	s := rounds(12, 1500)
	for at, ttl := range map[int]string{20: `,"ttl":"1h"`, 22: ""} {
		s.list[at] = bytes.Replace(s.list[at], []byte(`"type":"tool_result"`),
			[]byte(`"type":"tool_result","cache_control":{"type":"ephemeral"`+ttl+`}`), 1)
	}
	data := slices.Concat([]byte(`{"model":"claude-opus-4-5","max_tokens":1000,"messages":[`),
		bytes.Join(toBytes(s.list), []byte(",")), []byte(`]}`))
	r := foldOf(t, data, s.format, Options{Policy: small(t, 12_000)})
	require.True(t, r.Changed)
	after, err := format.Parse(r.Body, s.format)
	require.NoError(t, err)
	require.Empty(t, validity.Check(after))
	require.Equal(t, 4, bytes.Count(r.Body, []byte("cache_control")))
}
