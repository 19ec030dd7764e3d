package forward

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
)

// An agent calls Next with each request before it sends it.
func ExampleCompactor() {
	p, err := policy.Parse("balanced", []byte(`{"trigger":{"window":4000,"reserveOutput":200,"bufferTokens":0}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var originals bytes.Buffer // a real host appends to a file
	tamp := NewCompactor(Options{Policy: p, Save: func(lines []byte) error {
		_, err := originals.Write(lines)
		return err
	}})

	messages := []any{map[string]any{"role": "user", "content": "Find the bug. Never change port 8080."}}
	for i := range 20 {
		body, _ := json.Marshal(map[string]any{"model": "claude-sonnet-5", "max_tokens": 100, "messages": messages})
		request, err := tamp.Next(body, msg.Anthropic)
		if err != nil {
			fmt.Println(err)
			return
		}
		if i == 19 {
			fmt.Println("smaller:", len(request) < len(body)/2, "the rule:", bytes.Contains(request, []byte("port 8080")))
		}
		id := fmt.Sprint("call", i) // send the request; the answer is a call of a tool
		messages = append(messages,
			map[string]any{"role": "assistant", "content": []any{map[string]any{
				"type": "tool_use", "id": id, "name": "bash", "input": map[string]any{"command": "make"}}}},
			map[string]any{"role": "user", "content": []any{map[string]any{
				"type": "tool_result", "tool_use_id": id, "content": strings.Repeat("ok ", 400)}}})
	}
	fmt.Println("saved:", originals.Len() > 5000)
	// Output:
	// smaller: true the rule: true
	// saved: true
}

// The result of each call is that of a fold of the original history, whatever form of it the host sends, and also if it
// goes on in another process; every result that the request does not have was saved.
func TestCompactorTakesEachForm(t *testing.T) {
	members := map[string]string{msg.Anthropic: "messages", msg.OpenAIChat: "messages", msg.OpenAIResponses: "input",
		msg.Gemini: "contents"}
	compactions := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(members))).Draw(t, "format")
		s := rounds(16, 800)
		c, err := format.Parse(s.body(t, len(s.list)), s.format)
		require.NoError(t, err)
		if name != s.format {
			c, _, err = format.Convert(c, name)
			require.NoError(t, err)
		}
		doc, err := format.Render(c)
		require.NoError(t, err)
		list := rawjson.Value(doc).Member(members[name]).List()
		body := func(list []rawjson.Value) []byte {
			return SetMember(doc, members[name], append(append([]byte("["), bytes.Join(bytesOf(list), []byte(","))...), ']'))
		}

		var saved []byte
		o := Options{Policy: small(t, 8000), Save: func(originals []byte) error {
			saved = append(saved, originals...)
			return nil
		}}
		tamp := NewCompactor(o)
		whole, err := Read(doc, name)
		require.NoError(t, err)
		isOutcome := rapid.Bool().Draw(t, "the host goes on with the outcome")
		at, form := 0, list[:0]
		for at < len(list) {
			n := min(at+rapid.IntRange(1, 4).Draw(t, "more"), len(list))
			form = append(slices.Clip(form), list[at:n]...)
			at = n
			original := body(list[:n])
			if !slices.Contains(whole.Points(), len(messagesOf(t, original, name))) {
				continue // in the middle of a call
			}
			want := foldOf(t, original, name, Options{Policy: o.Policy})
			if want.Overflow {
				return
			}
			have, err := tamp.Next(body(form), name)
			require.NoError(t, err)
			require.Equal(t, blocksOf(t, want.Body, name), blocksOf(t, have, name))
			again, err := tamp.Next(body(form), name)
			require.NoError(t, err)
			require.Equal(t, string(have), string(again), "a call that is sent again")
			if isOutcome {
				form = rawjson.Value(have).Member(members[name]).List()
			}
			for i := range 16 {
				text := fmt.Sprintf(`line %d of core/msg/raw.go\n`, i)
				require.Equal(t, bytes.Contains(original, []byte(text)), bytes.Contains(append(have, saved...), []byte(text)))
			}
			compactions += strings.Count(string(saved), "\n")
			if rapid.Bool().Draw(t, "another process") {
				tamp, err = DecodeCompactor(tamp.Encode(), o)
				require.NoError(t, err)
			}
		}
	})
	require.Positive(t, compactions)
}

// blocksOf lists the blocks of a body. A content that is a string is a list if it has a breakpoint.
func blocksOf(t require.TestingT, data []byte, name string) (out []string) {
	c, err := format.Parse(data, name)
	require.NoError(t, err)
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			out = append(out, fmt.Sprint(m.Role, b.Kind, b.Text))
		}
	}
	return out
}

func TestCompactorAfterFailures(t *testing.T) {
	s, fails := rounds(16, 800), errors.New("disk full")
	tamp := NewCompactor(Options{Policy: small(t, 8000), Save: func([]byte) error { return fails }})
	data := s.body(t, 20)
	_, err := tamp.Next(data, s.format)
	require.ErrorIs(t, err, fails)
	require.Nil(t, tamp.Encode())
	fails = nil
	have, err := tamp.Next(data, s.format)
	require.NoError(t, err)
	require.Equal(t, string(foldOf(t, data, s.format, Options{Policy: small(t, 8000)}).Body), string(have))

	other := talk(3, 100)
	same, err := tamp.Next(other.body(t, 5), other.format)
	require.NoError(t, err)
	require.Equal(t, string(other.body(t, 5)), string(same), "another history")
	back, err := tamp.Next(s.body(t, 22), s.format)
	require.NoError(t, err)
	require.Equal(t, string(foldOf(t, s.body(t, 22), s.format, Options{Policy: small(t, 8000)}).Body), string(back))

	for code, tamp := range map[msg.Code]*Compactor{
		msg.BadRequest:      NewCompactor(Options{Policy: small(t, 8000)}), // where do the originals go?
		msg.ContextOverflow: NewCompactor(Options{Policy: small(t, 100), Save: func([]byte) error { return nil }}),
	} {
		_, err := tamp.Next(data, s.format)
		var e *msg.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, code, e.Code)
	}
	for _, bad := range []string{"x", "a b", "a b {}", "  "} {
		_, err := DecodeCompactor([]byte(bad), Options{})
		require.Error(t, err, bad)
	}
	stored := []byte(`{"model":"gpt-5","previous_response_id":"resp_1","input":[{"role":"user","content":"Go."}]}`)
	same, err = tamp.Next(stored, msg.OpenAIResponses)
	require.NoError(t, err)
	require.Equal(t, string(stored), string(same))
}
