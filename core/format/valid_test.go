package format_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
)

// ParseValid returns the same conversation or the same error as Parse.
func TestParseValidIsParse(t *testing.T) {
	same := func(t require.TestingT, value []byte, name format.Name) {
		want, wantErr := format.Parse(value, name)
		got, gotErr := format.ParseValid(value, name, nil)
		require.Equal(t, wantErr, gotErr, "%s", value)
		if wantErr != nil {
			return
		}
		wantOut, err := format.Render(want)
		require.NoError(t, err)
		gotOut, err := format.Render(got)
		require.NoError(t, err)
		require.Equal(t, want.Format, got.Format)
		require.Equal(t, want.Messages, got.Messages)
		require.Equal(t, string(wantOut), string(gotOut))
	}
	for _, value := range []string{`[]`, `{}`, `7`, `"x"`, `null`, `{"messages":7}`, `{"messages":[7]}`,
		`[{"role":"user","parts":[]}]`,
		`{"type":"user","uuid":"u","message":{"role":"user","content":"x"}}`, `{"type":"user","uuid":"u","messages":[]}`} {
		for _, name := range append(format.Names(), "", "none") {
			same(t, []byte(value), name)
		}
	}
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := bytes.TrimSpace(convtest.Break(t, name, convtest.Conversation(t, name)))
		if convtest.IsLines(name, doc) {
			return // no JSON value
		}
		same(t, doc, "")
		same(t, doc, name)
	})
}
