package claudecode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

const attachments = `{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"Rename it."}}
{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}
{"type":"attachment","uuid":"3","parentUuid":"2","attachment":{"type":"queued_command","prompt":"never touch legacy/","commandMode":"prompt"}}
{"type":"user","uuid":"4","parentUuid":"3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"src"}]}}
{"type":"attachment","uuid":"5","parentUuid":"4","attachment":{"type":"file","filename":"/p/PLAN.md","content":{"type":"text","file":{"filePath":"/p/PLAN.md","content":"1. rename"}}}}
{"type":"attachment","uuid":"6","parentUuid":"5","attachment":{"type":"task_reminder","content":[],"itemCount":0}}
{"type":"assistant","uuid":"7","parentUuid":"6","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}]}}
`

// What the user wrote while the agent worked, and the files that Claude Code inserts, are messages: behind the results
// that they are among. Lines that do not change stay, and a changed one becomes a line of the user.
func TestAttachments(t *testing.T) {
	c, err := format.Parse([]byte(attachments), "")
	require.NoError(t, err)
	var texts []string
	for it := c.Walk(); it.Next(); {
		texts = append(texts, it.Block.Text)
	}
	require.Equal(t, []string{"Rename it.", "{}", "src", "never touch legacy/", "1. rename", "done"}, texts)
	require.False(t, c.Messages[3].Meta, "it is the user's own")
	require.True(t, c.Messages[4].Meta)
	same, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, attachments, string(same))
	for m := range c.Messages {
		changed := append([]msg.Message(nil), c.Messages...)
		changed[m] = changed[m].WithBlocks(append([]msg.Block{msg.TextBlock("new")}, changed[m].Blocks...))
		if c.Messages[m].Blocks[0].Kind == msg.KindToolResult {
			continue // results are first
		}
		out, err := format.Render(c.WithMessages(changed))
		require.NoError(t, err)
		back, err := format.Parse(out, "")
		require.NoError(t, err)
		require.Equal(t, told(changed), told(back.Messages), m)
	}
}

func told(messages []msg.Message) (all []string) {
	for i := range messages {
		for _, b := range messages[i].Blocks {
			all = append(all, string(messages[i].Role)+" "+b.Text)
		}
	}
	return all
}

// A compaction that lists the messages it keeps has them behind its anchor, in that order.
func TestPreservedMessages(t *testing.T) {
	line := func(uuid, parent, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","parentUuid":` + parent + `,"message":{"role":"user","content":"` + text +
			`"}}` + "\n"
	}
	log := line("a", "null", "old") + line("b", `"a"`, "kept 1") + line("c", `"b"`, "gone") + line("d", `"c"`, "kept 2") +
		`{"type":"system","subtype":"compact_boundary","uuid":"e","parentUuid":null,"compactMetadata":{"trigger":"auto",` +
		`"preservedMessages":{"anchorUuid":"f","uuids":["b","d"]}}}` + "\n" + line("f", `"e"`, "summary") + line("g", `"f"`, "next")
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	require.Equal(t, []string{"user summary", "user kept 1", "user kept 2", "user next"}, told(c.Messages))
}
