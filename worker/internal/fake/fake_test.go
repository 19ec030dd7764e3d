package fake_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

func serve(t *testing.T, script string) (*fake.Server, string) {
	f, err := fake.New(script)
	require.NoError(t, err)
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return f, s.URL
}

func post(t *testing.T, url, body string, header ...string) (status int, answer string, broken error) {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	res, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}

func messages(t *testing.T, base, body string) (int, string, error) {
	return post(t, base+"/v1/messages", body, "X-Api-Key", "k", "Anthropic-Version", "2023-06-01")
}

func chat(t *testing.T, base, body string) (int, string, error) {
	return post(t, base+"/v1/chat/completions", body, "Authorization", "Bearer k")
}

const hello = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`

func TestAnswers(t *testing.T) {
	_, url := serve(t, "ok")
	status, body, err := messages(t, url, hello)
	require.NoError(t, err)
	require.Equal(t, 200, status)
	require.Contains(t, body, fake.Answer("hello"))
	require.Contains(t, body, `"stop_reason":"end_turn"`)

	status, body, err = chat(t, url, hello)
	require.NoError(t, err)
	require.Equal(t, 200, status)
	require.Contains(t, body, fake.Answer("hello"))
	require.Contains(t, body, `"finish_reason":"stop"`)
}

// The fake refuses what the real providers refuse, with their messages and formats.
func TestRefusesBadRequests(t *testing.T) {
	user, cache := `{"role":"user","content":"x"}`, `{"type":"ephemeral"}`
	call := func(id string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"n","input":{}}]}`
	}
	result := func(ids ...string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` +
			strings.Join(ids, `"},{"type":"tool_result","tool_use_id":"`) + `"}]}`
	}
	for _, row := range []struct{ name, path, body, says, why string }{
		{"not JSON", "/v1/messages", `{`, "not valid JSON", ""},
		{"no model", "/v1/messages", `{"max_tokens":1,"messages":[` + user + `]}`, "model", "required by both"},
		{"no limit", "/v1/messages", `{"model":"m","messages":[` + user + `]}`, "max_tokens", "required by the Messages API"},
		{"an extra field", "/v1/messages", `{"model":"m","max_tokens":1,"max_completion_tokens":1,"messages":[` + user + `]}`,
			"Extra inputs", "the API is strict"},
		{"empty text", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":""}]}`, "non-empty",
			"A1_empty"},
		{"begins with assistant", "/v1/messages",
			`{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":"x"}]}`, "first message", "A1_role"},
		{"unanswered call", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user +
			`,{"role":"assistant","content":[{"type":"tool_use","id":"a"}]},` + user + `]}`,
			"immediately after: a", "A2_unanswered"},
		{"orphan", "/v1/messages",
			`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`,
			"unexpected `tool_use_id`", "A3_orphan"},
		{"second result", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user + `,` + call("a") + `,` +
			result("a", "a") + `]}`, "single result", "A5_duplicate"},
		{"id used again", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user + `,` + call("a") + `,` +
			result("a") + `,` + call("a") + `,` + result("a") + `]}`,
			"ids must be unique", "A5_duplicate"},
		{"text before a result", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user + `,` + call("a") + `,` +
			user + `,` + result("a") + `]}`,
			"comes after other blocks", "A4_order, neighbors of one role joined"},
		{"call without input", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user +
			`,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"n"}]},` +
			result("a") + `]}`, "input: Input should be", "the schema"},
		{"unknown field", "/v1/messages",
			`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"x","tokens":1}]}]}`,
			"tokens: Extra inputs", "the API is strict"},
		{"unknown block", "/v1/messages",
			`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"texts"}]}]}`, "expected tags",
			"the schema"},
		{"five breakpoints", "/v1/messages", `{"model":"m","max_tokens":1,"cache_control":` + cache +
			`,"messages":[{"role":"user","content":[` +
			strings.Repeat(`{"type":"text","text":"x","cache_control":`+cache+`},`, 3) +
			`{"type":"text","text":"x","cache_control":` + cache + `}]}]}`, "Found 5", "A11_cache_control"},
		{"late hour", "/v1/messages", `{"model":"m","max_tokens":1,"system":[{"type":"text","text":"x","cache_control":` +
			cache +
			`}],"messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`, "1h comes after one of 5m", "A11_cache_control"},
		{"tool without schema", "/v1/messages", `{"model":"m","max_tokens":1,"tools":[{"name":"n"}],"messages":[` + user +
			`]}`, "input_schema", "the schema"},
		{"forged thinking", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user +
			`,{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"}]},` +
			user + `]}`, "Invalid `signature`", "signed content comes back as it was"},
		{"half a surrogate pair", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\ud83d x"}]}`,
			"The request body is not valid JSON: no low surrogate in string", "J1_lone_surrogate"},
		{"a low half, then a whole pair", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"\ude00\ud83d\ude00"}]}`,
			"half of a surrogate pair", "J1_lone_surrogate"},
		{"white space", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":" \n"}]}`,
			"non-whitespace", "A1_empty"},
		{"an id with a dot", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[` + user + `,` + call("a.b") + `,` +
			result("a.b") + `]}`, "tool_use.id: String should match pattern", "A6_id"},
		{"a tool with a space", "/v1/messages", `{"model":"m","max_tokens":1,"tools":[{"name":"a b","input_schema":{}}],"messages":[` +
			user + `]}`, "tools.0.custom.name", "A14_name"},
		{"a block without a type", "/v1/messages",
			`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"source":{}}]}]}`, "expected tags", "A15_type"},
		{"a reference to no tool", "/v1/messages", `{"model":"m","max_tokens":1,"tools":[{"name":"n","input_schema":{}}],"messages":[` +
			user + `,` + call("a") + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":` +
			`"tool_reference","tool_name":"gone"}]}]}]}`, "Tool reference 'gone' not found", "A16_reference"},
		{"no calls in a list", "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"assistant","content":"x","tool_calls":[]},` + user + `]}`, "empty array", "O7_calls"},
		{"a name with a dot", "/v1/chat/completions", `{"model":"m","messages":[` + user + `,{"role":"assistant","content":null,` +
			`"tool_calls":[{"id":"a","type":"function","function":{"name":"a.b","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"x"}]}`, "match pattern", "O8_name"},
		{"lost reasoning", "/v1/chat/completions", `{"model":"deepseek-v4","messages":[` + user + `,{"role":"assistant","content":null,` +
			`"tool_calls":[{"id":"a","type":"function","function":{"name":"n","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"x"}]}`, "must be passed back", "O10_reasoning"},
		{"one call_id twice", "/v1/responses", `{"model":"m","input":[` + user + `,{"type":"function_call","call_id":"a","name":"n",` +
			`"arguments":"{}"},{"type":"function_call","call_id":"a","name":"n","arguments":"{}"},{"type":"function_call_output",` +
			`"call_id":"a","output":"x"}]}`, "Duplicate 'call_id': a", "R9_duplicate"},
		{"two limits", "/v1/chat/completions", `{"model":"m","max_tokens":1,"max_completion_tokens":1,"messages":[` + user +
			`]}`, "cannot both", "OpenAI refuses it"},
		{"unanswered call", "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a"}]},` + user + `]}`, "must be followed",
			"O1_unanswered"},
		{"orphan", "/v1/chat/completions", `{"model":"m","messages":[{"role":"tool","tool_call_id":"a","content":"x"}]}`,
			"must be a response", "O2_orphan"},
		{"empty", "/v1/chat/completions", `{"model":"m","messages":[{"role":"assistant","content":null}]}`, "must be set",
			"O3_empty"},
		{"no messages", "/v1/chat/completions", `{"model":"m","messages":[]}`, "messages", ""},
	} {
		t.Run(row.path+" "+row.name, func(t *testing.T) {
			f, url := serve(t, "ok")
			send := messages
			switch {
			case strings.Contains(row.path, "chat"):
				send = chat
			case strings.Contains(row.path, "responses"):
				send = func(t *testing.T, base, body string) (int, string, error) {
					return post(t, base+row.path, body, "Authorization", "Bearer key")
				}
			}
			status, body, err := send(t, url, row.body)
			require.NoError(t, err)
			require.Equal(t, 400, status, body)
			var answer struct {
				Error struct{ Type, Message string }
			}
			require.NoError(t, json.Unmarshal([]byte(body), &answer))
			require.Equal(t, "invalid_request_error", answer.Error.Type)
			require.Contains(t, strings.Join(f.Problems(), "\n"), row.says, row.why)
		})
	}
}

func TestKeys(t *testing.T) {
	f, url := serve(t, "ok")
	for _, row := range []struct {
		key    string
		status int
	}{{"", 401}, {"bad-key", 401}, {"good", 200}} {
		status, _, err := post(t, url+"/v1/chat/completions", hello, "Authorization", "Bearer "+row.key)
		require.NoError(t, err)
		require.Equal(t, row.status, status, row.key)
	}
	f.Keyless = true
	status, _, err := post(t, url+"/v1/chat/completions", hello)
	require.NoError(t, err)
	require.Equal(t, 200, status, "a server of one's own asks for no key")
}

// A tool round of an agent is accepted; IDs are unique.
func TestToolRound(t *testing.T) {
	f, url := serve(t, "tool:tool=read")
	ids := map[string]bool{}
	for range 2 {
		_, body, err := messages(t, url, hello)
		require.NoError(t, err)
		var m struct {
			Content json.RawMessage `json:"content"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &m))
		var blocks []struct{ Type, ID, Name string }
		require.NoError(t, json.Unmarshal(m.Content, &blocks))
		call := blocks[1]
		require.Equal(t, "read", call.Name)
		require.False(t, ids[call.ID])
		ids[call.ID] = true
		status, body, err := messages(t, url,
			`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":`+
				string(m.Content)+`},{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+call.ID+`","content":"x"}]}]}`)
		require.NoError(t, err)
		require.Equal(t, 200, status, body)
	}
	require.Empty(t, f.Problems())
}

