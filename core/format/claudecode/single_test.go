package claudecode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format/claudecode"
	"tamp/core/msg"
)

// A log of one message is a tree too. What takes its place is linked, so that the line which the agent writes next,
// below the last one, leads back to all of it.
func TestOneMessageIsATree(t *testing.T) {
	c, err := claudecode.Parse([]byte(entry("a", "", "user", user("1"))))
	require.NoError(t, err)
	summary, ack := msg.TextMessage(msg.User, "summary"), msg.TextMessage(msg.Assistant, "Understood.")
	out, err := claudecode.Render(c.WithMessages([]msg.Message{summary, ack}))
	require.NoError(t, err)
	c, err = claudecode.Parse([]byte(string(out) + "\n" + entry("b", "a", "user", user("2"))))
	require.NoError(t, err)
	require.Equal(t, "user summary | assistant Understood. | user 2", tell(c))
}
