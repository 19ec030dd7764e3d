package document_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// frame is a list with white space: before the first element, between two, and after the last one.
type frame struct {
	elements []string
	gaps     []string // before each element, with the comma
	tail     string
}

var space = rapid.StringOfN(rapid.SampledFrom([]rune(" \t\r\n")), 0, 3, -1)

func drawFrame(t *rapid.T, n int, element func(int) string) (f frame) {
	for i := range n {
		gap := space.Draw(t, "gap")
		if i > 0 {
			gap += "," + space.Draw(t, "gap")
		}
		f.elements, f.gaps = append(f.elements, element(i)), append(f.gaps, gap)
	}
	f.tail = space.Draw(t, "tail")
	return f
}

// with is the slow way to write other elements: -1 for a new one, else the number of an old one.
func (f *frame) with(order []int, made string) string {
	text := "["
	for i, k := range order {
		element := made
		if k >= 0 {
			element = f.elements[k]
		}
		switch {
		case i == 0 && len(f.gaps) > 0:
			text += f.gaps[0]
		case i == 0:
		case k > 0:
			text += f.gaps[k]
		case len(f.gaps) > 1:
			text += f.gaps[1]
		case len(f.gaps) == 1:
			text += "," + f.gaps[0]
		default:
			text += ","
		}
		text += element
	}
	return text + f.tail + "]"
}

func count(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// A changed list keeps every byte around it, and the white space of the elements that are left.
func TestLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.SampledFrom([]struct{ name, list, content, text string }{
			{msg.Anthropic, "messages", "content", `{"type":"text","text":"`},
			{msg.OpenAIChat, "messages", "content", `{"type":"text","text":"`},
			{msg.OpenAIResponses, "input", "content", `{"type":"input_text","text":"`},
			{msg.Gemini, "contents", "parts", `{"text":"`},
		}).Draw(t, "format")
		block := func(i int) string { return row.text + "b" + strconv.Itoa(i) + `"}` }
		n := rapid.IntRange(0, 4).Draw(t, "elements")
		isBlocks := n > 0 && rapid.Bool().Draw(t, "blocks")
		var f frame
		head, foot := "", ""
		if isBlocks {
			f = drawFrame(t, n, block)
			head, foot = `[{"role":"user","`+row.content+`":`, `}]`
		} else {
			f = drawFrame(t, n, func(i int) string { return `{"role":"user","` + row.content + `":[` + block(i) + `]}` })
		}
		if rapid.Bool().Draw(t, "body") {
			head, foot = `{"`+row.list+`"`+space.Draw(t, "gap")+":"+head, foot+`,"x":1}`
		}
		head = rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(t, "mark") + space.Draw(t, "head") + head
		foot += space.Draw(t, "foot")
		whole := head + f.with(count(n), "") + foot
		c, err := format.Parse([]byte(whole), row.name)
		require.NoError(t, err, "%q", whole)

		order := rapid.Permutation(append(count(n), -1)).Draw(t, "order")
		order = order[:rapid.IntRange(0, n+1).Draw(t, "left")]
		made := ""
		var messages []msg.Message
		if isBlocks {
			if len(order) == 0 || row.name == msg.OpenAIResponses && slices.Contains(order, -1) {
				return // a message without a block, and a new part of an item, are written in another way
			}
			var blocks []msg.Block
			for _, k := range order {
				if k >= 0 {
					blocks = append(blocks, c.Messages[0].Blocks[k])
				} else {
					blocks = append(blocks, msg.TextBlock("new"))
				}
			}
			made = row.text + `new"}`
			messages = []msg.Message{c.Messages[0].WithBlocks(blocks)}
		} else {
			for _, k := range order {
				if k >= 0 {
					messages = append(messages, c.Messages[k])
				} else {
					messages = append(messages, msg.TextMessage(msg.User, "new"))
				}
			}
			empty, err := format.Parse([]byte("[]"), row.name)
			require.NoError(t, err)
			one, err := format.Render(empty.WithMessages([]msg.Message{msg.TextMessage(msg.User, "new")}))
			require.NoError(t, err)
			made = string(one[1 : len(one)-1])
		}
		out, err := format.Render(c.WithMessages(messages))
		require.NoError(t, err)
		require.Equal(t, head+f.with(order, made)+foot, string(out))
	})
}

