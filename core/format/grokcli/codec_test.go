package grokcli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest/codecs"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) { codecs.OfFormat(t, msg.GrokCLI) }

// A history is no log of another agent, also if that is asked for: its thinking looks like an item of Codex.
func TestDetection(t *testing.T) {
	log := []byte(`{"type":"system","content":"x"}` + "\n" + `{"type":"user","content":[{"type":"text","text":"x"}]}` + "\n" +
		`{"type":"reasoning","id":"r","summary":[]}` + "\n" + `{"type":"assistant","content":"y","model_id":"m"}`)
	require.Equal(t, msg.GrokCLI, format.Detect(log))
	for _, name := range []string{msg.Codex, msg.Pi, msg.ClaudeCode, msg.KimiCLI} {
		_, err := format.Parse(log, name)
		require.ErrorContains(t, err, "Grok", name)
	}
}
