package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/tokens"
)

// White space between JSON tokens changes no count: the provider reads the values, not the text.
func TestWhiteSpaceCountsNothing(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := convtest.Conversation(t, name)
		require.Equal(t, count(t, name, doc), count(t, name, spaced(doc)))
	})
}

func count(t *rapid.T, name string, doc []byte) tokens.Counts {
	c, err := format.Parse(doc, name)
	require.NoError(t, err)
	return tokens.NewMeter(nil, c).Conversation(c)
}

// spaced puts a space after each colon and comma outside strings, as Python's json.dumps does, and keeps the lines.
func spaced(doc []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(doc); i++ {
		c := doc[i]
		out = append(out, c)
		switch {
		case inString && c == '\\':
			i++
			out = append(out, doc[i])
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}