// What is no conversation is refused with the reason and the place.
func TestRefuses(t *testing.T) {
	many := func(n int, element string) string { return strings.TrimSuffix(strings.Repeat(element+",", n), ",") }
	for _, row := range []struct {
		data, path, want string
	}{
		{"", "", "the input is empty at line 1, column 1"},
		{"\xEF\xBB\xBF \n", "", "the input is empty at line 1, column 1"},
		{"\xEF\xBB\xBF\n {", "", "at line 2, column 3"},
		{"\xFE\x00[\x00]\x00", "", "UTF-16"},
		{"\x00[\x00]", "", "UTF-16"},
		{"3", "", "it is a number"},
		{"true", "", "it is a boolean"},
		{"null", "", "it is null"},
		{`"x"`, "", "it is a string"},
		{`{"model":"m"}`, "", "this is an object with the key"},
		{`{"messages":"x"}`, "/messages", "messages is a string, it must be an array"},
		{`{"messages":{}}`, "/messages", "messages is an object, it must be an array"},
		{`{"messages":[],"tools":3}`, "/tools", "they are a number"},
		{`[[]]`, "/0", "it is an array, it must be an object with role and content"},
		{`[` + many(msg.MaxMessages+1, "0") + `]`, "/250000", "more than 250000 messages"},
		{`[` + many(msg.MaxMessages, "0") + `]`, "/0", "it is a number, it must be an object"},
	} {
		_, err := format.Parse([]byte(row.data), msg.Anthropic)
		var e *msg.Error
		require.True(t, errors.As(err, &e), "%.40q", row.data)
		require.Contains(t, e.Msg, row.want, "%.40q", row.data)
		require.Equal(t, row.path, e.Path, "%.40q", row.data)
	}
	for _, name := range []format.Name{msg.OpenAIChat, msg.OpenAIResponses} {
		_, err := format.Parse([]byte(`[{"role":"user","content":[3]}]`), name)
		require.ErrorContains(t, err, "it is a number", name)
	}
}

// The room counts every block; the error for one too many has its place.
func TestRoom(t *testing.T) {
	room := document.Room(2)
	require.NoError(t, room.Take("/0"))
	require.NoError(t, room.Take("/1"))
	err := room.Take("/2")
	require.ErrorContains(t, err, "more than 500000 blocks")
	require.Equal(t, "/2", err.(*msg.Error).Path)
}

// A count of tokens has at most nine digits; anything else counts as absent.
func TestInt(t *testing.T) {
	for text, want := range map[string]int{"7": 7, "999999999": 999_999_999, "1000000000": 0, "1.5": 0, "1e3": 0, `"5"`: 0, "null": 0} {
		c, err := format.Parse([]byte(`{"type":"assistant","uuid":"u","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"a"}],`+
			`"usage":{"input_tokens":`+text+`,"output_tokens":3}}}`), msg.ClaudeCode)
		require.NoError(t, err)
		require.Equal(t, want, c.Messages[0].Usage.Input, text)
	}
}

// sealed is the slow way to measure a ciphertext: at most three values deep.
func sealed(v any, depth int) (bytes int) {
	switch v := v.(type) {
	case string:
		rest := 175
		if strings.Contains(v, "gAAAA") {
			rest = 650
		}
		return max(0, len(v)*3/4-rest)
	case map[string]any:
		for _, value := range v {
			if depth > 0 {
				bytes = max(bytes, sealed(value, depth-1))
			}
		}
	case []any:
		for _, value := range v {
			if depth > 0 {
				bytes += sealed(value, depth-1)
			}
		}
	}
	return bytes
}

func TestSealed(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			kind := rapid.IntRange(0, 5).Draw(t, "kind")
			switch {
			case kind == 0:
				return 7.0
			case kind < 3 || depth == 0:
				return rapid.SampledFrom([]string{"", "gAAAA"}).Draw(t, "begin") +
					strings.Repeat("x", rapid.IntRange(0, 2000).Draw(t, "length"))
			case kind < 5:
				return map[string]any{"a": value(depth-1).Draw(t, "a"), "b": value(depth-1).Draw(t, "b")}
			}
			return []any{value(depth-1).Draw(t, "0"), value(depth-1).Draw(t, "1")}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		v := value(5).Draw(t, "value")
		raw, _ := json.Marshal(v)
		require.Equal(t, sealed(v, 3), document.Sealed(rawjson.Value(raw)), "%.300s", raw)
	})
}
