//go:build !js

package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/forward"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
)

// aCall is a call that passed, with a prompt and its result.
func aCall(t *testing.T, prompt string, before, after int, u *Usage) *passed {
	body, err := forward.Read([]byte(`{"model":"claude-opus-4-5","messages":[{"role":"user","content":"`+prompt+`"}]}`), msg.Anthropic)
	require.NoError(t, err)
	return &passed{http.Header{}, &Prepared{body: body, Model: "claude-opus-4-5", Result: &forward.Result{}},
		&Entry{Status: 200, Upstream: "up", Before: before, After: after}, u, true}
}

func sessionOf(t *testing.T, s *Sessions) (v Session) {
	var list struct{ Sessions []Session }
	require.NoError(t, json.Unmarshal(s.List(), &list))
	require.Len(t, list.Sessions, 1)
	return list.Sessions[0]
}

// A call with a status from 400 is an error.
func TestErrorsOfASession(t *testing.T) {
	s := NewSessions(time.Now)
	for n, status := range []int{399, 400, 529} {
		x := aCall(t, "one", 100, 100, nil)
		x.entry.Status = status
		s.record(x)
		require.Equal(t, []int{n + 1, n}, []int{sessionOf(t, s).Calls, sessionOf(t, s).Errors})
	}
}

// The money of a session, computed by hand from the price of the model.
func TestMoneyOfASession(t *testing.T) {
	price := models.ProfileFor("claude-opus-4-5", "").Price
	require.Positive(t, price.Input)
	cost := func(input, read, write, output int) int {
		return (input*price.Input*1000+read*price.Input*price.Read+write*price.Input*price.Write5m)/1_000_000 +
			output*price.Output/1000
	}
	s := NewSessions(func() time.Time { return time.UnixMilli(1000) })
	s.record(aCall(t, "one", 9000, 9000, &Usage{Input: 1000, CacheRead: 2000, CacheWrite: 6000, Output: 500}))
	v := sessionOf(t, s)
	first := cost(1000, 2000, 6000, 500)
	require.Equal(t, []any{first, 0, true}, []any{v.Cost, v.Saved, v.Priced})
	require.Equal(t, Usage{1000, 2000, 6000, 500}, v.Usage)

	// Half of the prompt was compacted away. Without it, 9,000 would be read and 3,000 written.
	s.record(aCall(t, "one", 12_000, 6000, &Usage{Input: 0, CacheRead: 4000, CacheWrite: 2000, Output: 100}))
	v = sessionOf(t, s)
	saved := cost(0, 9000, 3000, 0) - cost(0, 4000, 2000, 0)
	require.Equal(t, []int{first + cost(0, 4000, 2000, 100), saved}, []int{v.Cost, v.Saved})

	// A client that does not cache.
	s.record(aCall(t, "one", 12_000, 3000, &Usage{Input: 3000, Output: 10}))
	v = sessionOf(t, s)
	saved += cost(12_000, 0, 0, 0) - cost(3000, 0, 0, 0)
	require.Equal(t, saved, v.Saved)
	require.Equal(t, Usage{4000, 6000, 8000, 610}, v.Usage)

	// The prompt without compaction was 12,000; a shorter one is read as a whole.
	s.record(aCall(t, "one", 10_000, 5000, &Usage{CacheRead: 5000}))
	require.Equal(t, saved+cost(0, 10_000, 0, 0)-cost(0, 5000, 0, 0), sessionOf(t, s).Saved)

	unknown := aCall(t, "one", 1, 1, &Usage{Input: 10, Output: 10})
	unknown.p.Model = "no such model"
	s.record(unknown)
	v = sessionOf(t, s)
	require.False(t, v.Priced)
	require.Equal(t, 4010, v.Usage.Input)
	s.record(aCall(t, "one", 0, 0, nil))
	require.Equal(t, 6, sessionOf(t, s).Calls)
}

