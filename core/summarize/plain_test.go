package summarize

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestWithoutColors(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                    "plain",
		"\x1b[31mFAIL\x1b[0m a_test.go":            "FAIL a_test.go",
		"\x1b[1;38;5;3m[Router]\x1b[39m ok":        "[Router] ok",
		"\x1b[2Kerased, \x1b[ and \x1b[31 no code": "\x1b[2Kerased, \x1b[ and \x1b[31 no code",
		"\x1b[m": "",
	} {
		b := &msg.Block{Kind: msg.KindToolResult, Text: text}
		require.Equal(t, want, withoutColors(b).Text)
		require.Equal(t, text, b.Text)
	}
}
