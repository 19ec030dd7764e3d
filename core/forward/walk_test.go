package forward

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// The lifetime of a new breakpoint is that of the next one, else of the automatic one, else of the one before.
func TestLifetimes(t *testing.T) {
	hour, short, own := &msg.Cache{TTL: "1h"}, &msg.Cache{TTL: "5m"}, &msg.Cache{TTL: "30m"}
	at := func(m, b int, c *msg.Cache) breakpoint { return breakpoint{msg.Ref{Message: m, Block: b}, c} }
	here := msg.Ref{Message: 3, Block: 1}
	for _, row := range []struct {
		prefix, after []breakpoint
		automatic     *msg.Cache
		want          *msg.Cache
	}{
		{nil, nil, nil, &msg.Cache{Type: "ephemeral"}},
		{nil, nil, own, own},
		{nil, []breakpoint{at(0, 0, short), at(1, 0, own)}, own, short},
		{[]breakpoint{at(2, 5, hour)}, nil, nil, hour},
		{[]breakpoint{at(2, 5, hour)}, nil, own, own},
		{[]breakpoint{at(2, 5, hour)}, []breakpoint{at(9, 0, short)}, own, short},
		{[]breakpoint{at(2, 5, hour), at(4, 0, short)}, []breakpoint{at(9, 0, own)}, nil, short},
		{[]breakpoint{at(3, 0, hour), at(3, 1, short)}, nil, nil, short},
		{[]breakpoint{at(3, 0, hour), at(3, 2, short)}, nil, own, short},
		{[]breakpoint{at(2, 0, hour), at(3, 0, short)}, nil, nil, short},
	} {
		require.Equal(t, row.want, ttlAt(here, row.prefix, row.after, row.automatic), "%+v", row)
	}
}

// A breakpoint of the client moves to the nearest block before it that is left and can hold one.
func TestWhereBreakpointsMove(t *testing.T) {
	doc := `{"model":"claude-opus-4-5","messages":[{"role":"user","content":"one"},` +
		`{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"thinking","thinking":"x","signature":"s"}]},` +
		`{"role":"user","content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]}]}`
	b, err := Read([]byte(doc), msg.Anthropic)
	require.NoError(t, err)
	prefix := b.Conversation().Messages
	w := &walk{b: b}
	for _, row := range []struct {
		origins []int
		from    msg.Ref
		want    msg.Ref
		ok      bool
	}{
		{[]int{0, 1, 2}, msg.Ref{Message: 2, Block: 0}, msg.Ref{Message: 2, Block: 0}, true},
		{[]int{0, 1, 2}, msg.Ref{Message: 2, Block: 1}, msg.Ref{Message: 2, Block: 1}, true},
		{[]int{0, 1, 2}, msg.Ref{Message: 2, Block: 9}, msg.Ref{Message: 2, Block: 1}, true},
		{[]int{0, 1, 2}, msg.Ref{Message: 5, Block: 0}, msg.Ref{Message: 2, Block: 1}, true},
		{[]int{0, 1, 2}, msg.Ref{Message: 1, Block: 0}, msg.Ref{Message: 1, Block: 0}, true},
		{[]int{0, 1, 2}, msg.Ref{Message: 1, Block: 2}, msg.Ref{Message: 1, Block: 1}, true}, // thinking holds none
		{[]int{0, 3, 7}, msg.Ref{Message: 5, Block: 0}, msg.Ref{Message: 1, Block: 1}, true},
		{[]int{-1, 3, 7}, msg.Ref{Message: 2, Block: 0}, msg.Ref{}, false},
		{[]int{4, 5, 6}, msg.Ref{Message: 3, Block: 0}, msg.Ref{}, false},
	} {
		w.Origins = row.origins
		got, ok := w.moved(prefix, row.from)
		require.Equal(t, []any{row.want, row.ok}, []any{got, ok}, "%+v", row)
	}
	_, ok := holder(prefix[1:2], 0, -1)
	require.False(t, ok)
	at, ok := holder(prefix, 1, -1)
	require.Equal(t, []any{msg.Ref{}, true}, []any{at, ok})
}

// The breakpoints of a document: on messages, inside results, and outside of messages.
func TestWhereBreakpointsAre(t *testing.T) {
	const mark = `"cache_control":{"type":"ephemeral"}`
	doc := `{"model":"claude-opus-4-5","cache_control":{"type":"ephemeral"},"system":[{"type":"text","text":"s",` + mark + `},{"type":"text","text":"t"}],` +
		`"tools":[{"name":"a","input_schema":{"type":"object"}},{"name":"b","input_schema":{"type":"object"},` + mark + `}],"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"x",` + mark + `}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"a","input":{"cache_control":{"type":"ephemeral"}}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"y",` + mark + `}]}]}]}`
	b, err := Read([]byte(doc), msg.Anthropic)
	require.NoError(t, err)
	require.Equal(t, 3, (&walk{b: b}).outside())
	before, after := breakpoints(b.Conversation().Messages, 2)
	require.Len(t, before, 1)
	require.Equal(t, msg.Ref{}, before[0].at)
	require.Len(t, after, 1)
	require.Equal(t, msg.Ref{Message: 2}, after[0].at)
	require.NotContains(t, string(b.Message(0)), cacheControl)
	require.Contains(t, string(b.Message(1)), cacheControl, "it is the input of a call")
	require.NotContains(t, string(b.Message(2)), cacheControl)
	require.Equal(t, string(b.First()), string(b.Message(0)))
	require.Equal(t, []int{1, 3}, b.Points())
	for path, want := range map[string]int{"/messages/12": 12, "/input/0": 0, "/7": 7, "/messages/x": -1, "": -1,
		"7": -1, "/a/-": -1} {
		require.Equal(t, want, index(path), path)
	}
}