// A stream has the text of the response without streaming, and its events have the order of the protocol.
func TestStreams(t *testing.T) {
	_, url := serve(t, "ok")
	streaming := strings.Replace(hello, `"m",`, `"m","stream":true,`, 1)

	_, body, err := messages(t, url, streaming)
	require.NoError(t, err)
	var kinds []string
	text := ""
	for _, data := range events(body) {
		var e struct {
			Type  string
			Delta struct{ Text string }
		}
		require.NoError(t, json.Unmarshal([]byte(data), &e))
		kinds, text = append(kinds, e.Type), text+e.Delta.Text
	}
	require.Equal(t, fake.Answer("hello"), text)
	require.Equal(t, []string{"message_start", "content_block_start", "ping", "content_block_delta", "content_block_delta",
		"content_block_stop", "message_delta", "message_stop"}, kinds)

	_, body, err = chat(t, url, strings.Replace(streaming, `"m",`, `"m","stream_options":{"include_usage":true},`, 1))
	require.NoError(t, err)
	text, last, finish, usage := "", "", "", false
	for _, data := range events(body) {
		last = data
		var e struct {
			Choices []struct {
				Delta  struct{ Content string }
				Finish string `json:"finish_reason"`
			}
			Usage *struct{}
		}
		if json.Unmarshal([]byte(data), &e) == nil {
			usage = usage || e.Usage != nil
			for _, c := range e.Choices {
				text, finish = text+c.Delta.Content, c.Finish
			}
		}
	}
	require.Equal(t, fake.Answer("hello"), text)
	require.Equal(t, "stop", finish)
	require.True(t, usage)
	require.Equal(t, "[DONE]", last)

	for _, do := range []string{"cut", "error", "tool", "refusal", "length", "empty"} {
		_, _, err := messages(t, url+"/s/"+do+"/"+do, streaming)
		require.Equal(t, do == "cut", err != nil, do)
		_, _, err = chat(t, url+"/s/chat-"+do+"/"+do, streaming)
		require.Equal(t, do == "cut", err != nil, do)
	}
}

