//go:build !js

package worker

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/gateway"
)

// upstream is a provider that records the requests which the gateway forwards.
type upstream struct {
	*httptest.Server
	closing *httptest.Server // closes idle connections soon
	mu      sync.Mutex
	last    *http.Request
	body    string
	calls   int
	answer  func(w http.ResponseWriter, r *http.Request, body string)
}

func newUpstream(t *testing.T) *upstream {
	u := &upstream{answer: func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, "{}") }}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		u.mu.Lock()
		u.last, u.body = r, string(body)
		u.calls++
		answer := u.answer
		u.mu.Unlock()
		answer(w, r, string(body))
	}))
	t.Cleanup(u.Close)
	u.closing = httptest.NewUnstartedServer(u.Config.Handler)
	u.closing.Config.IdleTimeout = 20 * time.Millisecond
	u.closing.Start()
	t.Cleanup(u.closing.Close)
	return u
}

func (u *upstream) set(answer func(w http.ResponseWriter, r *http.Request, body string)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answer, u.calls = answer, 0
}

func (u *upstream) seen() (*http.Request, string, int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.last, u.body, u.calls
}

// agentCall is the body of a call of an agent that has read n files.
func agentCall(n int) string {
	var b strings.Builder
	b.WriteString(`{"model":"claude-opus-4-5","max_tokens":100,"messages":[{"role":"user","content":"Read all the files."}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"read","input":{"path":"f%d"}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"%s"}]}`, i, i, i,
			strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), 300))
	}
	b.WriteString(`],"stream":true,"x_unknown":[1.50]}`)
	return b.String()
}

// proseCall is the same after n long answers instead of files: only summaries free something.
func proseCall(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":"%s"},{"role":"user","content":"Go on with %d."}`,
			strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), 300), i)
	}
	return strings.Replace(agentCall(0), `],"stream"`, b.String()+`],"stream"`, 1)
}

// responsesCall is agentCall for the Responses API.
func responsesCall(n int) string {
	var b strings.Builder
	b.WriteString(`{"model":"gpt-5","input":[{"role":"user","content":"Read all the files."}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"type":"function_call","id":"f%d","call_id":"c%d","name":"read","arguments":"{}"},`+
			`{"type":"function_call_output","call_id":"c%d","output":"%s"}`, i, i, i,
			strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), 300))
	}
	return b.String() + `],"stream":true}`
}

// geminiCall is agentCall for Gemini.
func geminiCall(n int) string {
	var b strings.Builder
	b.WriteString(`{"contents":[{"role":"user","parts":[{"text":"Read all the files."}]}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"model","parts":[{"functionCall":{"id":"c%d","name":"read","args":{}},"thoughtSignature":`+
			`"s%d"}]},{"role":"user","parts":[{"functionResponse":{"id":"c%d","name":"read","response":{"output":"%s"}}}]}`,
			i, i, i, strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), 300))
	}
	return b.String() + `],"x_unknown":[1.50]}`
}

func gatewayOf(u *upstream) setup {
	return setup{env: map[string]string{"UPSTREAMS": "up=" + u.URL + ",closing=" + u.closing.URL +
		",plain=plain:" + u.URL, "GATEWAY_POLICY": `{"trigger":{"window":40000}}`}}
}

func TestGatewayNatively(t *testing.T) {
	u := newUpstream(t)
	h := handlerOf(t, gatewayOf(u), newModels(t))
	getenv := func(name string) string { return gatewayOf(u).env[name] }
	g, err := nativeGateway(h, getenv)
	require.NoError(t, err)
	var lines logged
	g.Log = func(e *gateway.Entry) { lines.add(encode(e)) }
	server := httptest.NewServer(local(nil, h, g, http.NotFoundHandler()))
	defer server.Close()
	testGateway(t, &running{url: server.URL, printed: lines.text}, u)
}

// A base URL without an upstream, or with a wrong one, is the first mistake that a user makes.
func TestBaseURLWithoutAnUpstream(t *testing.T) {
	g := &gateway.Gateway{Config: gateway.Config{Upstreams: []gateway.Upstream{{Name: "anthropic"}, {Name: "openai"}}}}
	h := local(nil, http.NotFoundHandler(), g, http.NotFoundHandler())
	for token, want := range map[string]string{"": "base URL, /anthropic or /openai", "secret": "base URL\""} {
		g.Token = token
		for _, path := range []string{"/v1/messages", "/antropic/v1/messages?beta=true", "/openai.com/v1/responses"} {
			w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader("{}"))
			h.ServeHTTP(w, r)
			require.Equal(t, 404, w.Code)
			require.Contains(t, w.Body.String(), want, path)
		}
	}
}

