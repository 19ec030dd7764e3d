package format_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// TestRecognized reads documents without a format, and with each: the names with the same answer stand together. An
// error says what the document is, and never quotes content.
func TestRecognized(t *testing.T) {
	convtest.Golden(t, "recognized/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		var text strings.Builder
		for _, d := range s.Documents() {
			fmt.Fprintf(&text, "%s\n  %s\n", d.Line, recognized(t, d.Data, ""))
			by, order := map[string][]string{}, []string(nil)
			for _, name := range format.Names() {
				as := recognized(t, d.Data, name)
				if by[as] == nil {
					order = append(order, as)
				}
				by[as] = append(by[as], name)
			}
			for _, as := range order {
				fmt.Fprintf(&text, "  given %s: %s\n", strings.Join(by[as], " "), as)
			}
		}
		s.Want("read", []byte(text.String()))
		require.NotContains(t, strings.ReplaceAll(text.String(), `"s3cr3t"`, ""), "s3cr3t")
	})
}

// recognized says what a document is read as: "read", without a name the format, or the error.
func recognized(t *testing.T, doc []byte, name format.Name) string {
	c, err := format.Parse(doc, name)
	if name == "" && err == nil {
		require.Equal(t, c.Format, format.Detect(doc))
		return c.Format
	}
	if err == nil {
		require.Equal(t, name, c.Format)
		return "read"
	}
	var known *msg.Error
	require.True(t, errors.As(err, &known), "%s: %v", doc, err)
	says, _, _ := strings.Cut(strings.Replace(known.Msg, " as "+name+": ", " as …: ", 1), "; accepted are ")
	says = fmt.Sprintf("%s at %q: %s", known.Code, known.Path, says)
	if name == "" {
		says = "detected " + strconv.Quote(format.Detect(doc)) + ", " + says
	}
	return says
}

func FuzzDetect(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/recognized/formats.txtar")
	require.NoError(f, err)
	for _, d := range convtest.Documents(archive.Files[0].Data) {
		f.Add(d.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := format.Detect(data)
		c, err := format.Parse(data, "")
		if name == "" {
			require.Error(t, err)
			return
		}
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		require.Equal(t, name, c.Format)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
	})
}
