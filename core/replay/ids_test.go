package replay

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// A conversation may be read by several threads: nothing is written behind the lines of a message.
func TestContentKeepsWhatFollowsTheLines(t *testing.T) {
	lines := []rawjson.Value{rawjson.Value("1"), rawjson.Value("2"), rawjson.Value("3")}
	m := msg.Message{Lines: lines[:2], Raw: rawjson.Value("4")}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { content(&m) })
	}
	both.Wait()
	require.Equal(t, "124", content(&m))
	require.Equal(t, "3", string(lines[2]))
}