// testGateway has the cases of the gateway that hold on each platform.
func testGateway(t *testing.T, s *running, u *upstream) {
	t.Run("passes unchanged", func(t *testing.T) {
		u.set(func(w http.ResponseWriter, r *http.Request, body string) {
			w.Header()["X-Two"] = []string{"a, b"}
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(307)
			_, _ = io.WriteString(w, "\x00\xff"+body)
		})
		for _, row := range []struct{ method, path, body, want string }{
			{"HEAD", "/up", "", "/"}, {"GET", "/up/v1/models?limit=1&after=a%20b", "", "/v1/models?limit=1&after=a%20b"},
			{"POST", "/up/v1/files", "\x00\x01 not JSON", "/v1/files"}, {"DELETE", "/up/v1/x%2Fy", "", "/v1/x%2Fy"},
			{"POST", "/up/v1/messages?beta=true", agentCall(2), "/v1/messages?beta=true"},
			{"POST", "/up/v1/messages", "{", "/v1/messages"},
		} {
			answer := s.send(t, row.method, row.path, row.body, "Anthropic-Beta: a", "X-Tamp-Policy: {}", "X-Api-Key: k, 1")
			text := readAll(t, answer)
			seen, body, _ := u.seen()
			require.Equal(t, row.method, seen.Method)
			require.Equal(t, row.want, seen.RequestURI)
			require.Equal(t, row.body, body)
			require.Equal(t, "a", seen.Header.Get("Anthropic-Beta"))
			require.Equal(t, "k, 1", seen.Header.Get("X-Api-Key"))
			for _, name := range []string{"X-Tamp-Policy", "Cf-Connecting-Ip", "X-Forwarded-For"} {
				require.Empty(t, seen.Header.Get(name), name)
			}
			require.Equal(t, 307, answer.StatusCode, "a redirect is not followed")
			require.Equal(t, "http://127.0.0.1:1/elsewhere", answer.Header.Get("Location"))
			require.Equal(t, "a, b", answer.Header.Get("X-Two"))
			require.Contains(t, answer.Header.Get("X-Tamp"), "passed reason=")
			if row.method != "HEAD" {
				require.Equal(t, "\x00\xff"+row.body, text)
			}
		}
	})
	t.Run("log", func(t *testing.T) { testGatewayLog(t, s, u) })
	t.Run("streams", func(t *testing.T) {
		next := make(chan struct{})
		u.set(func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 3 {
				fmt.Fprintf(w, "event: ping\ndata: %d\n\n", i)
				_ = http.NewResponseController(w).Flush()
				<-next
			}
		})
		answer := s.send(t, "POST", "/up/v1/messages", agentCall(2))
		defer answer.Body.Close()
		from := bufio.NewReader(answer.Body)
		for i := range 3 {
			for _, want := range []string{"event: ping\n", fmt.Sprintf("data: %d\n", i), "\n"} {
				line, err := from.ReadString('\n')
				require.NoError(t, err)
				require.Equal(t, want, line, "it arrives before the next event is sent")
			}
			next <- struct{}{}
		}
	})
	t.Run("compacts", func(t *testing.T) {
		u.set(func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, "{}") })
		for _, row := range []struct{ body, note string }{
			{agentCall(40), `^before=\d+ after=\d+ cleared=[1-9]`},
			{proseCall(40), `^before=\d+ after=\d+ cleared=0 summaries=[1-9]`},
		} {
			answer := s.send(t, "POST", "/up/v1/messages", row.body)
			readAll(t, answer)
			_, body, _ := u.seen()
			require.Regexp(t, row.note, answer.Header.Get("X-Tamp"))
			require.Less(t, len(body), len(row.body)/2)
			require.True(t, strings.HasSuffix(body, `],"stream":true,"x_unknown":[1.50]}`))
			require.Contains(t, body, "line 39 of the file")
		}
	})
	t.Run("bound thinking", func(t *testing.T) {
		const refused = `{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid ` +
			"`signature` in `thinking` block. The block is bound to a different conversation." + `"}}`
		u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
			if !strings.Contains(body, "drop_block") {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, refused)
				return
			}
			_, _ = io.WriteString(w, `{"input_transformations":[]}`)
		})
		call := strings.Replace(agentCall(40), "claude-opus-4-5", "claude-opus-5-5", 1)
		call = strings.ReplaceAll(call, `[{"type":"tool_use"`,
			`[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use"`)
		answer := s.send(t, "POST", "/up/v1/messages", call, "Anthropic-Beta: other-2026-01-01")
		require.Equal(t, `{"input_transformations":[]}`, readAll(t, answer))
		require.Regexp(t, ` thinking_lost=[1-9]\d* lost_by=drop_block`, answer.Header.Get("X-Tamp"))
		r, _, _ := u.seen()
		require.Equal(t, "other-2026-01-01,thinking-binding-controls-2026-08-01", r.Header.Get("Anthropic-Beta"))
	})
	t.Run("retries", func(t *testing.T) {
		u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
			if len(body) > 40_000 {
				w.WriteHeader(400)
				_, _ = io.WriteString(w, `{"error":{"message":"prompt is too long: 20000 tokens > 10000 maximum"}}`)
			}
		})
		answer := s.send(t, "POST", "/up/v1/messages", agentCall(10))
		readAll(t, answer)
		_, body, calls := u.seen()
		require.Equal(t, 200, answer.StatusCode)
		require.Equal(t, 2, calls)
		require.Less(t, len(body), 40_000) // what the fake provider refuses
		u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
			if body != agentCall(40) {
				w.WriteHeader(400)
			}
		})
		answer = s.send(t, "POST", "/up/v1/messages", agentCall(40))
		readAll(t, answer)
		require.Equal(t, 200, answer.StatusCode)
		require.Contains(t, answer.Header.Get("X-Tamp"), "passed reason=refused")
	})
	t.Run("holds back the first events", func(t *testing.T) {
		const opening = "event: response.created\ndata: {}\n\nevent: response.in_progress\ndata: {}\n\n"
		const good = opening + "event: response.completed\ndata: {}\n\n"
		u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
			w.Header().Set("Content-Type", "text/event-stream")
			text := good
			if len(body) > 40_000 {
				text = opening + "event: response.failed\ndata: {\"error\":{\"code\":\"context_length_exceeded\"}}\n\n"
			}
			for i := range len(text) {
				_, _ = io.WriteString(w, text[i:i+1])
				_ = http.NewResponseController(w).Flush()
			}
		})
		answer := s.send(t, "POST", "/up/v1/responses", responsesCall(10))
		require.Equal(t, good, readAll(t, answer))
		_, _, calls := u.seen()
		require.Equal(t, 2, calls)
	})
	t.Run("Gemini", func(t *testing.T) {
		const path, good = "/v1beta/models/gemini-3-pro-preview:", "data: {\"candidates\":[]}\n\n"
		u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
			w.Header().Set("Content-Type", "text/event-stream")
			text := good
			if len(body) > 40_000 {
				text = `data: {"error":{"code":400,"message":"The input token count (20000) exceeds the maximum number of tokens ` +
					`allowed (10000).","status":"INVALID_ARGUMENT"}}` + "\n\n"
			}
			for i := range len(text) {
				_, _ = io.WriteString(w, text[i:i+1])
				_ = http.NewResponseController(w).Flush()
			}
		})
		answer := s.send(t, "POST", "/up"+path+"streamGenerateContent?alt=sse", geminiCall(10))
		require.Equal(t, good, readAll(t, answer))
		r, body, calls := u.seen()
		require.Equal(t, 2, calls)
		require.Equal(t, path+"streamGenerateContent?alt=sse", r.RequestURI)
		require.Contains(t, body, `"thoughtSignature":"s9"`)
		u.set(func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, "{}") })
		answer = s.send(t, "POST", "/up"+path+"generateContent?key=k", geminiCall(40))
		readAll(t, answer)
		require.Regexp(t, `^before=\d+ after=\d+ cleared=[1-9]`, answer.Header.Get("X-Tamp"))
		_, body, calls = u.seen()
		require.Equal(t, 1, calls)
		require.Less(t, len(body), len(geminiCall(40))/2)
		require.True(t, strings.HasSuffix(body, `],"x_unknown":[1.50]}`))
	})
	t.Run("large bodies", func(t *testing.T) {
		u.set(func(w http.ResponseWriter, _ *http.Request, _ string) {})
		large := strings.Repeat("x", maxBody+1)
		for _, body := range []io.Reader{strings.NewReader(large), io.MultiReader(strings.NewReader(large))} {
			r, err := http.NewRequest("POST", s.url+"/up/v1/messages", body)
			require.NoError(t, err)
			answer, err := http.DefaultTransport.RoundTrip(r)
			require.NoError(t, err)
			readAll(t, answer)
			require.Equal(t, "passed reason=too_large", answer.Header.Get("X-Tamp"))
			_, got, _ := u.seen()
			require.True(t, got == large)
		}
		answer := s.send(t, "POST", "/up/v1/messages", agentCall(1))
		readAll(t, answer)
		require.Equal(t, 200, answer.StatusCode, "the next request")
	})
	t.Run("large bodies of the API", func(t *testing.T) {
		for range 3 {
			large := io.MultiReader(strings.NewReader(strings.Repeat("x", maxBody+9<<20)))
			r, err := http.NewRequest("POST", s.url+"/v1/plan", large)
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err == nil { // else the server closed the connection before it had read all
				require.Equal(t, 413, answer.StatusCode)
				readAll(t, answer)
			}
			answer = s.send(t, "GET", "/v1", "")
			readAll(t, answer)
			require.Equal(t, 200, answer.StatusCode, "the next request")
		}
	})
	t.Run("a provider that closes idle connections", func(t *testing.T) {
		// It closes the connections of the first calls while the next one is compacted.
		for range 3 {
			var first sync.WaitGroup
			for range 4 {
				first.Go(func() {
					answer, err := http.Post(s.url+"/closing/v1/messages", "application/json", strings.NewReader(agentCall(2)))
					if err == nil {
						_, _ = io.Copy(io.Discard, answer.Body)
						answer.Body.Close()
					}
				})
			}
			first.Wait()
			answer := s.send(t, "POST", "/closing/v1/messages", agentCall(400))
			require.Equal(t, 200, answer.StatusCode, readAll(t, answer))
		}
	})
	t.Run("threads", func(t *testing.T) { testThreads(t, s, u) })
	t.Run("a plain upstream", func(t *testing.T) { testPlain(t, s, u) })
	t.Run("encoded bodies", func(t *testing.T) { testEncoded(t, s, u) })
	if !s.node { // which forwards none: clients go on over HTTP
		t.Run("WebSocket", func(t *testing.T) { testWebSocket(t, s, u) })
	}
	t.Run("broken bodies", func(t *testing.T) { testBroken(t, s, u) })
	t.Run("other paths", func(t *testing.T) {
		answer := s.send(t, "GET", "/v1", "")
		require.Contains(t, readAll(t, answer), `"name":"tamp"`)
	})
}