func events(body string) []string {
	var all []string
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			all = append(all, data)
		}
	}
	return all
}

// Each step does what its name says, for both protocols.
func TestSteps(t *testing.T) {
	for _, row := range []struct {
		script  string
		status  int
		anth    string
		chat    string
		broken  bool
		because string
	}{
		{"429:retry-after=2", 429, "rate_limit_error", "rate_limit_exceeded", false, "the header is tested with the client"},
		{"529", 529, "overloaded_error", "overloaded_error", false, ""},
		{"500", 500, "api_error", "api_error", false, ""},
		{"refusal", 200, `"stop_reason":"refusal"`, `"refusal":"I`, false, ""},
		{"empty", 200, `"content":[]`, `"content":null`, false, ""},
		{"tool", 200, `"stop_reason":"tool_use"`, `"finish_reason":"tool_calls"`, false, ""},
		{"length", 200, `"stop_reason":"max_tokens"`, `"finish_reason":"length"`, false, ""},
		{"malformed", 200, `{`, `{`, false, "half of it, and the connection ends as if it were all"},
		{"error", 200, `"error":{`, `"error":{`, false, "routers answer 200 with an error inside"},
		{"redirect", 307, "", "", false, ""},
		{"cut", 200, "", "", true, "half of it, and then nothing"},
		{"drop", 0, "", "", true, "no answer at all"},
		{"ok:delay=1ms:text=hi", 200, `"text":"hi"`, `"content":"hi"`, false, ""},
	} {
		t.Run(row.script, func(t *testing.T) {
			_, url := serve(t, row.script)
			status, body, err := messages(t, url, hello)
			require.Equal(t, row.broken, err != nil, row.because)
			require.Equal(t, row.status, status)
			require.Contains(t, body, row.anth)
			status, body, err = chat(t, url, hello)
			require.Equal(t, row.broken, err != nil, row.because)
			require.Equal(t, row.status, status)
			require.Contains(t, body, row.chat)
		})
	}
}

