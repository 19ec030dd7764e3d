package copilotcli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// An answer without an id was read as a message of the user, and the results of its calls as orphans.
func TestAnswerWithoutID(t *testing.T) {
	log := `{"type":"session.start","data":{"sessionId":"s"},"id":"1","timestamp":"t","parentId":null}
{"type":"user.message","data":{"content":"x"},"id":"2","timestamp":"t","parentId":"1"}
{"type":"assistant.message","data":{"content":"","toolRequests":[{"toolCallId":"c","name":"f","arguments":{}}]},"id":"3","timestamp":"t","parentId":"2"}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"y"}},"id":"4","timestamp":"t","parentId":"3"}
`
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	require.Equal(t, msg.Assistant, c.Messages[1].Role)
	require.Empty(t, validity.Check(c))
	out, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, log, string(out))
}