// A call to OpenAI that writes to the cache is billed for that: GPT-6 Astra charges 1.25 times the input for a write.
func TestMoneyOfCacheWrites(t *testing.T) {
	u := usageOf(`{"usage":{"prompt_tokens":100000,"completion_tokens":100,"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":90000}}}`, 50)
	price := models.ProfileFor("gpt-6-astra", "").Price
	require.Equal(t, 1250, price.Write5m)
	s := NewSessions(time.Now)
	x := aCall(t, "one", 100_000, 100_000, u)
	x.p.Model = "gpt-6-astra"
	s.record(x)
	v := sessionOf(t, s)
	require.Equal(t, Usage{10_000, 0, 90_000, 100}, v.Usage)
	require.Equal(t, (10_000*price.Input+90_000*price.Input*5/4+100*price.Output)/1000, v.Cost)
}

// What the list says of a session and of its calls.
func TestFiguresOfASession(t *testing.T) {
	now := time.UnixMilli(1000)
	s := NewSessions(func() time.Time { return now })
	client := strings.Repeat("a", maxNameLength) + "b\xff"
	for i, status := range []int{200, 399, 400, 500} {
		call := aCall(t, "one", 100+i, 50+i, nil)
		call.header.Set("User-Agent", client)
		call.entry.Status, call.entry.Reason = status, fmt.Sprint("r", i)
		if i > 1 {
			call.entry.Cause = "hard"
		}
		if i == 3 {
			call.p.policy.Trigger.Window = 4321
		}
		now = now.Add(time.Second)
		s.record(call)
		if i == 0 {
			require.Equal(t, models.WindowOf("claude-opus-4-5"), sessionOf(t, s).Window)
		}
	}
	v := sessionOf(t, s)
	require.Equal(t, client[:maxNameLength], v.Client)
	require.Equal(t, []any{4, 2, 103, 53, 4321, int64(2000), int64(5000), "up", "claude-opus-4-5", true},
		[]any{v.Calls, v.Errors, v.Before, v.After, v.Window, v.Started, v.Last, v.Upstream, v.Model, v.Request})
	require.Equal(t, []Compaction{{3, "hard", 102, 52}, {4, "hard", 103, 53}}, v.Compactions)
	var one struct{ Log []SessionCall }
	require.NoError(t, json.Unmarshal(s.One(v.ID), &one))
	require.Equal(t, SessionCall{4, 5000, 500, 103, 53, "hard", "r3", nil}, one.Log[3])
	require.Len(t, one.Log, 4)
	require.Contains(t, string(s.Request(v.ID)), `"content":"one"`)
	require.Nil(t, s.Request("none"))
	require.Nil(t, s.One("none"))

	for _, skip := range []func(*passed){func(c *passed) { c.entry.Status = 0 },
		func(c *passed) { c.p = &Prepared{Reason: reasonNoHistory} }} {
		call := aCall(t, "another", 1, 1, nil)
		skip(call)
		s.record(call)
		require.Equal(t, 4, sessionOf(t, s).Calls)
	}
	for range maxSessionCalls + 5 {
		call := aCall(t, "one", 1, 1, nil)
		call.entry.Cause = "soft"
		s.record(call)
	}
	require.NoError(t, json.Unmarshal(s.One(v.ID), &one))
	require.Len(t, one.Log, maxSessionCalls)
	require.Equal(t, maxSessionCalls+9, one.Log[maxSessionCalls-1].Number)
	v = sessionOf(t, s)
	require.Len(t, v.Compactions, 100)
	require.Equal(t, maxSessionCalls+9, v.Compactions[99].Call)
}

// A session whose requests are not read is listed with the reason, and has no sizes of its own.
func TestSessionsThatAreNotRead(t *testing.T) {
	s := NewSessions(time.Now)
	for _, reason := range []string{reasonTooLarge, reasonEncoded, reasonStored, reasonPolicy, "bad_json", "too_much_work",
		reasonInternal} {
		call := aCall(t, "one", 0, 0, &Usage{Input: 10})
		call.header.Set("X-Session-Id", reason)
		call.p, call.entry.Reason = &Prepared{Reason: reason}, reason
		s.record(call)
		v := s.sorted()[0]
		require.Equal(t, []any{reason, 1, 0, 0, false, 10},
			[]any{v.Reason, v.Calls, v.Before, v.After, v.Request, v.Usage.Input})
	}
	// A call that is not read leaves the sizes of the one before.
	known := aCall(t, "two", 30, 20, nil)
	s.record(known)
	known.p.Result, known.entry = nil, &Entry{Status: 200, Reason: "too_much_work"}
	s.record(known)
	v := s.sorted()[0]
	require.Equal(t, []any{"too_much_work", 2, 30, 20}, []any{v.Reason, v.Calls, v.Before, v.After})
}

