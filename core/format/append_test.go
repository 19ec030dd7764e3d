package format_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// A conversation that was read piece by piece is the one that is read in one piece.
func TestAppendIsParse(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		whole := convtest.Conversation(t, name)
		head, pieces := cut(t, name, whole)
		asked := rapid.SampledFrom([]string{"", name}).Draw(t, "asked")
		c, err := format.Parse(head, asked)
		if err != nil {
			return // a head that is no conversation by itself
		}
		for _, piece := range pieces {
			added, reread, err := format.Append(c, piece, asked, nil)
			require.NoError(t, err)
			if reread != nil {
				c = reread
			} else {
				c = c.WithMessages(append(c.Messages[:len(c.Messages):len(c.Messages)], added...))
			}
		}
		want, err := format.Parse(whole, asked)
		require.NoError(t, err)
		if asked == "" && want.Format != c.Format {
			require.False(t, format.FormatIsCertain(want), "the format may be open to the end, but not when it shows")
			return
		}
		require.Equal(t, plain(want.Messages), plain(c.Messages))
		text, err := format.Render(c)
		require.NoError(t, err)
		again, err := format.Parse(text, want.Format)
		require.NoError(t, err)
		require.Equal(t, plain(want.Messages), plain(again.Messages))
	})
}

// An answer of a client grows in its record, step by step.
func TestAppendOfAGrownRecord(t *testing.T) {
	for _, row := range [...]struct{ name, prompt, step, grown string }{
		{msg.AISDKUI, `{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]}`,
			`{"id":"a","role":"assistant","parts":[{"type":"tool-f","toolCallId":"t","state":"input-available","input":{}}]}`,
			`{"id":"a","role":"assistant","parts":[{"type":"tool-f","toolCallId":"t","state":"output-available","input":{},
				"output":"x"},{"type":"step-start"},{"type":"text","text":"done"}]}`},
		{msg.OpenCode, `{"info":{"id":"u","role":"user"},"parts":[{"type":"text","text":"hi"}]}`,
			`{"info":{"id":"a","role":"assistant"},"parts":[{"type":"tool","callID":"t","tool":"f","state":{"status":"running"}}]}`,
			`{"info":{"id":"a","role":"assistant"},"parts":[{"type":"tool","callID":"t","tool":"f","state":{"status":"completed",
				"output":"x"}}]}`},
	} {
		c, err := format.Parse([]byte("["+row.prompt+","+row.step+"]"), row.name)
		require.NoError(t, err)
		_, c, err = format.Append(c, []byte("["+row.grown+","+row.prompt+"]"), "", nil)
		require.NoError(t, err)
		text, err := format.Render(c)
		require.NoError(t, err)
		require.JSONEq(t, "["+row.prompt+","+row.grown+","+row.prompt+"]", string(text))
	}
}

// Of an answer that was compacted before it grew, only the parts that are new or changed come in.
func TestAppendOfAGrownRecordAfterACompaction(t *testing.T) {
	tool := func(id, state string) string {
		return `{"type":"tool-f","toolCallId":"` + id + `","state":"` + state + `}`
	}
	record := func(parts ...string) string {
		return `{"id":"a","role":"assistant","parts":[` + strings.Join(parts, ",") + `]}`
	}
	first := tool("t1", `output-available","input":{},"output":"long"`)
	cleared := tool("t1", `output-available","input":{},"output":"[…]"`)
	open, answered := tool("t2", `input-available","input":{}`), tool("t2", `output-available","input":{},"output":"y"`)
	const prompt, summary, text = `{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]}`,
		`{"id":"s","role":"user","parts":[{"type":"text","text":"earlier"}]}`, `{"type":"text","text":"done"}`
	for _, row := range [...]struct{ name, left, want string }{
		{"its result was cleared", prompt + "," + record(cleared, open), prompt + "," + record(cleared, answered, text)},
		{"its head was summarized", summary + "," + record(open), summary + "," + record(answered, text)},
		{"all of it was summarized", summary, summary + "," + record(answered, text)},
	} {
		c, err := format.Parse([]byte("["+row.left+"]"), msg.AISDKUI)
		require.NoError(t, err, row.name)
		_, grown, err := format.Append(c, []byte(record(first, answered, text)), "", rawjson.Value(record(first, open)))
		require.NoError(t, err, row.name)
		out, err := format.Render(grown)
		require.NoError(t, err, row.name)
		require.JSONEq(t, "["+row.want+"]", string(out), row.name)
	}
	given := format.Given(rawjson.Value(record(open)), []byte("["+record(answered)+"]"))
	require.Equal(t, record(answered), string(given))
	require.Nil(t, format.Given(rawjson.Value(record(open)), []byte("["+record(answered)+","+prompt+"]")), "not last")
	require.Nil(t, format.Given(rawjson.Value(record(open)), []byte(prompt)))
}

// plain leaves out what only a codec looks at.
func plain(messages []msg.Message) []msg.Message {
	out := append([]msg.Message{}, messages...)
	for i := range out {
		out[i].Origin = nil
	}
	return out
}

// cut takes messages or lines off the end of a conversation, as arrays or as lines.
func cut(t *rapid.T, name string, whole []byte) (head []byte, pieces [][]byte) {
	var list []rawjson.Value
	top := rawjson.Value(bytes.TrimSpace(whole))
	if name == msg.Aider {
		top = whole
	}
	body := top
	if convtest.IsLines(name, whole) {
		for line := range bytes.Lines(top) {
			if name != msg.Aider { // where white space is part of the texts
				line = bytes.TrimSpace(line)
			}
			list = append(list, rawjson.Value(bytes.TrimSuffix(line, []byte("\n"))))
		}
	} else {
		if top.Kind() == '{' {
			body = top.Member(convtest.List(name))
		}
		for _, e := range body.Elements() {
			list = append(list, e)
		}
	}
	at := rapid.IntRange(1, len(list)).Draw(t, "head")
	rest := list[at:]
	for len(rest) > 0 {
		n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
		var piece []byte
		oneLine := !bytes.Contains(bytes.Join(raws(rest[:n]), nil), []byte("\n"))
		if name == msg.Aider || oneLine && rapid.Bool().Draw(t, "lines") {
			for _, e := range rest[:n] {
				piece = append(append(piece, e...), '\n')
			}
		} else {
			piece = rawjson.Value("[]").WithElements(rest[:n])
		}
		pieces, rest = append(pieces, piece), rest[n:]
	}
	switch {
	case convtest.IsLines(name, whole):
		return append(bytes.Join(raws(list[:at]), []byte("\n")), '\n'), pieces
	case top.Kind() == '{':
		return top.With(convtest.List(name), body.WithElements(list[:at])), pieces
	}
	return body.WithElements(list[:at]), pieces
}

func raws(list []rawjson.Value) (out [][]byte) {
	for _, e := range list {
		out = append(out, e)
	}
	return out
}
