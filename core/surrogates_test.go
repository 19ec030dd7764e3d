package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/validator"
	"tamp/core/internal/rawjson"
	"tamp/core/policy"
	"tamp/core/validity"
)

// In any conversation with halves of surrogate pairs, Check reports them, and neither an outcome nor a conversion has
// one. Its archive has the same texts.
func TestNoOutcomeHasHalvesOfSurrogatePairs(t *testing.T) {
	found := 0
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		s := convtest.NewSession(convtest.Drawn(t), name)
		half := rapid.SampledFrom([]string{`\ud83d`, `\uDFFF`, `\ude00\ud83d`, "\xed\xa0\xbd"}).Draw(t, "half")
		doc := []byte(strings.ReplaceAll(string(s.Document(len(s.Messages))), " ", half))
		c, err := format.Parse(doc, name)
		if err != nil {
			return // a prompt is a name in some shape
		}
		request, err := validator.Decode(name, doc)
		if err != nil {
			return // lines of a log that cannot be read
		}
		broken := false
		for _, v := range request.Check() {
			broken = broken || v.Rule == string(validity.J1Surrogate)
		}
		require.Equal(t, broken, len(c.Lone) > 0, "%s", doc)
		if !broken {
			return // only in what an agent does not send of its log
		}
		found++
		require.Contains(t, validity.BrokenRules(c), validity.J1Surrogate)
		p, err := policy.Preset(rapid.SampledFrom([]string{"balanced", "harness", "turns"}).Draw(t, "preset"))
		require.NoError(t, err)
		p.Trigger.Window = 2000
		out, err := core.Compact(c, "", p, core.Env{Force: true}, core.Host{Save: func(archive []byte) error {
			require.True(t, rawjson.IsWhole(archive))
			return nil
		}})
		if err != nil {
			return // over the window
		}
		rendered, err := format.Render(out.Conversation)
		require.NoError(t, err)
		require.True(t, rawjson.IsWhole(rendered), "%s", rendered)
		for _, to := range []string{"anthropic", "openai-chat", "openai-responses", "gemini"} {
			made, _, err := format.Convert(c, to)
			require.NoError(t, err)
			rendered, err = format.Render(made)
			require.NoError(t, err)
			require.True(t, rawjson.IsWhole(rendered), "%s", rendered)
		}
	})
	require.Positive(t, found)
}

// A JSON text in a string has its own escapes, which become those of an object.
func TestConvertedInputsHaveNoHalves(t *testing.T) {
	const body = `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":` +
		`"function","function":{"name":"f","arguments":"{\"a\":\"\\ud83d\"}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}]}`
	c, err := format.Parse([]byte(body), "")
	require.NoError(t, err)
	require.Empty(t, validity.Check(c), "the request itself is valid")
	made, _, err := format.Convert(c, "anthropic")
	require.NoError(t, err)
	out, err := format.Render(made)
	require.NoError(t, err)
	require.Contains(t, string(out), `"input":{"a":"\ufffd"}`)
}