// White space and breakpoints are no part of a message's bytes, in each format, also of a message of several items.
func TestBytesOfMessages(t *testing.T) {
	for name, docs := range map[string][2]string{
		msg.OpenAIChat: {`{"messages":[{"role":"user","content":"a  b"}]}`, "{ \"messages\" : [ {\"role\":\n\"user\" , \"content\":\"a  b\"} ] }"},
		msg.OpenAIResponses: {`{"input":[{"role":"user","content":"x"},{"type":"reasoning","id":"r","summary":[]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"y"}]}]}`,
			"{\"input\":[{\"role\": \"user\",\"content\":\"x\"},{\"type\":\"reasoning\",\"id\":\"r\", \"summary\":[]},\n{\"type\":\"message\",\"role\":\"assistant\",\"content\":[ {\"type\":\"output_text\",\"text\":\"y\"}]}]}"},
	} {
		one, err := Read([]byte(docs[0]), name)
		require.NoError(t, err)
		two, err := Read([]byte(docs[1]), name)
		require.NoError(t, err)
		require.Equal(t, len(one.plain), len(two.plain))
		for i := range one.plain {
			require.NotEmpty(t, one.Message(i))
			require.Equal(t, string(one.Message(i)), string(two.Message(i)))
		}
	}
}

// cache_control is a mark on a message, on its blocks and on those of a result. In texts and deeper it is content.
func TestBytesWithoutMarks(t *testing.T) {
	const mark = `,"cache_control":{"type":"ephemeral"}`
	for marked, want := range map[string]string{
		`{"role":"user","content":"the member cache_control"` + mark + `}`:                                                        `{"role":"user","content":"the member cache_control"}`,
		`{"role":"user","content":[{"type":"text","text":"a"` + mark + `}]}`:                                                      `{"role":"user","content":[{"type":"text","text":"a"}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"` + mark + `}]}]}`: `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}]}]}`,
		`{"role":"user","content":[{"type":"x","content":[{"type":"y","content":[{"n":1` + mark + `}]}]}]}`:                       `{"role":"user","content":[{"type":"x","content":[{"type":"y","content":[{"n":1` + mark + `}]}]}]}`,
		`{"role":"user","content":[7,{"type":"text","text":"a"` + mark + `}]}`:                                                    `{"role":"user","content":[7,{"type":"text","text":"a"}]}`,
	} {
		require.Equal(t, want, string(stripped(rawjson.Value(marked), 2)))
	}
}

// What Read refuses, and what a body says of itself.
func TestRead(t *testing.T) {
	for _, bad := range []string{"", "{", "[]", `{"messages":[]}`, `{"messages":7}`, "7"} {
		_, err := Read([]byte(bad), msg.Anthropic)
		require.Error(t, err, bad)
	}
	stored, err := Read([]byte(`{"previous_response_id":"r","input":[{"role":"user","content":"x"}]}`), msg.OpenAIResponses)
	require.NoError(t, err)
	require.True(t, stored.Stored())
	known, err := Read([]byte(`{"model":"claude-opus-4-5","messages":[{"role":"assistant","content":"a"},{"role":"user","content":"x"}]}`), msg.Anthropic)
	require.NoError(t, err)
	require.Equal(t, []any{false, true, []int{2}}, []any{known.Stored(), known.KnownModel(), known.Points()},
		"a call without a prompt")
	unknown, err := Read([]byte(`{"model":"none such","messages":[{"role":"user","content":"x"}]}`), msg.Anthropic)
	require.NoError(t, err)
	require.False(t, unknown.KnownModel())
	doc := []byte(`{"a":1.50,"b":"c"}`)
	require.Equal(t, `1.50`, string(Member(doc, "a")))
	require.Nil(t, Member(doc, "x"))
	require.Nil(t, Member([]byte(`[1]`), "a"))
	require.Equal(t, `{"a":1.50,"b":2}`, string(SetMember(doc, "b", []byte("2"))))
	require.Equal(t, `{"a":1.50}`, string(SetMember(doc, "b", nil)))
}

