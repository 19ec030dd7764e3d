package claudecode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Every kind of attachment that the model reads is a message of the user; one that is only shown is none.
func TestKindsOfAttachments(t *testing.T) {
	for text, want := range map[string]string{
		`"type":"invoked_skills","skills":[{"name":"a","content":"one"},{"name":"b","content":"two"}]`:                          "one|two",
		`"type":"hook_additional_context","content":["one","two"],"hookEvent":"PostToolUse"`:                                    "one|two",
		`"type":"hook_blocking_error","blockingError":{"blockingError":"one","command":"lint"}`:                                 "one",
		`"type":"hook_success","hookEvent":"SessionStart","content":"one"`:                                                      "one",
		`"type":"hook_success","hookEvent":"PostToolUse","content":"one"`:                                                       "",
		`"type":"todo_reminder","content":[{"content":"one","status":"in_progress"}]`:                                           "one",
		`"type":"task_reminder","content":[{"id":"1","subject":"one"}]`:                                                         "one",
		`"type":"task_status","taskId":"b1","status":"completed","description":"one","deltaSummary":null`:                       "one",
		`"type":"diagnostics","files":[{"uri":"f","diagnostics":[{"message":"one"},{"message":"two"}]}]`:                        "one|two",
		`"type":"selected_lines_in_ide","filename":"/a.go","content":"one"`:                                                     "one",
		`"type":"mcp_resource","server":"s","content":{"contents":[{"uri":"u","text":"one"}]}`:                                  "one",
		`"type":"directory","path":"/src","content":"one"`:                                                                      "one",
		`"type":"compact_file_reference","filename":"/one.go"`:                                                                  "/one.go",
		`"type":"teammate_mailbox","messages":[{"from":"lead","text":"one"}]`:                                                   "one",
		`"type":"plan_mode","reminderType":"full","planFilePath":"/one.md"`:                                                     "/one.md",
		`"type":"prompt_snapshot","systemPrompt":["one"]`:                                                                       "",
		`"type":"hook_cancelled","command":"one"`:                                                                               "",
		`"type":"diagnostics","files":3`:                                                                                        "",
		`"type":"date","date":"x"},"rendered":[{"content":"<system-reminder>one</system-reminder>"}],"x":{"a":1`:                "<system-reminder>one</system-reminder>",
		`"type":"diagnostics","files":[{"diagnostics":[{"message":"two"}]}]},"rendered":[{"content":"one"},{"x":1}],"x":{"a":1`: "one",
		`"type":"queued_command","prompt":"one","commandMode":"prompt"`:                                                         "one",
		`"type":"queued_command","prompt":[{"type":"text","text":"one"}],"commandMode":"prompt"`:                                "one",
	} {
		log := `{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"start"}}` + "\n" +
			`{"type":"attachment","uuid":"2","parentUuid":"1","attachment":{` + text + "}}\n" +
			`{"type":"assistant","uuid":"3","parentUuid":"2","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"ok"}]}}` + "\n"
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		var texts []string
		for it := c.Walk(); it.Next(); {
			texts = append(texts, it.Block.Text)
		}
		all := []string{"start"}
		if want != "" {
			all = append(all, strings.Split(want, "|")...)
		}
		require.Equal(t, append(all, "ok"), texts, text)
		require.Empty(t, validity.Check(c), text)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, log, string(out))
		for i := range c.Messages { // each message can go, and each text can change
			messages := append(append([]msg.Message(nil), c.Messages[:i]...), c.Messages[i+1:]...)
			out, err := format.Render(c.WithMessages(messages))
			require.NoError(t, err)
			_, err = format.Parse(out, msg.ClaudeCode)
			require.NoError(t, err)
			blocks := append([]msg.Block(nil), c.Messages[i].Blocks...)
			last := len(blocks) - 1
			blocks[last] = blocks[last].WithText("other")
			messages = append([]msg.Message(nil), c.Messages...)
			messages[i] = messages[i].WithBlocks(blocks)
			out, err = format.Render(c.WithMessages(messages))
			require.NoError(t, err)
			back, err := format.Parse(out, "")
			require.NoError(t, err)
			found := false
			for it := back.Walk(); it.Next(); {
				found = found || it.Block.Text == "other"
			}
			require.True(t, found, "%s: %s", text, out)
		}
	}
}

// The lines of a message without an id are one message, by the id of its request, else as neighbors: the calls of a
// parallel round were reported as unanswered (A2), each but the last.
func TestLinesWithoutMessageID(t *testing.T) {
	for _, request := range []string{`"requestId":"r",`, ""} {
		log, up := `{"type":"user","uuid":"0","parentUuid":null,"message":{"role":"user","content":"start"}}`+"\n", 0
		add := func(layout string, v ...any) {
			log += fmt.Sprintf(`{"uuid":"%d","parentUuid":"%d",`, up+1, up) + fmt.Sprintf(layout, v...) + "}\n"
			up++
		}
		for round := range 4 {
			for k := range 3 {
				add(`"type":"assistant",%s"message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d%d","name":"f","input":{}}],`+
					`"usage":{"input_tokens":7,"output_tokens":1}}`, strings.Replace(request, "r\"", fmt.Sprintf("r%d\"", round), 1), round, k)
			}
			for k := range 3 {
				add(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d%d","content":"x"}]}`, round, k)
			}
		}
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		require.Len(t, c.Messages, 9)
		require.Empty(t, validity.Check(c))
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, log, string(out))
	}
}