// testThreads has the cases of message threads: a continuation is passed as it is, and a client is asked for the whole
// conversation where it has to be compacted.
func testThreads(t *testing.T, s *running, u *upstream) {
	const tooLong = `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 50000 tokens > ` +
		`40000 maximum"}}`
	for _, row := range []struct {
		name, kind, upstream string
		files, status, calls int
		tooLong              bool
	}{
		{"a continuation", "continue", "up", 3, 200, 1, false},
		{"a short conversation", "create", "up", 2, 200, 1, false},
		{"a conversation over the limits", "create", "up", 40, 400, 0, false},
		{"a continuation that is too long", "continue", "up", 3, 400, 1, true},
		{"a conversation that is too long", "create", "up", 10, 400, 1, true},
		{"no threads", "continue", "plain", 3, 400, 0, false},
	} {
		u.set(func(w http.ResponseWriter, _ *http.Request, _ string) {
			if row.tooLong {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, tooLong)
				return
			}
			_, _ = io.WriteString(w, "{}")
		})
		call := strings.Replace(agentCall(row.files), "{", `{"thread":{"type":"`+row.kind+`"},`, 1)
		call = strings.Replace(call, "Read", "Open", 1) // a native server remembers what was refused before
		answer := s.send(t, "POST", "/"+row.upstream+"/v1/messages", call)
		text := readAll(t, answer)
		_, body, calls := u.seen()
		require.Equal(t, row.status, answer.StatusCode, row.name)
		require.Equal(t, row.calls, calls, row.name)
		if calls > 0 {
			require.Equal(t, call, body, row.name)
		}
		require.Equal(t, row.status == 400, strings.Contains(text,
			`"details":{"error_code":"thread_unsupported_request"}`), "%s: %s", row.name, text)
	}
}