// A damaged checkpoint is an error, so that the host folds from the beginning.
func TestDamagedCheckpoints(t *testing.T) {
	s := rounds(10, 300)
	p := small(t, 2000)
	data := s.body(t, len(s.list)-1)
	r := foldOf(t, data, s.format, Options{Policy: p})
	require.NotNil(t, r.Checkpoint)
	b, err := Read(data, s.format)
	require.NoError(t, err)
	for _, damage := range []func(c *Checkpoint){
		func(c *Checkpoint) { c.Messages++ }, func(c *Checkpoint) { c.Prefix = []byte("{") },
		func(c *Checkpoint) { c.Prefix = []byte(`[{"role":"user","content":7}]`) },
		func(c *Checkpoint) { c.Origins = append(c.Origins[:0:0], c.Origins[1:]...) },
		func(c *Checkpoint) { c.Origins = append(append(c.Origins[:0:0], c.Origins...), 1) },
		func(c *Checkpoint) { c.State = "x" },
	} {
		c := *r.Checkpoint
		damage(&c)
		_, err := b.Fold(Options{Policy: p, From: &c})
		require.Error(t, err)
	}
	whole := string(r.Checkpoint.Encode())
	decoded, err := DecodeCheckpoint([]byte(whole))
	require.NoError(t, err)
	require.Equal(t, r.Checkpoint, decoded)
	set := func(name, value string) string {
		return string(SetMember([]byte(whole), name, []byte(value)))
	}
	n := len(r.Checkpoint.Origins)
	for name, values := range map[string][2]string{"messages": {"0", "1"}, "boundary": {"-2", "-1"}, "kept": {"-2", "-1"},
		"v": {"5", "6"}, "passed": {`"a"`, "0"}, "origins": {"[]", "[" + strings.Repeat("0,", n-1) + "0]"}, "tokens": {`"7"`, "7"}} {
		_, err := DecodeCheckpoint([]byte(set(name, values[0])))
		require.Error(t, err, name)
		_, err = DecodeCheckpoint([]byte(set(name, values[1])))
		require.NoError(t, err, name)
	}
	_, err = DecodeCheckpoint([]byte(set("boundary", strconv.Itoa(n-1))))
	require.NoError(t, err)
	_, err = DecodeCheckpoint([]byte(set("boundary", strconv.Itoa(n))))
	require.Error(t, err)
	none := SetMember(SetMember([]byte(set("origins", "[]")), "boundary", []byte("-1")), "kept", []byte("-1"))
	for _, bad := range []string{string(none), set("boundary", "99"), set("origins", `["x"]`), "[" + whole + "]", whole + "x"} {
		_, err = DecodeCheckpoint([]byte(bad))
		require.Error(t, err)
	}
}

// The sizes of a fold are those of the bodies, with system prompt and tools.
func TestSizesOfAFold(t *testing.T) {
	s := rounds(30, 500)
	s.head += `"tools":[{"name":"read","description":"Reads a file of the project.","input_schema":{"type":"object"}}],`
	size := func(data []byte) int {
		c, err := format.Parse(data, s.format)
		require.NoError(t, err)
		return tokens.NewMeter(tokens.Chars4, c).Conversation(c).Total
	}
	for _, row := range []struct {
		window  int
		changed bool
	}{{200_000, false}, {12_000, true}} {
		data := s.body(t, len(s.list)-1)
		r := foldOf(t, data, s.format, Options{Policy: small(t, row.window), Count: tokens.Chars4})
		require.Equal(t, row.changed, r.Changed)
		require.Equal(t, []int{size(data), size(r.Body)}, []int{r.Before, r.After})
	}
}

// The figures of a fold that changes nothing, of one at its limits, and of one that is forced without need.
func TestFiguresOfAFold(t *testing.T) {
	s := rounds(3, 300)
	data := s.body(t, len(s.list)-1)
	r := foldOf(t, data, s.format, Options{Policy: small(t, 200_000)})
	require.Equal(t, []any{false, r.Before, 0, 0, "", false, true}, []any{r.Changed, r.After, r.Cleared,
		r.Summaries, r.Cause, r.Overflow,
		r.Checkpoint == nil})
	chars := foldOf(t, data, s.format, Options{Policy: small(t, 200_000), Count: tokens.Chars4})
	require.NotEqual(t, r.Before, chars.Before)

	// A prompt that nothing can make smaller is over the limit at the end only.
	large := session{format: msg.Anthropic, head: `{"model":"claude-opus-4-5",`}
	large.list = append(large.list, json.RawMessage(`{"role":"user","content":"`+strings.Repeat("word ", 3000)+`"}`))
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 1000
	r = foldOf(t, large.body(t, 1), large.format, Options{Policy: p})
	require.True(t, r.Overflow)
	require.Empty(t, r.Cause, "nothing was compacted")
	large.list = append(large.list, json.RawMessage(`{"role":"assistant","content":"Yes."}`), json.RawMessage(`{"role":"user","content":"Go on."}`))
	next := foldOf(t, large.body(t, 3), large.format, Options{Policy: p})
	require.Equal(t, next.After > 900, next.Overflow) // the hard limit
}
