package vscodechat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest/codecs"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) { codecs.OfFormat(t, msg.VSCodeChat) }

// A log of changes is not read: the error says what to give.
func TestLogOfChanges(t *testing.T) {
	for _, log := range []string{`{"kind":0,"v":{"version":3,"responderUsername":"","requests":[]}}`,
		`{"kind":0,"v":{"requests":[]}}` + "\n" + `{"kind":2,"k":["requests"],"v":[]}`} {
		_, err := format.Parse([]byte(log), "")
		require.ErrorContains(t, err, "chatSessions/*.jsonl")
		require.ErrorContains(t, err, "Chat: Export Chat...")
	}
}
