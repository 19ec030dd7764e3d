package format

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// A conversation may be read by several threads: nothing is written behind the lines of a message.
func TestLoneKeepsWhatFollowsTheLines(t *testing.T) {
	lines := []rawjson.Value{rawjson.Value(`{"a":"\ud800"}`), rawjson.Value("3")}
	c := &msg.Conversation{Format: msg.OpenAIResponses,
		Messages: []msg.Message{{Lines: lines[:1], Raw: rawjson.Value("4")}}}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { lone(c) })
	}
	both.Wait()
	require.Equal(t, []msg.Place{{Ref: msg.Ref{Message: 0, Block: -1}}}, lone(c))
	require.Equal(t, "3", string(lines[1]))
}
