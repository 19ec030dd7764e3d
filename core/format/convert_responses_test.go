package format_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

const programInput = `{"instructions":"x","tools":[{"type":"function","name":"build","parameters":{},"async":true}],"input":[
	{"type":"configuration_update","id":"cfg_1","reasoning":{"effort":"high"}},
	{"role":"user","content":"go"},
	{"type":"program","id":"prog_1","call_id":"p1","code":"read()","fingerprint":"AA"},
	{"type":"function_call","id":"fc_1","call_id":"c1","name":"read","arguments":"{}","caller":{"type":"program","caller_id":"p1"}},
	{"type":"function_call_output","call_id":"c1","output":"x"},
	{"type":"program_output","id":"po_1","call_id":"p1","result":"7","status":"completed"},
	{"type":"function_call","id":"fc_2","call_id":"c2","name":"build","arguments":"{}"},
	{"type":"additional_tools","role":"developer","tools":[]},
	{"role":"user","content":"on"},
	{"role":"assistant","content":"done"}]}`

// A program that grows item by item is read like the whole, and its outputs cannot be replaced by a text.
func TestAppendOfPrograms(t *testing.T) {
	whole, err := format.Parse([]byte(programInput), "")
	require.NoError(t, err)
	var body struct{ Input []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(programInput), &body))
	c, err := format.Parse([]byte(`{"tools":[{"type":"function","name":"build","async":true}],"input":[`+
		string(body.Input[0])+"]}"), "")
	require.NoError(t, err)
	for _, item := range body.Input[1:] {
		added, reread, err := format.Append(c, []byte("["+string(item)+"]"), msg.OpenAIResponses, nil)
		require.NoError(t, err)
		if c = c.WithMessages(append(c.Messages, added...)); reread != nil {
			c = reread
		}
	}
	require.Len(t, c.Messages, len(whole.Messages))
	for at, block := range whole.Blocks() {
		other := c.At(at)
		require.Equal(t, [2]bool{block.Server, block.Async}, [2]bool{other.Server, other.Async}, block.Path)
		require.Equal(t, block.ID == "c1" && block.Kind == msg.KindToolResult || block.ID == "p1", block.Server, block.Path)
		require.Equal(t, block.ID == "c2", block.Async, block.Path)
	}
}

// While a program runs, all its rounds are open.
func TestOpenProgram(t *testing.T) {
	open, _, _ := strings.Cut(programInput, `{"type":"program_output"`)
	c, err := format.Parse([]byte(strings.TrimRight(open, ",\n\t")+"]}"), "")
	require.NoError(t, err)
	require.Equal(t, 2, msg.OpenRound(c))
	whole, err := format.Parse([]byte(programInput), "")
	require.NoError(t, err)
	require.Equal(t, len(whole.Messages), msg.OpenRound(whole))
}
