package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// requestsLog writes a log of Claude Code with its requests. A call is the member of its request, and its usage.
func requestsLog(calls ...[2]string) string {
	var out strings.Builder
	line := func(n int, kind, more string) {
		parent := `null`
		if n > 1 {
			parent = fmt.Sprintf(`"%d"`, n-1)
		}
		fmt.Fprintf(&out, `{"type":%q,"uuid":"%d","parentUuid":%s,"timestamp":"2026-11-29T10:00:%02dZ","message":{"role":%q,%s}}`+"\n",
			kind, n, parent, n, kind, more)
	}
	for _, hash := range []string{"s", "system", "tools"} {
		system, tool := "one", "Bash"
		if hash == "system" {
			system = "two"
		} else if hash == "tools" {
			tool = "Read"
		}
		fmt.Fprintf(&out, `{"type":"api-request-shape","shapeHash":%q,"shape":{"system":%q,"tools":[{"name":%q,"input_schema":{}}]}}`+"\n",
			hash, system, tool)
	}
	for i, call := range calls {
		line(2*i+1, "user", `"content":"go on"`)
		fmt.Fprintf(&out, `{"type":"api-request","id":"r%d","querySource":"sdk",%s}`+"\n", i, call[0])
		line(2*i+2, "assistant", fmt.Sprintf(`"id":"m%d","model":"claude-opus-4-5","content":[{"type":"text","text":"done"}],"usage":{%s}`,
			i, call[1]))
	}
	return out.String()
}

func usageText(read, written int) string {
	return fmt.Sprintf(`"input_tokens":10,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":5`, read, written)
}