// The log has names of models, and of other texts that a request has in their place only that there was one.
func TestModelNamesInTheLog(t *testing.T) {
	for _, name := range []string{"", "claude-opus-4-5", "claude-opus-4-6[1m]", "us.anthropic.claude-v1:0", "openai/gpt-5",
		"@cf/meta/llama-3", "Qwen3_Coder"} {
		require.Equal(t, name, modelName(name))
	}
	for _, text := range []string{"a text", "line\nline", "a\x00", "naïve", strings.Repeat("x", 81), "{}", "a=b"} {
		require.Equal(t, "other", modelName(text))
	}
}

// A session is named by the client's name for it, the credential and the first message; another server has other names.
func TestNamesOfSessions(t *testing.T) {
	s := NewSessions(time.Now)
	seen := map[string]bool{s.id(aCall(t, "one", 1, 1, nil)): true, s.id(aCall(t, "two", 1, 1, nil)): true}
	require.Equal(t, s.id(aCall(t, "one", 1, 1, nil)), s.id(aCall(t, "one", 2, 2, nil)))
	credentials := []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"}
	for _, name := range append(credentials, sessionHeaders[:]...) {
		call := aCall(t, "one", 1, 1, nil)
		call.header.Set(name, "x")
		call.p.credential = credential(call.header, &endpoint{})
		seen[s.id(call)] = true
	}
	seen[NewSessions(time.Now).id(aCall(t, "one", 1, 1, nil))] = true
	require.Len(t, seen, 2+4+len(sessionHeaders)+1)
	for id := range seen {
		require.Len(t, id, 16)
	}
}

// The last used first, and only the requests that may be kept.
func TestOrderOfSessions(t *testing.T) {
	now := time.UnixMilli(0)
	s := NewSessions(func() time.Time { return now })
	for _, prompt := range []string{"a", "b", "c", "a"} {
		now = now.Add(time.Second)
		call := aCall(t, prompt, 1, 1, nil)
		call.header.Set("User-Agent", prompt)
		call.keep = prompt != "b"
		s.record(call)
	}
	var list struct{ Sessions []Session }
	require.NoError(t, json.Unmarshal(s.List(), &list))
	require.Len(t, list.Sessions, 3)
	for i, want := range []string{"a", "c", "b"} {
		require.Equal(t, want, list.Sessions[i].Client)
		require.Equal(t, want != "b", list.Sessions[i].Request)
		require.Equal(t, want != "b", s.Request(list.Sessions[i].ID) != nil)
	}
	large := aCall(t, strings.Repeat("x", maxKeptRequests/4), 1, 1, nil)
	s.record(large)
	require.Nil(t, s.Request(s.id(large)), "over a quarter of the memory for all")
}

// The requests that are kept have at most the limit together; the oldest go first.
func TestMemoryOfRequests(t *testing.T) {
	now := time.UnixMilli(0)
	s := NewSessions(func() time.Time { return now })
	var calls []*passed
	for i := range 6 {
		now = now.Add(time.Second)
		calls = append(calls, aCall(t, fmt.Sprint(i)+strings.Repeat("x", maxKeptRequests/4-100), 1, 1, nil))
		s.record(calls[i])
	}
	kept := 0
	for i, call := range calls {
		request := s.Request(s.id(call))
		kept += len(request)
		require.Equal(t, i >= 2, request != nil, i)
	}
	require.LessOrEqual(t, kept, maxKeptRequests)
}

