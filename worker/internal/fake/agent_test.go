package fake_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// agentScript sets the steps of a script, and returns its base URL.
func agentScript(t *testing.T, url, steps string) string {
	put, err := http.NewRequest(http.MethodPut, url+"/s/agent", strings.NewReader(steps))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(put)
	require.NoError(t, err)
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	return url + "/s/agent"
}

// said returns the content of a response of the Messages API.
func said(t *testing.T, body string) string {
	var m struct {
		Content json.RawMessage `json:"content"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &m), body)
	return string(m.Content)
}

const agentHead = `{"max_tokens":2000,"thinking":{"type":"adaptive"},"tools":[{"name":"recall","input_schema":{}}],`

// A step has thinking, text and calls; a request without tools asks for a summary, and uses no step.
func TestAgent(t *testing.T) {
	f, url := serve(t, "ok")
	base := agentScript(t, url,
		`[{"do":"agent","thinking":"Hm.","text":"Look.","calls":[{"tool":"recall","input":{"ref":"{ref}"}},{"tool":"list"}]},{"do":"agent","text":"Done."}]`)
	user := `{"role":"user","content":"Originals: recall 0123456789abcdef, recall fedcba9876543210. Not 0123456789abcdef0 or x0123456789abcde."}`
	_, body, err := messages(t, base, agentHead+`"model":"m","messages":[`+user+`]}`)
	require.NoError(t, err)
	content := said(t, body)
	require.Contains(t, content, `"input":{"ref":"fedcba9876543210"}`, "the newest ref")
	require.Contains(t, content, `"name":"list"`)
	require.Contains(t, body, `"stop_reason":"tool_use"`)

	_, body, err = messages(t, base, hello)
	require.NoError(t, err)
	require.Contains(t, body, "The summary of")

	ids := toolIDs(t, content)
	answered := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` +
		strings.Join(ids, `"},{"type":"tool_result","tool_use_id":"`) + `"}]}`
	_, body, err = messages(t, base,
		agentHead+`"model":"m","messages":[`+user+`,{"role":"assistant","content":`+content+`},`+answered+`]}`)
	require.NoError(t, err)
	require.Contains(t, body, "Done.")
	require.Empty(t, f.Problems())

	// Chat Completions has no thinking, and both calls.
	base = agentScript(t, url, `[{"do":"agent","thinking":"Hm.","calls":[{"tool":"a"},{"tool":"b"}]}]`)
	_, body, err = chat(t, base,
		`{"model":"m","tools":[{"type":"function","function":{"name":"a"}}],"messages":[`+user+`]}`)
	require.NoError(t, err)
	require.Contains(t, body, `"name":"a"`)
	require.Contains(t, body, `"name":"b"`)
	require.NotContains(t, body, "Hm.")
}

func toolIDs(t *testing.T, content string) []string {
	var blocks []struct{ Type, ID string }
	require.NoError(t, json.Unmarshal([]byte(content), &blocks))
	var ids []string
	for _, b := range blocks {
		if b.Type == "tool_use" {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// Changed thinking is refused: on all models in the open round, and on the newest models also if something before it
// changed.
func TestBoundThinking(t *testing.T) {
	_, url := serve(t, "ok")
	steps := `[{"do":"agent","thinking":"One.","text":"First."},{"do":"agent","thinking":"Two.","text":"Second."},{"do":"agent","thinking":"Three.","calls":[{"tool":"recall"}]}]`
	for _, row := range []struct {
		model string
		bound bool
	}{{"claude-opus-4-5", false}, {"claude-opus-5-5", true}, {"claude-fable-5-2", true}} {
		t.Run(row.model, func(t *testing.T) {
			base := agentScript(t, url, steps)
			send := func(list ...string) (int, string) {
				status, body, err := messages(t, base, agentHead+`"model":"`+row.model+`","messages":[`+strings.Join(list,
					",")+`]}`)
				require.NoError(t, err)
				return status, body
			}
			say := func(content string) string { return `{"role":"assistant","content":` + content + `}` }
			prompt := func(text string) string { return `{"role":"user","content":"` + text + `"}` }
			const fallback = `,{"type":"fallback","from":{"model":"m"},"to":{"model":"n"}},{"type":"text","text":"x"}]`
			without := func(content string) string { return "[" + content[strings.Index(content, "},")+2:] }

			_, body := send(prompt("a"))
			first := said(t, body)
			_, body = send(prompt("a"), say(first), prompt("b"))
			second := said(t, body)
			_, body = send(prompt("a"), say(first), prompt("b"), say(second), prompt("c"))
			third := said(t, body)
			result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + toolIDs(t, third)[0] + `"}]}`

			for _, try := range []struct {
				name     string
				fine     bool
				messages []string
			}{
				{"as it was", true, []string{prompt("a"), say(first), prompt("b"), say(second), prompt("c"), say(third), result}},
				{"a leading run is gone", true, []string{prompt("a"), say(without(first)), prompt("b"), say(without(second)),
					prompt("c"), say(third), result}},
				{"one in the middle is gone", !row.bound,
					[]string{prompt("a"), say(first), prompt("b"), say(without(second)), prompt("c"), say(third), result}},
				{"a prompt before it changed", !row.bound,
					[]string{prompt("A"), say(first), prompt("b"), say(second), prompt("c"), say(third), result}},
				{"that of the open round is gone", row.bound,
					[]string{prompt("a"), say(first), prompt("b"), say(second), prompt("c"), say(without(third)), result}},
				{"before a fallback block", true, []string{prompt("a"), say(first), prompt("B"),
					say(strings.TrimSuffix(second, "]") + fallback), prompt("c")}},
				{"changed", false, []string{prompt("a"), say(strings.Replace(first, "One.", "Won.", 1)), prompt("b")}},
			} {
				status, body := send(try.messages...)
				require.Equal(t, try.fine, status == 200, try.name+": "+body)
			}
		})
	}
}

// The newer version of the API accepts less; there are two versions.
func TestVersions(t *testing.T) {
	_, url := serve(t, "ok")
	for _, row := range []struct {
		version, member, content string
		status                   int
	}{
		{"2023-06-01", `"temperature":1,`, `"x"`, 200},
		{"2026-10-21", `"temperature":1,`, `"x"`, 400},
		{"2026-10-21", ``, `"x"`, 200},
		{"2023-06-01", ``, `[{"type":"text","text":"x","citations":[{"type":"char_location"}]}]`, 200},
		{"2026-10-21", ``, `[{"type":"text","text":"x","citations":[{"type":"char_location"}]}]`, 400},
		{"2026-10-21", ``, `[{"type":"text","text":"x","citations":null}]`, 200},
		{"", ``, `"x"`, 400},
		{"2024-01-01", ``, `"x"`, 400},
	} {
		body := `{"model":"m","max_tokens":9,` + row.member + `"messages":[{"role":"user","content":` + row.content + `}]}`
		status, answer, err := post(t, url+"/v1/messages", body, "X-Api-Key", "k", "Anthropic-Version", row.version)
		require.NoError(t, err)
		require.Equal(t, row.status, status, row.version+row.member+row.content+answer)
	}
}

// A prefix that was written at a breakpoint is read by the next request that looks back to it.
func TestPromptCache(t *testing.T) {
	_, url := serve(t, "ok")
	block := func(text string) string {
		return `{"role":"user","content":[{"type":"text","text":"` + text + `","cache_control":{"type":"ephemeral"}}]}`
	}
	usage := func(list ...string) (in, read, wrote int) {
		_, body, err := messages(t, url, `{"model":"m","max_tokens":9,"messages":[`+strings.Join(list, ",")+`]}`)
		require.NoError(t, err)
		var m struct {
			Usage struct {
				In    int `json:"input_tokens"`
				Read  int `json:"cache_read_input_tokens"`
				Wrote int `json:"cache_creation_input_tokens"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &m))
		return m.Usage.In, m.Usage.Read, m.Usage.Wrote
	}
	long := strings.Repeat("word ", 1000)
	_, read, first := usage(block(long))
	require.Zero(t, read)
	require.Greater(t, first, 1000) // one token or more for each word
	_, read, wrote := usage(block(long), block("more"))
	require.Equal(t, first, read)
	require.Positive(t, wrote)
	_, read, _ = usage(block("x"+long), block("more"))
	require.Zero(t, read, "the prefix is another")
	plain := strings.Repeat(`{"role":"user","content":"x"},`, 25)
	_, read, _ = usage(strings.Replace(block(long), `,"cache_control":{"type":"ephemeral"}`, "", 1), plain+block("far"))
	require.Zero(t, read, "further back than a read looks")
}

// The identifiers and states of items of the Responses API are not in the prompt: they neither count, nor do others of
// them change what is read from the cache.
func TestItemsWithoutIDs(t *testing.T) {
	_, url := serve(t, "ok")
	usage := func(members, call, text string) (in, read int) {
		status, body, err := post(t, url+"/v1/responses", `{"model":"m","input":[`+
			`{"type":"message","role":"user","content":"hello"},`+
			`{"type":"function_call",`+members+`"name":"f","arguments":"{}","call_id":"`+call+`"},`+
			`{"type":"function_call_output",`+members+`"call_id":"`+call+`","output":"`+text+`"}]}`,
			"Authorization", "Bearer k")
		require.NoError(t, err)
		require.Equal(t, 200, status, body)
		var m struct {
			Usage struct {
				In      int `json:"input_tokens"`
				Details struct {
					Read int `json:"cached_tokens"`
				} `json:"input_tokens_details"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &m))
		return m.Usage.In, m.Usage.Details.Read
	}
	in, read := usage("", "c", strings.Repeat("word ", 1000))
	require.Zero(t, read)
	other, read := usage(`"id":"x_`+strings.Repeat("0", 400)+`","status":"completed","x":null,`, "call_1",
		strings.Repeat("word ", 1000))
	require.Equal(t, in, other)
	require.Equal(t, in, read+1) // the size of a request is rounded up
	other, _ = usage("", "c", strings.Repeat("word ", 1100))
	require.Equal(t, in+125, other)
}

// A tool of the Responses API may be an item of the input, and take a text: a program.
func TestCustomTools(t *testing.T) {
	f, url := serve(t, "ok")
	base := agentScript(t, url, `[{"do":"agent","calls":[{"tool":"exec","input":"text(\"a\");"}]},{"do":"agent","text":"Done."}]`)
	send := func(stream, more string) (answer string) {
		status, body, err := post(t, base+"/v1/responses", `{"model":"m","stream":`+stream+`,"input":[`+
			`{"type":"additional_tools","role":"developer","tools":[{"type":"custom","name":"exec"}]},`+
			`{"type":"message","role":"user","content":"hello"}`+more+`]}`, "Authorization", "Bearer k")
		require.NoError(t, err)
		require.Equal(t, 200, status, body)
		return body
	}
	text := ""
	var call json.RawMessage
	for _, data := range events(send("true", "")) {
		var e struct {
			Type, Delta string
			Item        json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(data), &e))
		if e.Type == "response.custom_tool_call_input.delta" {
			text += e.Delta
		}
		if e.Type == "response.output_item.done" {
			call = e.Item
		}
	}
	require.Equal(t, `text("a");`, text)
	var item struct {
		Type, Name, Input string
		CallID            string `json:"call_id"`
	}
	require.NoError(t, json.Unmarshal(call, &item))
	require.Equal(t, []string{"custom_tool_call", "exec", text}, []string{item.Type, item.Name, item.Input})
	require.Contains(t, send("false", `,`+string(call)+
		`,{"type":"custom_tool_call_output","call_id":"`+item.CallID+`","output":"a"}`), "Done.")
	require.Empty(t, f.Problems())
}