// Where the log has the requests, the causes of breaks are those of what changed in them, not of what was read.
func TestCausesByLoggedRequests(t *testing.T) {
	text := requestsLog(
		[2]string{`"shapeHash":"s","keep":0,"tail":["a"]`, usageText(0, 50_000)},
		[2]string{`"shapeHash":"s","base":"r0","keep":1,"tail":["b","c"]`, usageText(50_000, 100)},
		[2]string{`"shapeHash":"s","base":"r1","keep":1,"tail":["B","c","d","e"]`, usageText(0, 50_200)},
		[2]string{`"shapeHash":"s","base":"r2","keep":5,"tail":["f","g"]`, usageText(0, 50_300)},
		[2]string{`"shapeHash":"tools","base":"r3","keep":7,"tail":["h","i"]`, usageText(20_000, 30_400)},
		[2]string{`"shapeHash":"system","keep":0,"tail":["a","B","c","d","e","f","g","h","i","j","k"]`, usageText(20_000, 30_500)},
		[2]string{`"shapeHash":"system","base":"r5","keep":2,"tail":["l"]`, usageText(0, 10_000)},
		[2]string{`"shapeHash":"system","base":"no such","keep":3,"tail":["m","n"]`, usageText(0, 10_100)},
	)
	c, err := format.Parse([]byte(text), "")
	require.NoError(t, err)
	r, err := Replay(c, policy.Policy{}, Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	var causes []string
	for i := range r.Calls {
		cause := ""
		for _, b := range r.Calls[i].Breaks {
			cause += b.Cause
		}
		causes = append(causes, cause)
	}
	require.Equal(t, []string{"", "", "edit", "evicted", "system", "system", "compaction", "system"}, causes,
		"the last request is compared with nothing in the log: its cause is that of what it read")
	var have []CallRequest
	for i := range r.Calls[:7] {
		request := *r.Calls[i].Request
		request.first = false
		have = append(have, request)
	}
	require.Equal(t, []CallRequest{{Messages: 1}, {Messages: 3, Kept: 1, Before: 1}, {Messages: 5, Kept: 1, Before: 3},
		{Messages: 7, Kept: 5, Before: 5}, {Messages: 9, Kept: 7, Before: 7, Tools: true},
		{Messages: 11, Kept: 9, Before: 9, System: true, Tools: true}, {Messages: 3, Kept: 2, Before: 11}}, have)
	require.Nil(t, r.Calls[7].Request)

	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	audit, err := Audit(c, p, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	sums := map[string]int{}
	for _, b := range audit.Breaks {
		sums[b.Cause] = b.Calls
	}
	require.Equal(t, map[string]int{"edit": 1, "evicted": 1, "system": 3, "compaction": 1}, sums)
	compacted, err := Replay(c, p, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Nil(t, compacted.Calls[1].Request, "a policy sends requests of its own")
}

// Requests of subagents and side calls are of no call; hostile lines are no requests.
func TestOddLoggedRequests(t *testing.T) {
	text := requestsLog([2]string{`"shapeHash":"s","keep":0,"tail":["a"]`, usageText(0, 50_000)})
	for _, odd := range []string{`"shapeHash":"s","base":"r0","keep":-1,"tail":["b"]`, `"shapeHash":"s","base":"r0","keep":9,"tail":["b"]`,
		`"shapeHash":"s","base":"r0","keep":"1","tail":3`, `"shapeHash":"none","base":"r0","keep":1,"tail":["b"]`,
		`"shapeHash":"s","base":"r0","keep":1,"tail":["b"],"querySource":"agent:x"`} {
		log := text + `{"type":"api-request","id":"x",` + odd + "}\n" +
			`{"type":"assistant","uuid":"9","parentUuid":"2","message":{"id":"m9","role":"assistant","content":[{"type":"text","text":"x"}]}}` + "\n"
		c, err := format.Parse([]byte(log), msg.ClaudeCode)
		require.NoError(t, err)
		require.Len(t, format.RequestsOf(c), 1, odd)
	}
}

// A result that the client has cleared in a later request is whole in the calls before it, and cleared from then on.
func TestRequestsWithChangedMessages(t *testing.T) {
	big := strings.Repeat("line of output ", 4000)
	message := func(n int, role, content string) string {
		parent := `null`
		if n > 1 {
			parent = fmt.Sprintf(`"%d"`, n-1)
		}
		id := ""
		if role == "assistant" {
			id = fmt.Sprintf(`"id":"m%d",`, n)
		}
		return fmt.Sprintf(`{"type":%q,"uuid":"%d","parentUuid":%s,"message":{%s"role":%q,"content":%s}}`+"\n", role, n, parent, id, role,
			content)
	}
	request := func(n int, more string) string {
		return fmt.Sprintf(`{"type":"api-request","id":"r%d","querySource":"sdk","shapeHash":"s",%s}`+"\n", n, more)
	}
	blob := func(hash, content string) string {
		return fmt.Sprintf(`{"type":"api-request-blob","hash":%q,"message":{"role":"user","content":%s}}`+"\n", hash, content)
	}
	result := func(text string) string {
		return fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t","content":%q}]`, text)
	}
	text := `{"type":"api-request-shape","shapeHash":"s","shape":{"system":"one","tools":[{"name":"Bash","input_schema":{}}]}}` + "\n" +
		message(1, "user", `"start"`) + blob("u1", `"start"`) + request(1, `"keep":0,"tail":["u1"]`) +
		message(2, "assistant", `[{"type":"tool_use","id":"t","name":"Bash","input":{}}]`) +
		message(3, "user", result(big)) + blob("u2", result(big)) + request(2, `"base":"r1","keep":1,"tail":["a1","u2"]`) +
		message(4, "assistant", `[{"type":"text","text":"read"}]`) +
		message(5, "user", `"go on"`) + blob("u2x", result("[cleared]")) + blob("u3", `"go on"`) +
		request(3, `"base":"r2","keep":2,"tail":["u2x","a2","u3"]`) +
		message(6, "assistant", `[{"type":"text","text":"done"}]`) +
		message(7, "user", `"more"`) + blob("u4", `"more"`) + request(4, `"base":"r3","keep":5,"tail":["a3","u4"]`) +
		message(8, "assistant", `[{"type":"text","text":"done again"}]`)
	c, err := format.Parse([]byte(text), "")
	require.NoError(t, err)
	o := Options{None: true, Count: tokens.Chars4}
	r, err := Replay(c, policy.Policy{}, o)
	require.NoError(t, err)
	var sent, messages []int
	for i := range r.Calls {
		sent, messages = append(sent, r.Calls[i].Sent), append(messages, r.Calls[i].Message)
	}
	require.Equal(t, []int{1, 3, 5, 7}, messages, "indexes of the session's messages")
	require.Greater(t, sent[1], sent[0]+len(big)/4-1)
	require.Less(t, sent[2], sent[1]-len(big)/5)
	require.Greater(t, sent[3], sent[2])
	for call, want := range map[int]string{2: big, 3: "[cleared]", 4: "[cleared]"} {
		prompt, err := At(c, policy.Policy{}, o, call)
		require.NoError(t, err)
		require.Equal(t, want, prompt.Messages[2].Blocks[0].Text)
	}
	lost := Lost(c, LostQuery{Words: "output"})
	require.Equal(t, 1, lost.Total)
	require.Equal(t, big, lost.Parts[0].Text)
	u, err := Usage(c, o)
	require.NoError(t, err)
	require.Equal(t, 4, u.Calls)
}