// The list as events: at once, after each call, and to the end of the server or of the client.
func TestEventsOfSessions(t *testing.T) {
	s := NewSessions(time.Now)
	server := httptest.NewServer(http.HandlerFunc(s.Events))
	defer server.Close()
	open := func() (*http.Response, func() string, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { response.Body.Close() })
		lines := bufio.NewReader(response.Body)
		return response, func() string {
			var event strings.Builder
			for {
				line, err := lines.ReadString('\n')
				if err != nil || line == "\n" {
					return event.String()
				}
				event.WriteString(line)
			}
		}, cancel
	}
	response, next, _ := open()
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	require.Equal(t, "event: sessions\ndata: {\"sessions\":[]}\n", next())
	s.record(aCall(t, "one", 7, 7, nil))
	event := next()
	require.True(t, strings.HasPrefix(event, "event: sessions\ndata: {\"sessions\":[{"), event)
	require.Contains(t, event, `"before":7`)
	s.record(aCall(t, "one", 8, 8, nil))
	require.Contains(t, next(), `"before":8`)

	_, other, leave := open()
	require.Contains(t, other(), `"before":8`)
	leave()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.changed) == 1
	}, 30*time.Second, time.Millisecond)
	s.Close()
	_, err := io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
}

// The note says what the log says.
func TestNotes(t *testing.T) {
	r := &forward.Result{Before: 10, After: 5, Cleared: 3, Summaries: 2, Cause: "hard"}
	for want, p := range map[string]*Prepared{
		"passed reason=x": {Reason: "x"},
		"before=10 after=5 cleared=3 summaries=2 checkpoint=none":                         {Result: r, Known: true},
		"before=10 after=5 cleared=3 summaries=2 checkpoint=hit warning=unknown_model":    {Result: r, Hit: true},
		"passed reason=x before=10 after=5 cleared=3 summaries=2 checkpoint=none":         {Result: r, Known: true, Reason: "x"},
		"before=1 after=1 cleared=0 summaries=0 checkpoint=none warning=context_overflow": {Result: &forward.Result{Before: 1, After: 1, Overflow: true}, Known: true},
		"": {},
	} {
		require.Equal(t, want, p.Note())
		var e Entry
		e.describe(p)
		require.Equal(t, p.Reason, e.Reason)
		if p.Result == r {
			require.Equal(t, []any{10, 5, 3, 2, "hard"}, []any{e.Before, e.After, e.Cleared, e.Summaries, e.Cause})
			require.Equal(t, p.Hit, e.Checkpoint == "hit")
		}
		e = Entry{Reason: "own"}
		e.describe(p)
		require.Equal(t, "own", e.Reason)
	}
}

// The edits of Anthropic set the policy, with the vendor's defaults.
func TestEditsSetThePolicy(t *testing.T) {
	defaults, err := policy.Preset("clear_tool_uses")
	require.NoError(t, err)
	of := func(edit string) policy.Policy {
		rest, edits := takeEdits([]byte(`{"context_management":{"edits":[` + edit + `]},"x":1}`))
		require.Equal(t, `{"x":1}`, string(rest))
		require.Len(t, edits, 1)
		p, err := policy.Preset(policy.Default)
		require.NoError(t, err)
		edits[0].apply(&p)
		return p
	}
	const tools = `{"type":"clear_tool_uses_20250919"`
	defaults.Clear.KeepTools = nil
	require.Equal(t, defaults.Clear, of(tools+"}").Clear)
	p := of(tools + `,"trigger":{"type":"input_tokens","value":7000},"keep":{"type":"tool_uses","value":5},"clear_at_least":{"value":900},` +
		`"exclude_tools":["a","b"],"clear_tool_inputs":["c"]}`)
	require.Equal(t, []any{7000, 0, 5, 900, []string{"a", "b"}, []string{"c"}}, []any{p.Clear.TriggerTokens,
		p.Clear.TriggerToolUses,
		p.Clear.KeepRecent, p.Clear.ClearAtLeast, p.Clear.KeepTools, p.Clear.ClearToolInputs})
	p = of(tools + `,"trigger":{"type":"tool_uses","value":30},"clear_tool_inputs":true}`)
	require.Equal(t, []any{0, 30, []string{"*"}}, []any{p.Clear.TriggerTokens, p.Clear.TriggerToolUses,
		p.Clear.ClearToolInputs})
	require.Empty(t, of(tools+`,"clear_tool_inputs":false}`).Clear.ClearToolInputs)
	const thinking = `{"type":"clear_thinking_20251015"`
	require.Equal(t, 1, of(thinking+"}").Thinking.KeepTurns)
	require.Equal(t, 4, of(thinking+`,"keep":{"type":"thinking_turns","value":4}}`).Thinking.KeepTurns)
	require.Equal(t, 0, of(thinking+`,"keep":"all"}`).Thinking.KeepTurns)
	require.Equal(t, defaultTrigger, of(`{"type":"compact_20260112"}`).Trigger.Tokens)
	require.Equal(t, 60_000, of(`{"type":"compact_20260112","trigger":{"type":"input_tokens","value":60000}}`).Trigger.Tokens)
	for _, bad := range []string{`{`, `{"context_management":7}`, `{"context_management":{"edits":7}}`, `{"context_management":{"edits":[{"type":"x"}]}}`,
		`{"context_management":{"edits":[` + tools + `,"keep":{"value":-1}}]}}`, `{"context_management":{"edits":[` + tools + `},{"type":"x"}]}}`,
		`{"context_management":{"edits":[` + tools + `,"keep":"x"}]}}`, `[]`, `{}`} {
		rest, edits := takeEdits([]byte(bad))
		require.Equal(t, bad, string(rest))
		require.Empty(t, edits)
	}
}