// Tests in other languages select a script with the base URL, and read the received requests.
func TestScriptsByURL(t *testing.T) {
	f, url := serve(t, "ok")
	var got []int
	for range 4 {
		status, _, err := messages(t, url+"/s/one/429,529,ok", hello)
		require.NoError(t, err)
		got = append(got, status)
	}
	require.Equal(t, []int{429, 529, 200, 200}, got, "the last step goes on")
	status, _, err := messages(t, url+"/s/two/429,529,ok", hello)
	require.NoError(t, err)
	require.Equal(t, 429, status, "each name counts for itself")

	put, err := http.NewRequest(http.MethodPut, url+"/s/three",
		bytes.NewReader([]byte(`[{"do":"tool","tool":"read","input":{"path":"a,b:c"}},{"do":"ok"}]`)))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(put)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, 200, res.StatusCode)
	_, body, err := messages(t, url+"/s/three", hello)
	require.NoError(t, err)
	require.Contains(t, body, `"input":{"path":"a,b:c"}`)

	res, err = http.Get(url + "/calls?name=one")
	require.NoError(t, err)
	defer res.Body.Close()
	var calls []fake.Call
	require.NoError(t, json.NewDecoder(res.Body).Decode(&calls))
	require.Len(t, calls, 4)
	require.Equal(t, "k", calls[0].Key)
	require.JSONEq(t, hello, string(calls[0].Body))
	require.Len(t, f.Calls(), 6)
}

func TestBadScripts(t *testing.T) {
	for _, script := range []string{"", "nothing", "200", "ok:delay=x", "ok:speed=1", "ok,,ok"} {
		_, err := fake.New(script)
		require.Error(t, err, script)
	}
}
