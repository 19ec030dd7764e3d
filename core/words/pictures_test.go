package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/words"
)

// The pictures of an answer are named with its words: a summary has texts only.
func TestPicturesOfAnAnswer(t *testing.T) {
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}`
	for _, row := range [][2]string{
		{`[{"type":"text","text":"Like this."},` + image + `,` + image + `]`, "Like this. (with 2 pictures)"},
		{`[` + image + `]`, "(with 1 picture)"},
		{`"Like this."`, "Like this."},
	} {
		c, err := format.Parse([]byte(`[{"role":"user","content":"Draw it."},{"role":"assistant","content":[{"type":"tool_use","id":"q",
"name":"AskUserQuestion","input":{"question":"Which one?"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"q","content":`+row[0]+`}]}]`), msg.Anthropic)
		require.NoError(t, err)
		pairs := msg.Pair(c)
		w := words.Read(c, c.Turns(), &pairs, func(s string) int { return len(s) / 4 })
		said := w.Fit(func(*words.Said) bool { return true }, 10_000).Said()
		require.Len(t, said, 2)
		require.Equal(t, row[1], said[1].Text)
		require.Equal(t, "Which one?", said[1].Asked)
	}
}