// A member is added at the end of a document or of an event, and never to what is none.
func TestInsert(t *testing.T) {
	member := []byte(`,"m":{}`)
	for text, want := range map[string]string{`{"a":1}`: `{"a":1,"m":{}}`, "data: {\"a\":{}}\n": "data: {\"a\":{},\"m\":{}}\n", " {\"a\":1} ": " {\"a\":1,\"m\":{}} ",
		"": "", "data: [DONE]": "data: [DONE]", `{"a":1`: `{"a":1`, "}": "}", `x{"a":1}`: `x{"a":1}`} {
		require.Equal(t, want, string(insert([]byte(text), member)))
	}
}

// The items and the blocks of this gateway are replaced by what they hold; whatever else looks so stays.
func TestExpand(t *testing.T) {
	const held = "tamp1:W3sicm9sZSI6InVzZXIiLCJjb250ZW50IjoiaGkifV0=" // [{"role":"user","content":"hi"}]
	item := func(content string) string {
		return `{"type":"compaction","id":"c","encrypted_content":"` + content + `"}`
	}
	const hi, other = `{"role":"user","content":"hi"}`, `{"role":"user","content":"go"}`
	for input, want := range map[string]string{
		"[" + item(held) + "," + other + "]":                    "[" + hi + "," + other + "]",
		"[" + other + "," + item(held) + "," + item(held) + "]": "[" + other + "," + hi + "," + hi + "]",
		"[" + item("other:x") + "," + item(held) + "]":          "[" + item("other:x") + "," + hi + "]",
		"[" + item("tamp1:!") + "]":                             "[" + item("tamp1:!") + "]",
		"[" + item("tamp1:bnVsbA") + "]":                        "[" + item("tamp1:bnVsbA") + "]",
		"[" + item("tamp1:e30=") + "]":                          "[" + item("tamp1:e30=") + "]",
		`["` + held + `"]`:                                      `["` + held + `"]`,
		`"` + held + `"`:                                        `"` + held + `"`,
		`[{"type":"other","encrypted_content":"` + held + `"}]`: `[{"type":"other","encrypted_content":"` + held + `"}]`,
	} {
		got := expand([]byte(`{"a":1.50,"input":` + input + `,"z":2}`))
		require.Equal(t, `{"a":1.50,"input":`+want+`,"z":2}`, string(got))
	}
	for _, same := range []string{"", "{", `{"input":["` + held, `{"x":"` + held + `"}`, `[` + item(held) + `]`} {
		require.Equal(t, same, string(expand([]byte(same))))
	}

	block := func(content, held string) string { return `{"type":"compaction","content":` + content + held + `}` }
	const text = `{"type":"text","text":"t"}`
	by := `,"encrypted_content":"` + held + `"`
	prompt := func(text string) string {
		return `{"role":"user","content":[{"type":"text","text":"[Compressed]\n\n` + text + `"}]}`
	}
	assistant := func(content string) string { return `{"role":"assistant","content":[` + content + `]}` }
	for messages, want := range map[string]string{
		other + "," + assistant(block(`"s"`, by)+","+text) + "," + other:    hi + "," + assistant(text) + "," + other,
		other + "," + assistant(block(`"s"`, by)):                           hi,
		other + "," + assistant(text+","+block(`"s"`, by)):                  hi,
		other + "," + assistant(block(`"s"`, "")+","+text):                  prompt("s") + "," + assistant(text),
		assistant(block(`"s\n\n## The current request\nu"`, "")):            strings.Replace(prompt("s"), `"}`, `"},{"type":"text","text":"u"}`, 1),
		other + "," + assistant(block("null", by)+","+text):                 other + "," + assistant(text),
		other + "," + assistant(block(`""`, by)):                            other,
		assistant(block(`"1"`, "")) + "," + assistant(block(`"2"`, "")):     prompt("2"),
		assistant(block(`"s"`, `,"encrypted_content":"x"`)):                 prompt("s"),
		assistant(block(`"s"`, `,"encrypted_content":"tamp1:W10="`)):        prompt("s"), // []
		assistant(block(`"s"`, `,"encrypted_content":"tamp1:WzFd"`)):        prompt("s"), // [1]
		assistant(block(`"s"`, `,"encrypted_content":"tamp1:e30="`)):        prompt("s"), // {}
		assistant(block(`"s"`, `,"encrypted_content":"W3t9XQ=="`)):          prompt("s"), // no prefix
		`{"role":"user","content":"say \"compaction\""},` + assistant(text): `{"role":"user","content":"say \"compaction\""},` + assistant(text),
		assistant(`{"type":"x","text":"compaction"},7`):                     assistant(`{"type":"x","text":"compaction"},7`),
	} {
		got := expandBlocks([]byte(`{"messages":[` + messages + `],"z":2}`))
		require.Equal(t, `{"messages":[`+want+`],"z":2}`, string(got), messages)
	}
	for _, same := range []string{`{"messages":"compaction"}`, `{"messages":["compaction"`, `{"x":"compaction"}`} {
		require.Equal(t, same, string(expandBlocks([]byte(same))))
	}
}

