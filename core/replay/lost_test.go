package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
)

// lostLog is a log of Claude Code that was compacted after three reads; what follows uses names of the first one.
func lostLog(after ...string) string {
	var lines []string
	n := 0
	line := func(kind, content string) {
		parent := "null"
		if n > 0 && kind != "boundary" {
			parent = fmt.Sprintf(`"%d"`, n)
		}
		n++
		head := fmt.Sprintf(`"uuid":"%d","parentUuid":%s,"sessionId":"s","cwd":"/p"`, n, parent)
		switch kind {
		case "boundary":
			lines = append(lines, `{"type":"system","subtype":"compact_boundary","content":"Conversation compacted",`+head+`}`)
		case "assistant":
			lines = append(lines, fmt.Sprintf(`{"type":"assistant",%s,"message":{"id":"m%d","role":"assistant","content":%s}}`,
				head, n, content))
		default:
			lines = append(lines, fmt.Sprintf(`{"type":"user",%s,"message":{"role":"user","content":%s}}`, head, content))
		}
	}
	line("user", `"Fix the server."`)
	for i, text := range []string{"func ListenOnSocket() in /srv/listen.go", "func CloseSocket() in /srv/close.go",
		"nothing here"} {
		line("assistant", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":"Read","input":{"file":"%d"}}]`, i, i))
		line("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","content":%q}]`, i, text))
	}
	line("boundary", "")
	line("user", `"This session is being continued from a previous conversation. The server was read."`)
	for i, text := range after {
		line("assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, text))
		line("user", fmt.Sprintf(`"Go on %d."`, i))
	}
	return strings.Join(lines, "\n") + "\n"
}

func lostIn(t *testing.T, log string, q LostQuery) *Removed {
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	return Lost(c, q)
}

func TestLost(t *testing.T) {
	log := lostLog("I change CloseSocket.", "I change ListenOnSocket.", "It is in /srv/listen.go.")
	found := lostIn(t, log, LostQuery{})
	require.Equal(t, 2, found.Total)
	first := found.Parts[0]
	text := "func ListenOnSocket() in /srv/listen.go"
	require.Equal(t, Part{Path: first.Path, Kind: "tool_result", Role: "user", Tool: "Read", Input: `{"file":"0"}`, Calls: 2,
		Names: []string{"ListenOnSocket", "/srv/listen.go"}, Ref: core.Ref([]byte(text)), Text: text}, first)
	require.Equal(t, "func CloseSocket() in /srv/close.go", found.Parts[1].Text)

	require.Equal(t, []Part{first}, lostIn(t, log, LostQuery{Words: "LISTENonsocket func"}).Parts)
	require.Equal(t, []Part{first}, lostIn(t, log, LostQuery{Ref: first.Ref}).Parts)
	require.Equal(t, "nothing here", lostIn(t, log, LostQuery{Words: "nothing"}).Parts[0].Text, "no call needed it")
	require.Zero(t, lostIn(t, log, LostQuery{Words: "absent"}).Total)
	require.Empty(t, lostIn(t, lostLog("Done."), LostQuery{}).Parts, "nothing was needed")
}

// What the end of the log has is not lost.
func TestLostIsNotInTheEnd(t *testing.T) {
	log := lostLog("func CloseSocket() in /srv/close.go")
	for _, p := range lostIn(t, log, LostQuery{Words: "func"}).Parts {
		require.NotContains(t, p.Text, "CloseSocket")
	}
}

func TestLostWithoutACompaction(t *testing.T) {
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{{Role: msg.User,
		Blocks: []msg.Block{{Kind: msg.KindText, Text: "hi"}}}}}
	require.Equal(t, &Removed{Parts: []Part{}}, Lost(c, LostQuery{Words: "hi"}))
	require.Equal(t, &Removed{Parts: []Part{}}, Lost(c.WithMessages(nil), LostQuery{}))
}

func TestLostLimits(t *testing.T) {
	var log strings.Builder
	names := ""
	for i := range 90 {
		fmt.Fprintf(&log, `{"type":"user","uuid":"u%d","parentUuid":%s,"message":{"role":"user","content":"word%d /srv/file%d.go"}}`+"\n",
			i, map[bool]string{true: "null", false: fmt.Sprintf(`"u%d"`, i-1)}[i == 0], i, i)
		names += fmt.Sprintf(" /srv/file%d.go", i)
	}
	log.WriteString(`{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null}` + "\n" +
		`{"type":"user","uuid":"c","parentUuid":"b","message":{"role":"user","content":"Summary."}}` + "\n" +
		`{"type":"assistant","uuid":"d","parentUuid":"c","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"` +
		names + `"}]}}` + "\n")
	found := lostIn(t, log.String(), LostQuery{Words: "word"})
	require.Equal(t, 90, found.Total)
	require.Len(t, found.Parts, maxParts)
}

// The logs of agents that keep little or nothing at their own compactions, and the export of opencode.
func TestLostOfOtherAgents(t *testing.T) {
	for name, log := range map[string]string{
		msg.QwenCode: `{"uuid":"1","parentUuid":null,"sessionId":"s","type":"user","cwd":"/p","version":"0.24.4",` +
			`"message":{"role":"user","parts":[{"text":"ListenOnSocket is old"}]}}
{"uuid":"2","parentUuid":"1","sessionId":"s","type":"system","subtype":"chat_compression","cwd":"/p","version":"0.24.4",` +
			`"systemPayload":{"compressedHistory":[{"role":"user","parts":[{"text":"<state_snapshot>a</state_snapshot>"}]}]}}
{"uuid":"3","parentUuid":"2","sessionId":"s","type":"assistant","cwd":"/p","version":"0.24.4","model":"m",` +
			`"message":{"role":"model","parts":[{"text":"I use ListenOnSocket."}]}}
`,
		msg.KimiCode: `{"type":"metadata","protocol_version":"1.5","created_at":1}
{"type":"context.append_message","agentId":"main","message":{"role":"assistant","content":[{"type":"text",` +
			`"text":"ListenOnSocket is old"}],"toolCalls":[]},"time":1}
{"type":"context.apply_compaction","agentId":"main","summary":"sum","compactedCount":1,"time":1}
{"type":"context.append_message","agentId":"main","message":{"role":"user","content":[{"type":"text","text":"Go on."}],` +
			`"toolCalls":[]},"time":1}
{"type":"context.append_message","agentId":"main","message":{"role":"assistant","content":[{"type":"text",` +
			`"text":"I use ListenOnSocket."}],"toolCalls":[]},"time":1}
`,
		msg.CopilotCLI: `{"type":"session.start","data":{"sessionId":"s","version":1},"id":"0",` +
			`"timestamp":"2026-11-28T10:00:00Z","parentId":null}
{"type":"user.message","data":{"content":"ListenOnSocket is old","attachments":[]},"id":"1","parentId":"0"}
{"type":"session.compaction_complete","data":{"success":true,"messagesRemoved":1,"summaryContent":"sum"},"id":"2",` +
			`"parentId":"1"}
{"type":"assistant.message","data":{"messageId":"m","content":"I use ListenOnSocket.","toolRequests":[]},"id":"3","parentId":"2"}
`,
		msg.OpenCode: `[{"info":{"id":"1","role":"user"},"parts":[{"type":"text","text":"ListenOnSocket is old"}]},
{"info":{"id":"2","role":"user"},"parts":[{"type":"compaction","auto":true}]},
{"info":{"id":"3","role":"assistant","summary":true,"finish":"stop","parentID":"2"},"parts":[{"type":"text","text":"sum"}]},
{"info":{"id":"4","role":"user"},"parts":[{"type":"text","text":"Go on."}]},
{"info":{"id":"5","role":"assistant"},"parts":[{"type":"text","text":"I use ListenOnSocket."}]}]`,
	} {
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		require.Equal(t, name, c.Format)
		for _, q := range []LostQuery{{}, {Words: "listenonsocket"}} {
			found := Lost(c, q)
			require.Len(t, found.Parts, 1, name)
			require.Equal(t, "ListenOnSocket is old", found.Parts[0].Text, name)
			require.Equal(t, 1, found.Parts[0].Calls, name)
		}
	}
}
