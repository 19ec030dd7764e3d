package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
)

// The op convert returns the conversation in the other format in the form in which it came, and the losses as an array.
func TestConvertOp(t *testing.T) {
	engine := &wire.Engine{}
	answer, err := engine.Do("convert", []byte(`{"to":"gemini","conversation":[{"role":"user","content":"hi"}]}`), nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"conversation":[{"role":"user","parts":[{"text":"hi"}]}],"losses":[]}`, string(answer.Header))

	answer, err = engine.Do("convert", []byte(`{"to":"openai-responses"}`),
		[]byte(`[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]`))
	require.NoError(t, err)
	var losses struct {
		Losses []struct{ Path, What, Became string }
	}
	require.NoError(t, json.Unmarshal(answer.Header, &losses))
	require.Len(t, losses.Losses, 1)
	require.Equal(t, "/0/content/0", losses.Losses[0].Path)
	require.JSONEq(t, `[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}]`,
		string(answer.Body))

	_, err = engine.Do("convert", []byte(`{"to":"codex"}`), []byte(`[{"role":"user","content":"hi"}]`))
	require.ErrorContains(t, err, "cannot convert to")
}