// The reporter changes the bytes of a response only where a member or a block belongs, whatever the size of its reads.
func TestReporter(t *testing.T) {
	for _, row := range []struct {
		stream     bool
		block      string
		text, want string
	}{
		{false, "", `{"a":1}`, `{"a":1,"m":1}`}, {false, "", "no JSON", "no JSON"}, {false, "", "", ""},
		{false, `{"b":1}`, `{"content":[{"c":1}]}`, `{"content":[{"b":1},{"c":1}],"m":1}`},
		{false, `{"b":1}`, `{"content":[]}`, `{"content":[{"b":1}],"m":1}`},
		{false, `{"b":1}`, `{"content":"text"}`, `{"content":"text","m":1}`}, {false, `{"b":1}`, `{`, `{`},
		{true, "", "data: {\"type\":\"message_delta\"}\n\ndata: {\"type\":\"x\",\"index\":0}\n", "data: {\"type\":\"message_delta\",\"m\":1}\n\ndata: {\"type\":\"x\",\"index\":0}\n"},
		{true, "", "data: {\"type\":\"x\",\"text\":\"message_delta\"}\n", "data: {\"type\":\"x\",\"text\":\"message_delta\"}\n"},
		{true, "", "event: message_delta\ndata: message_delta\n", "event: message_delta\ndata: message_delta\n"},
		{true, "B\n", "event: message_start\ndata: {\"type\":\"message_start\"}\n\n\ndata: {\"type\":\"x\",\"index\": 4}\ndata: {}\n",
			"event: message_start\ndata: {\"type\":\"message_start\"}\n\nB\n\ndata: {\"type\":\"x\",\"index\": 5}\ndata: {}\n"},
	} {
		for _, size := range []int{1, 3, 4096} {
			r := &reporter{from: io.NopCloser(nil), lines: bufio.NewReader(strings.NewReader(row.text)), stream: row.stream,
				member: []byte(`,"m":1`)}
			if row.block != "" {
				r.block = []byte(row.block)
			}
			var got bytes.Buffer
			_, err := io.CopyBuffer(&got, struct{ io.Reader }{r}, make([]byte, size))
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(row.want, `"index": 5`, `"index":5`), strings.ReplaceAll(got.String(), `"index": 5`, `"index":5`))
			require.NoError(t, r.Close())
		}
	}
}
