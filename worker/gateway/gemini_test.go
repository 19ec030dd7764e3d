//go:build !js

package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const geminiPath = "/up/v1beta/models/gemini-3-pro-preview:"

// geminiHistory is the body of a call of Gemini CLI after n rounds. As in its requests, only the first call of a step
// has a signature.
func geminiHistory(n, size int, _ string) string {
	var b strings.Builder
	b.WriteString(`{"contents":[{"role":"user","parts":[{"text":"Read all the files."}]}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"model","parts":[{"text":"Next.","thought":true},{"functionCall":{"id":"c%d","name":"read",`+
			`"args":{"path":"f%d"}},"thoughtSignature":"s%d"},{"functionCall":{"name":"list","args":{}}}]},{"role":"user",`+
			`"parts":[{"functionResponse":{"id":"c%d","name":"read","response":{"output":"%s"}}},`+
			`{"functionResponse":{"name":"list","response":{"output":"f%d"}}}]}`, i, i, i, i,
			strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), size*4/20), i)
	}
	b.WriteString(`],"systemInstruction":{"parts":[{"text":"You are an agent."}]},"tools":[{"functionDeclarations":` +
		`[{"name":"read","parameters":{"type":"OBJECT"}}]}],"x":[],"safetySettings":[],"stream":true,"x_unknown":[1.50]}`)
	return b.String()
}

// An agent over Gemini works 60 rounds at a window of 40,000 tokens, with answers in a stream and without: the provider
// refuses nothing, signatures included, and the task stays.
func TestGeminiHoldsTheWindow(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 16
	}
	for _, method := range []string{"streamGenerateContent?alt=sse", "generateContent"} {
		t.Run(method, func(t *testing.T) {
			server, url := agentProvider(t, 40_000, rounds)
			s := start(t, url, "GATEWAY_POLICY", window40)
			contents := []any{content("user", map[string]any{"text": fact})}
			var last *http.Response
			for round := range rounds + 1 {
				body := encode(map[string]any{"contents": contents, "tools": []any{map[string]any{"functionDeclarations": []any{
					map[string]any{"name": "read"}}}}})
				response, text := s.post(t, geminiPath+method, string(body), "X-Goog-Api-Key", "k")
				require.Equal(t, http.StatusOK, response.StatusCode, text)
				parts, results := partsOf(t, text), []any{}
				contents, last = append(contents, content("model", parts...)), response
				for _, part := range parts {
					if call, ok := part["functionCall"].(map[string]any); ok {
						output := strings.Repeat(fmt.Sprintf("line %d of the file\n", round), 180)
						results = append(results, map[string]any{"functionResponse": map[string]any{"id": call["id"],
							"name": call["name"], "response": map[string]any{"output": output}}})
					}
				}
				if len(results) > 0 {
					contents = append(contents, map[string]any{"role": "user", "parts": results})
				}
			}
			require.Regexp(t, `^before=\d+ after=\d+ cleared=[1-9]`, last.Header.Get("X-Tamp"))
			calls := server.Calls()
			require.Len(t, calls, rounds+1)
			require.Empty(t, server.Problems())
			require.Contains(t, string(calls[rounds].Body), fact)
			s.ended() // a call is listed after its response
			listed := s.g.Sessions.sorted()
			require.Len(t, listed, 1, "the first message names the session")
			require.Equal(t, "gemini-3-pro-preview", listed[0].Model)
			require.Equal(t, rounds+1, listed[0].Calls)
			require.True(t, listed[0].Priced)
			sent, read := 0, 0
			for _, call := range calls {
				sent, read = sent+call.In, read+call.Read
			}
			require.Equal(t, []int{sent - read, read}, []int{listed[0].Usage.Input, listed[0].Usage.CacheRead})
		})
	}
}

func content(role string, parts ...map[string]any) map[string]any {
	return map[string]any{"role": role, "parts": parts}
}

