package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/validity"
)

// TestConvertGolden converts the input of each file of testdata/convert, which has its format behind its name. The
// other sections are named by the target. They have the request, a message a line, and then the losses. Or a file has
// documents, one a line, and the requests in all other formats, each with its losses and what is invalid.
func TestConvertGolden(t *testing.T) {
	convtest.Golden(t, "convert/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		input := s.Names()[0]
		if input == "documents" {
			var out strings.Builder
			for _, d := range s.Documents() {
				converted(t, &out, d)
			}
			s.Want("converted", []byte(out.String()))
			return
		}
		c, err := format.Parse(bytes.TrimSpace(s.Section(input)), strings.TrimPrefix(input, "input "))
		require.NoError(t, err)
		for _, to := range s.Names()[1:] {
			made, losses, err := format.Convert(c, to)
			require.NoError(t, err)
			written, err := format.Render(made)
			require.NoError(t, err)
			_, err = format.Reparse(written, to)
			require.NoError(t, err)
			var out strings.Builder
			top := rawjson.Value(written)
			for it := top.Walk(); top.Kind() == '{' && it.Next(); {
				if it.Value.Kind() == '[' && it.Name == convtest.List(to) {
					top = it.Value
					break
				}
				fmt.Fprintf(&out, "%s: %s\n", it.Name, it.Value)
			}
			for _, e := range top.List() {
				fmt.Fprintf(&out, "%s\n", e)
			}
			for _, l := range losses {
				fmt.Fprintf(&out, "  %s: %s -> %s\n", l.Path, l.What, l.Became)
			}
			s.Want(to, []byte(out.String()))
		}
	})
}

// converted writes a document as each other request.
func converted(t *testing.T, w *strings.Builder, d convtest.Document) {
	fmt.Fprintln(w, d.Line)
	c, err := format.Parse(d.Data, d.Format)
	require.NoError(t, err)
	for _, to := range requests {
		if to == c.Format {
			continue
		}
		made, losses, err := format.Convert(c, to)
		require.NoError(t, err)
		written, err := format.Render(made)
		require.NoError(t, err)
		again, err := format.Reparse(written, to)
		require.NoError(t, err)
		fmt.Fprintf(w, "  %s: %s\n", to, written)
		for _, l := range losses {
			fmt.Fprintf(w, "    %s: %s -> %s\n", l.Path, l.What, l.Became)
		}
		for _, p := range validity.Check(again) {
			fmt.Fprintf(w, "    %s %s at %s\n", p.Severity, p.Rule, p.Path)
		}
	}
}

// The report has at most 1,000 losses.
func TestConvertReportsFewLosses(t *testing.T) {
	for n, want := range map[int]int{999: 999, 1000: 1000, 1001: 1000} {
		c, err := format.Parse([]byte(`[{"role":"user","content":"x"`+strings.Repeat(`},{"role":"user","content":"x","y":1`, n)+`}]`),
			msg.Anthropic)
		require.NoError(t, err)
		_, losses, err := format.Convert(c, msg.Gemini)
		require.NoError(t, err)
		require.Len(t, losses, want)
	}
}

// Lone has the places of halves of surrogate pairs. In a log only what its agent sends counts.
func TestPlacesOfHalves(t *testing.T) {
	place := func(m, b int, path string) msg.Place {
		return msg.Place{Ref: msg.Ref{Message: m, Block: b}, Path: path}
	}
	for _, row := range []struct {
		doc, name string
		places    []msg.Place
	}{
		{`{"system":"\ud800","messages":[{"role":"user","content":"\ud800"},{"role":"user","content":[{"type":"text","text":"a"},` +
			`{"type":"text","text":"\ud800"}],"x":"\ud800"},{"role":"user","content":"x","y":"\ud800"}],"x":["\ud800"]}`, msg.Anthropic,
			[]msg.Place{place(-1, -1, "/system"), place(-1, -1, "/x"), place(0, 0, "/messages/0/content"),
				place(1, 1, "/messages/1/content/1"), place(2, -1, "/messages/2")}},
		{`{"\ud800":1,"messages":[{"role":"user","content":"x"}]}`, msg.Anthropic, []msg.Place{place(-1, -1, "")}},
		{`[{"role":"user","content":"x"},{"role":"user","content":[],"x":"\ud800"}]`, msg.Anthropic,
			[]msg.Place{place(1, -1, "/1")}},
		{`[{"role":"user","content":"x"}]`, msg.Anthropic, nil},
		{`[{"role":"user","content":"\ud83d\ude00"}]`, msg.Anthropic, nil},
		{`[{"role":"user","content":"x"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]},` +
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","id":"\ud800"}]`, msg.OpenAIResponses,
			[]msg.Place{place(1, 1, "/2")}},
		{`{"type":"user","uuid":"\ud800","message":{"role":"user","content":"x"}}`, msg.ClaudeCode, nil},
		{`{"type":"user","uuid":"a","message":{"role":"user","content":"\ud800"}}`, msg.ClaudeCode,
			[]msg.Place{place(0, 0, "/0/message")}},
		{`{"info":{"id":"\ud800"},"messages":[{"info":{"id":"1","role":"user"},"parts":[{"type":"text","text":"x"}]}]}`, msg.OpenCode, nil},
	} {
		c, err := format.Parse([]byte(row.doc), row.name)
		require.NoError(t, err)
		require.Equal(t, row.places, c.Lone, row.doc)
		text, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, row.places == nil, row.doc == string(text), "%s", text)
		require.True(t, row.places == nil || rawjson.IsWhole(text))
	}

	// The last line of a log was cut inside a character, whose other bytes may still come.
	const line, cut = `{"type":"user","uuid":"a","message":{"role":"user","content":"\ud800"}}` + "\n", "{\"type\":\"\xe2\x82"
	c, err := format.Parse([]byte(line+cut), msg.ClaudeCode)
	require.NoError(t, err)
	require.Len(t, c.Lone, 1)
	text, err := format.Render(c)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(text), cut), "%q", text)
}
