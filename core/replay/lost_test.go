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