// partsOf returns the parts of an answer of Gemini: of a document, or of the events of a stream.
func partsOf(t *testing.T, text string) (parts []map[string]any) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(line, "data: ")
		if line == "" {
			continue
		}
		var answer struct {
			Candidates []struct {
				Content struct{ Parts []map[string]any }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &answer), line)
		parts = append(parts, answer.Candidates[0].Content.Parts...)
	}
	return parts
}

// A prompt that is too long is sent again, smaller, whether the error is the response or in its stream.
func TestGeminiTooLong(t *testing.T) {
	const tooLong = `{"error":{"code":400,"message":"The input token count (46000) exceeds the maximum number of tokens ` +
		`allowed (20000).","status":"INVALID_ARGUMENT"}}`
	for _, status := range []int{400, 200} {
		calls := 0
		p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, body []byte) {
			calls++
			w.Header().Set("Content-Type", "text/event-stream")
			switch {
			case len(body) < 60_000:
				_, _ = io.WriteString(w, "data: {\"candidates\":[]}\r\n\r\n")
			case status == 200:
				_, _ = io.WriteString(w, "data: "+tooLong+"\r\n\r\n")
			default:
				w.WriteHeader(status)
				_, _ = io.WriteString(w, tooLong)
			}
		})
		s := start(t, p.URL)
		s.g.hold = time.Hour // on any machine
		path := geminiPath + "streamGenerateContent?alt=sse"
		response, text := s.post(t, path, geminiHistory(20, 1500, ""))
		require.Equal(t, 200, response.StatusCode)
		require.Equal(t, "data: {\"candidates\":[]}\r\n\r\n", text)
		require.Equal(t, 2, calls)
		require.NotContains(t, response.Header.Get("X-Tamp"), "passed")
		one := strings.Replace(geminiHistory(0, 0, ""), "Read all", strings.Repeat("x", 70_000), 1)
		response, text = s.post(t, path, one)
		require.Equal(t, status, response.StatusCode, "nothing can be removed, so the error passes unchanged")
		require.Contains(t, text, tooLong)
		require.Equal(t, 3, calls)
	}
}

// What cannot be compacted passes byte for byte; the path and the query stay, and the key in it is a credential.
func TestGeminiPasses(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	long := geminiHistory(40, 1500, "")
	for _, row := range []struct{ path, body, reason string }{
		{"streamGenerateContent?alt=sse", strings.Replace(long, `"x":[]`, `"cachedContent":"cachedContents/1"`, 1),
			"stored_history"},
		{"streamGenerateContent?alt=sse", strings.Replace(long, `"x":[]`, `"cached_content":"cachedContents/1"`, 1),
			"stored_history"},
		{"generateContent", geminiHistory(2, 10, ""), "below_limits"},
		{"generateContent", `{"contents":7}`, "bad_message"},
		{"embedContent", long, "unknown_path"},
		{"countTokens", `{"generateContentRequest":` + long + `}`, "unknown_format"},
	} {
		response, _ := s.post(t, geminiPath+row.path, row.body)
		seen, body := p.last()
		require.True(t, row.body == string(body), row.path)
		require.Equal(t, strings.TrimPrefix(geminiPath, "/up")+row.path, seen.RequestURI)
		require.Contains(t, response.Header.Get("X-Tamp"), "passed reason="+row.reason)
	}
	require.Nil(t, endpointOf("GET", "/v1beta/models/gemini-3-pro:generateContent", false))
	for _, row := range [][2]string{{"a", "none"}, {"b", "none"}, {"a", "hit"}} {
		response, _ := s.post(t, geminiPath+"generateContent?key="+row[0], long, "X-Api-Key", "")
		require.Contains(t, response.Header.Get("X-Tamp"), "checkpoint="+row[1])
	}
	_, compacted := p.last()
	s.post(t, geminiPath+"countTokens", long)
	_, counted := p.last()
	require.Equal(t, string(compacted), string(counted))
	s.ended()
	require.Len(t, s.g.Sessions.sorted(), 4, "two keys, the short one, and one with a stored history")
}

// The usage of Gemini: of a stream with the numbers so far in each event, as events or as an array of documents.
func TestUsageOfGemini(t *testing.T) {
	first := `{"candidates":[{}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,"totalTokenCount":100}}`
	last := `{"candidates":[{}],"usageMetadata":{"promptTokenCount":100,"toolUsePromptTokenCount":9,` +
		`"cachedContentTokenCount":60,"candidatesTokenCount":7,"thoughtsTokenCount":30,"totalTokenCount":146}}`
	for _, text := range []string{last, "data: " + first + "\r\n\r\ndata: " + last + "\r\n\r\n",
		"[" + first + "\n,\r\n" + last + "\n]",
		" [\n" + last + "]", `{"response":` + last + `}`} {
		for _, n := range []int{1, 7, 1000} {
			if strings.HasPrefix(text, `{"response`) {
				require.Nil(t, usageOf(text, n), "of another API")
				continue
			}
			require.Equal(t, &Usage{Input: 49, CacheRead: 60, Output: 37}, usageOf(text, n), text)
		}
	}
	for _, none := range []string{`{"usageMetadata":{}}`, `[{"usageMetadata":7}]`, `[7,"usageMetadata"]`, `["usage`} {
		require.Nil(t, usageOf(none, 3), none)
	}
}

// A request to the Interactions API is compacted if it has the whole history; one that refers to what the provider
// keeps is not. The usage of its answers is read.
func TestInteractions(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	var steps strings.Builder
	steps.WriteString(`{"type":"user_input","content":[{"type":"text","text":"Read all the files."}]}`)
	for i := range 40 {
		fmt.Fprintf(&steps, `,{"type":"thought","signature":"s%d"},{"type":"function_call","id":"c%d","name":"read",`+
			`"arguments":{"path":"f%d"}},{"type":"function_result","call_id":"c%d","result":"%s"}`, i, i, i, i,
			strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), 300))
	}
	whole := `{"model":"gemini-3-pro-preview","store":false,"input":[` + steps.String() + `],"stream":true}`
	for _, row := range []struct{ path, body, note string }{
		{"v1/interactions", whole, "before="},
		{"v1beta/interactions", whole, "before="},
		{"v1beta1/projects/p/locations/l/interactions", whole, "before="},
		{"v1/interactions", strings.Replace(whole, `"store":false`, `"previous_interaction_id":"i"`, 1),
			"passed reason=stored_history"},
		{"v1/interactions", strings.Replace(whole, `"store":false`, `"continuation_token":"t"`, 1),
			"passed reason=stored_history"},
		{"v1/interactions", `{"agent":"deep-research","input":"Look for it."}`, "passed reason=stored_history"},
		{"v1/interactions", `{"model":"gemini-3-pro-preview","input":"Hello."}`, "passed reason=below_limits"},
		{"v1/interactions", `{"model":"m","input":[{"role":"user","content":"x"}]}`, "passed reason=bad_message"},
		{"v1/interactions/i/cancel", `{}`, "passed reason=unknown_path"},
	} {
		response, _ := s.post(t, "/up/"+row.path, row.body)
		require.True(t, strings.HasPrefix(response.Header.Get("X-Tamp"), row.note), response.Header.Get("X-Tamp"))
		seen, body := p.last()
		require.Equal(t, "/"+row.path, seen.RequestURI)
		if strings.HasPrefix(row.note, "passed") {
			require.Equal(t, row.body, string(body))
			continue
		}
		require.Less(t, len(body), len(row.body)/2)
		require.Contains(t, string(body), "Read all the files.")
	}
	usage := `{"total_input_tokens":100,"total_cached_tokens":60,"total_output_tokens":7,"total_thought_tokens":30,` +
		`"total_tool_use_tokens":9,"total_tokens":146}`
	for _, text := range []string{`{"status":"completed","usage":` + usage + `}`,
		"event: interaction.completed\ndata: {\"interaction\":{\"usage\":" + usage + "}}\n\n"} {
		require.Equal(t, &Usage{Input: 49, CacheRead: 60, Output: 37}, usageOf(text, 7))
	}
}
