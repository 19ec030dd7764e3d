//go:build !js

package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core"
)

// provider is an upstream that records what it receives.
type provider struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   [][]byte
	serve    func(w http.ResponseWriter, r *http.Request, body []byte)
}

func newProvider(t testing.TB, serve func(http.ResponseWriter, *http.Request, []byte)) *provider {
	p := &provider{serve: serve}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		p.mu.Lock()
		p.requests, p.bodies = append(p.requests, r), append(p.bodies, body)
		p.mu.Unlock()
		p.serve(w, r, body)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) last() (*http.Request, []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests[len(p.requests)-1], p.bodies[len(p.bodies)-1]
}

func ok(w http.ResponseWriter, _ *http.Request, _ []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"usage":{"input_tokens":7,"cache_read_input_tokens":20,"output_tokens":3}}`)
}

// started is a gateway in front of a provider.
type started struct {
	*httptest.Server
	g       *Gateway
	mu      sync.Mutex
	entries []Entry
}

func start(t testing.TB, upstream string, settings ...string) *started {
	given := map[string]string{"UPSTREAMS": "up=" + upstream}
	for i := 0; i < len(settings); i += 2 {
		given[settings[i]] = settings[i+1]
	}
	c, err := ReadConfig(func(name string) string { return given[name] })
	require.NoError(t, err)
	if c.Secret == nil {
		c.Secret = []byte("a secret of this test")
	}
	s := &started{g: &Gateway{Config: c, Checkpoints: NewLRU(DefaultCheckpoints), Sessions: NewSessions(time.Now)}}
	s.g.Log = func(e *Entry) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.entries = append(s.entries, *e)
	}
	s.Server = httptest.NewServer(s.g)
	t.Cleanup(s.Close)
	return s
}

const window40 = `{"trigger":{"window":40000}}`

// history is the body of a call of an agent after n rounds, and format is that of its path.
func history(n, size int, path string) string {
	var b strings.Builder
	chat, responses := strings.HasSuffix(path, "/chat/completions"), strings.HasSuffix(path, "/responses")
	list := "messages"
	if responses {
		list = "input"
	}
	b.WriteString(`{"model":"claude-opus-4-5","max_tokens":100,"` + list + `":[{"role":"user","content":"Read all the files."}`)
	for i := range n {
		text := strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), size*4/20)
		if responses {
			fmt.Fprintf(&b, `,{"type":"reasoning","id":"rs_%d","summary":[],"encrypted_content":"x"},{"type":"function_call",`+
				`"id":"fc_%d","call_id":"c%d","name":"read","arguments":"{}"},{"type":"function_call_output","call_id":"c%d",`+
				`"output":"%s"}`, i, i, i, i, text)
			continue
		}
		if chat {
			fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":`+
				`{"name":"read","arguments":"{\"path\":\"f%d\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"%s"}`, i, i, i, text)
			continue
		}
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"read","input":{"path":"f%d"}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"%s"}]}`, i, i, i, text)
	}
	b.WriteString(`],"stream":true,"x_unknown":[1.50]}`)
	return b.String()
}

// prose is the body of a call in any format after n long answers. It has no results that could be cut, so that only
// summaries free something.
func prose(n, size int, path string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":"%s"},{"role":"user","content":"Go on with %d."}`,
			strings.Repeat(fmt.Sprintf(`line %d of the file\n`, i), size*4/20), i)
	}
	return strings.Replace(history(0, 0, path), `],"stream"`, b.String()+`],"stream"`, 1)
}

func (s *started) post(t testing.TB, path, body string, headers ...string) (*http.Response, string) {
	r, err := http.NewRequest("POST", s.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", "key")
	for i := 0; i < len(headers); i += 2 {
		if headers[i] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(text)
}

// Every method, path, query, header and status passes as it is, except for what belongs to one connection.
func TestPassesEverything(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		w.Header()["X-Two"] = []string{"a", "b, c"}
		w.Header().Set("Connection", "X-Gone")
		w.Header().Set("X-Gone", "1")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.Header().Set("Content-Encoding", "br")
		w.WriteHeader(418)
		if r.Method != "HEAD" {
			_, _ = w.Write(append([]byte("\x00\xff"), body...))
		}
	})
	s := start(t, p.URL)
	for _, row := range []struct{ method, path, body, want string }{
		{"HEAD", "/up", "", "/"},
		{"GET", "/up/v1/models?limit=1&after=a%20b", "", "/v1/models?limit=1&after=a%20b"},
		{"DELETE", "/up/v1/files/a%2Fb", "", "/v1/files/a%2Fb"},
		{"POST", "/up/v1/files", "\x00\x01 not JSON", "/v1/files"},
		{"PUT", "/up//evil.example/x", "x", "//evil.example/x"},
		{"GET", "/up/http://evil.example/", "", "/http://evil.example/"},
	} {
		r, err := http.NewRequest(row.method, s.URL+row.path, strings.NewReader(row.body))
		require.NoError(t, err)
		r.Header = http.Header{"Anthropic-Beta": {"a", "b"}, "Authorization": {"Bearer k"}, "X-Tamp-Policy": {"{}"},
			"Connection": {"X-Hop"}, "X-Hop": {"1"}, "Te": {"trailers"}, "Proxy-Authorization": {"Basic x"}}
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		got, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		response.Body.Close()
		seen, body := p.last()
		require.Equal(t, row.method, seen.Method)
		require.Equal(t, row.want, seen.RequestURI)
		require.Equal(t, row.body, string(body))
		require.Equal(t, []string{"a", "b"}, seen.Header["Anthropic-Beta"])
		require.Equal(t, "Bearer k", seen.Header.Get("Authorization"))
		for _, name := range []string{"X-Tamp-Policy", "X-Hop", "Te", "Proxy-Authorization", "X-Forwarded-For"} {
			require.NotContains(t, seen.Header, name)
		}
		require.Equal(t, 418, response.StatusCode)
		require.Equal(t, []string{"a", "b, c"}, response.Header["X-Two"])
		require.Equal(t, "br", response.Header.Get("Content-Encoding"))
		require.NotContains(t, response.Header, "X-Gone")
		require.NotContains(t, response.Header, "Keep-Alive")
		require.Equal(t, "passed reason=no_history", response.Header.Get("X-Tamp"))
		if row.method != "HEAD" {
			require.Equal(t, "\x00\xff"+row.body, string(got))
		}
	}
}

func TestUserAgentIsTheClients(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL)
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "GET /up/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	_, err = io.ReadAll(c)
	require.NoError(t, err)
	seen, _ := p.last()
	require.NotContains(t, seen.Header, "User-Agent")
	require.NotContains(t, seen.Header, "Accept-Encoding")
}

// A redirect is returned: following it would send the key elsewhere.
func TestRedirectsAreReturned(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusTemporaryRedirect)
	})
	s := start(t, p.URL)
	response, _ := s.post(t, "/up/v1/messages", history(1, 10, ""))
	require.Equal(t, 307, response.StatusCode)
	require.Equal(t, "http://127.0.0.1:1/elsewhere", response.Header.Get("Location"))
}

// Each chunk arrives before the next one is sent, trailers follow, and a disconnected client cancels the request.
func TestStreams(t *testing.T) {
	next, canceled := make(chan struct{}), make(chan struct{})
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		w.Header().Set("Trailer", "X-End")
		for i := range 3 {
			fmt.Fprintf(w, "event: ping\ndata: %d\n\n", i)
			w.(http.Flusher).Flush()
			<-next
		}
		w.Header().Set("X-End", "done")
		if r.URL.Path == "/forever" {
			<-r.Context().Done()
			close(canceled)
		}
	})
	s := start(t, p.URL)
	response, err := http.Get(s.URL + "/up/v1/events")
	require.NoError(t, err)
	from := bufio.NewReader(response.Body)
	for i := range 3 {
		for _, want := range []string{"event: ping\n", fmt.Sprintf("data: %d\n", i), "\n"} {
			line, err := from.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, want, line)
		}
		next <- struct{}{}
	}
	_, err = from.ReadByte()
	require.Equal(t, io.EOF, err)
	require.Equal(t, "done", response.Trailer.Get("X-End"))

	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/up/forever", nil)
	require.NoError(t, err)
	response, err = http.DefaultClient.Do(r)
	require.NoError(t, err)
	for range 3 {
		next <- struct{}{}
	}
	cancel()
	<-canceled
	response.Body.Close()
}

// If the provider breaks off, the client notices it.
func TestBrokenOff(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	s := start(t, p.URL)
	response, err := http.Get(s.URL + "/up/v1/x")
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.Equal(t, "half", string(text))
	require.Error(t, err)

	p.Close()
	response, body := s.post(t, "/up/v1/messages", history(1, 10, ""))
	require.Equal(t, 502, response.StatusCode)
	require.Contains(t, body, "cannot be reached")
	require.Equal(t, "error reason=unreachable", response.Header.Get("X-Tamp"))
}

// A body over the limit is streamed through, with and without a length.
func TestLargeBodies(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL)
	large := `{"messages":[{"role":"user","content":"` + strings.Repeat("x", MaxBody) + `"}]}`
	for _, reader := range []io.Reader{strings.NewReader(large), struct{ io.Reader }{strings.NewReader(large)}} {
		response, err := http.Post(s.URL+"/up/v1/messages", "application/json", reader)
		require.NoError(t, err)
		response.Body.Close()
		require.Equal(t, "passed reason=too_large", response.Header.Get("X-Tamp"))
		_, body := p.last()
		require.True(t, string(body) == large)
	}
}

// Whatever cannot be compacted is forwarded byte for byte, with the reason.
func TestFailsOpen(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	long := history(40, 1500, "")
	for _, row := range []struct{ body, reason, header, value string }{
		{"", "bad_json", "", ""},
		{"{", "bad_json", "", ""},
		{`{"messages":[]}`, "bad_message", "", ""},
		{`{"messages":7}`, "", "", ""},
		{`{"messages":[{"role":"user","content":7}]}`, "bad_message", "", ""},
		{`{"messages":` + strings.Repeat("[", 3000) + strings.Repeat("]", 3000) + `}`, "too_large", "", ""},
		{history(2, 100, ""), "below_limits", "", ""},
		{long, "bad_policy", "X-Tamp-Policy", "{"},
		{long, "bad_policy", "X-Tamp-Policy", `{"trigger":{"windows":1}}`},
		{long, "below_limits", "X-Tamp-Policy", `{"preset":"turns","trigger":{"window":900000}}`},
		{long, "encoded", "Content-Encoding", "zstd"},
		{strings.Replace(long, `"tool_use_id":"c39"`, `"tool_use_id":"another"`, 1), "invalid_outcome", "", ""},
	} {
		response, _ := s.post(t, "/up/v1/messages", row.body, row.header, row.value)
		_, body := p.last()
		require.True(t, row.body == string(body), "%s", response.Header.Get("X-Tamp"))
		require.Contains(t, response.Header.Get("X-Tamp"), "passed reason="+row.reason)
	}
	observing := start(t, p.URL, "GATEWAY_POLICY", window40, "GATEWAY_MODE", "observe")
	long = prose(40, 1500, "")
	response, _ := observing.post(t, "/up/v1/messages", long)
	_, body := p.last()
	require.Equal(t, long, string(body))
	require.Regexp(t, `^passed reason=observe before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
}

// A long history is compacted, in each format, by clearing and by summaries, and counting tokens sees the same body.
// Two instances without a common storage send the same bytes.
func TestCompacts(t *testing.T) {
	for _, row := range []struct {
		body func(n, size int, path string) string
		note string
	}{
		{history, `^before=\d+ after=\d+ cleared=[1-9]\d* summaries=[1-9]\d* checkpoint=hit`},
		{prose, `^before=\d+ after=\d+ cleared=0 summaries=[1-9]\d* checkpoint=hit`},
	} {
		for _, path := range []string{"/up/v1/messages", "/up/v1/chat/completions", "/up/v1/responses"} {
			compacts(t, path, row.note, func(n int) string { return row.body(n, 1500, path) })
		}
	}
}

func compacts(t *testing.T, path, note string, bodyOf func(n int) string) {
	p := newProvider(t, ok)
	s, other := start(t, p.URL, "GATEWAY_POLICY", window40), start(t, p.URL, "GATEWAY_POLICY", window40)
	for n := 10; n < 40; n++ {
		body := bodyOf(n)
		response, _ := s.post(t, path, body)
		_, first := p.last()
		require.Equal(t, 200, response.StatusCode)
		if n%5 == 0 {
			other.post(t, path, body)
			_, second := p.last()
			require.Equal(t, string(first), string(second))
		}
		require.Less(t, len(first), 36_000*5)
		if n == 39 {
			require.Regexp(t, note, response.Header.Get("X-Tamp"))
			require.True(t, bytes.HasSuffix(first, []byte(`],"stream":true,"x_unknown":[1.50]}`)))
			require.Contains(t, string(first), "line 38 of the file")
			require.NotContains(t, string(first), "line 3 of the file\\nline 3 of the file")
		}
	}
	if path == "/up/v1/messages" {
		_, compacted := p.last()
		s.post(t, path+"/count_tokens?beta=true", bodyOf(39))
		seen, counted := p.last()
		require.Equal(t, "/v1/messages/count_tokens?beta=true", seen.RequestURI)
		require.Equal(t, string(compacted), string(counted))
	}
}

// Fifty sessions at once do not affect each other: each gets what an instance of its own sends.
func TestFiftySessions(t *testing.T) {
	var mu sync.Mutex
	received := map[string][]string{} // by session
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		mu.Lock()
		defer mu.Unlock()
		name := r.Header.Get("X-Session-Id")
		received[name] = append(received[name], string(body))
	})
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	bodyOf := func(session, n int) string {
		return strings.ReplaceAll(history(n, 1500, ""), "of the file", fmt.Sprintf("of file %d", session))
	}
	var all sync.WaitGroup
	for session := range 50 {
		all.Go(func() {
			for n := 12; n < 24; n += 4 {
				s.post(t, "/up/v1/messages", bodyOf(session, n), "X-Session-Id", fmt.Sprint(session))
			}
		})
	}
	all.Wait()
	other := start(t, p.URL, "GATEWAY_POLICY", window40)
	for _, session := range []int{0, 17, 49} {
		for i, n := range []int{12, 16, 20} {
			other.post(t, "/up/v1/messages", bodyOf(session, n), "X-Session-Id", "alone")
			require.True(t, received["alone"][len(received["alone"])-1] == received[fmt.Sprint(session)][i])
		}
	}
	require.Len(t, received, 51)
}

// Another credential does not find the checkpoints of the first one, and gets the same result.
func TestCheckpointsBelongToACredential(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	body := history(30, 1500, "")
	s.post(t, "/up/v1/messages", body)
	_, first := p.last()
	response, _ := s.post(t, "/up/v1/messages", body)
	require.Contains(t, response.Header.Get("X-Tamp"), "checkpoint=hit")
	response, _ = s.post(t, "/up/v1/messages", body, "X-Api-Key", "another")
	_, second := p.last()
	require.Contains(t, response.Header.Get("X-Tamp"), "checkpoint=none")
	require.Equal(t, string(first), string(second))
}

// After "too long" the gateway compacts to the limit of the error and sends the request once more.
func TestRetriesAfterTooLong(t *testing.T) {
	calls := 0
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		calls++
		if len(body) > 60_000 {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":`+
				`"prompt is too long: 46000 tokens > 20000 maximum"}}`)
			return
		}
		ok(w, r, body)
	})
	s := start(t, p.URL)
	response, _ := s.post(t, "/up/v1/messages", history(20, 1500, ""))
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, 2, calls)
	require.Regexp(t, `^before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
	response, _ = s.post(t, "/up/v1/messages", history(21, 1500, ""))
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, 3, calls, "the checkpoint keeps what was forced")

	calls = 0
	one := strings.Replace(history(0, 0, ""), "Read all", strings.Repeat("x", 70_000), 1)
	response, text := s.post(t, "/up/v1/messages", one)
	require.Equal(t, 400, response.StatusCode, "nothing can be removed, so the error passes unchanged")
	require.Contains(t, text, "prompt is too long: 46000 tokens > 20000 maximum")
	require.Equal(t, 1, calls)
}

// If the provider refuses what was compacted, it gets the request as the client sent it.
func TestRetriesWithTheOriginal(t *testing.T) {
	original := history(40, 1500, "")
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		if string(body) != original {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":{"message":"Invalid signature in thinking block"}}`)
			return
		}
		ok(w, r, body)
	})
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	response, _ := s.post(t, "/up/v1/messages", original)
	require.Equal(t, 200, response.StatusCode)
	require.Contains(t, response.Header.Get("X-Tamp"), "passed reason=refused")
}

// The Responses API reports a prompt that is too long in the first events of a stream.
func TestHoldsTheFirstEventsBack(t *testing.T) {
	const opening = "event: response.created\ndata: {}\n\nevent: response.in_progress\ndata: {}\n\n"
	failed := opening + "event: response.failed\ndata: {\"error\":{\"code\":\"context_length_exceeded\"}}\n\n"
	const good = opening + "event: response.output_item.added\ndata: {}\n\nevent: response.failed\ndata: " +
		"context_length_exceeded\n\n"
	calls, other := 0, ""
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, body []byte) {
		calls++
		w.Header().Set("Content-Type", "text/event-stream")
		text := good
		if other != "" {
			text = other
		} else if len(body) > 60_000 {
			text = failed
		}
		for i := range len(text) / 10 {
			_, _ = io.WriteString(w, text[10*i:10*i+10])
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = io.WriteString(w, text[len(text)/10*10:])
	})
	s := start(t, p.URL)
	response, text := s.post(t, "/up/v1/responses", history(20, 1500, "/responses"))
	require.Equal(t, good, text)
	require.Equal(t, 2, calls)
	require.Contains(t, response.Header.Get("X-Tamp"), "before=")
	require.NotContains(t, response.Header.Get("X-Tamp"), "passed")
	for _, other = range []string{opening, "data: {}\n\n", "half", ": ping\r\n\r\n" + failed[:40],
		opening + "event: response.failed\ndata: {\"error\":{\"code\":\"server_error\"}}\n\n"} {
		calls = 0
		_, text = s.post(t, "/up/v1/responses", history(2, 100, "/responses"))
		require.Equal(t, other, text)
		require.Equal(t, 1, calls)
	}
	for _, member := range []string{`"previous_response_id":"r"`, `"conversation":"c"`} {
		body := strings.Replace(history(40, 1500, "/responses"), `"stream"`, member+`,"stream"`, 1)
		response, _ = s.post(t, "/up/v1/responses", body)
		_, forwarded := p.last()
		require.True(t, body == string(forwarded))
		require.Equal(t, "passed reason=stored_history", response.Header.Get("X-Tamp"))
	}
}

func TestReadTooLong(t *testing.T) {
	for _, row := range []struct {
		status      int
		text        string
		used, limit int
		ok          bool
	}{
		{400, "prompt is too long: 215000 tokens > 200000 maximum", 215000, 200000, true},
		{400, "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length", 188240,
			178667, true},
		{400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
			130001, 128000, true},
		{400, `{"error":{"code":"context_length_exceeded"}}`, 0, 0, true},
		{400, "Your input exceeds the context window of this model. Please adjust your input and try again.", 0, 0, true},
		{413, "", 0, 0, true},
		{400, "messages.3: tool_use ids were found without tool_result blocks", 0, 0, false},
		{400, "prompt is too long", 0, 0, true},
		{400, "12345678901234567890 exceed context limit", 0, 0, true},
	} {
		used, limit, ok := readTooLong(row.status, []byte(row.text))
		require.Equal(t, row.ok, ok, row.text)
		require.Equal(t, []int{row.used, row.limit}, []int{used, limit}, row.text)
	}
}

func TestUpstreams(t *testing.T) {
	all, err := ParseUpstreams("")
	require.NoError(t, err)
	require.Equal(t, []Upstream{{"anthropic", "https://api.anthropic.com", false},
		{"openai", "https://api.openai.com", false}}, all)
	all, err = ParseUpstreams(" a=http://x:1/base/ , local=plain:http://y")
	require.NoError(t, err)
	require.Equal(t, []Upstream{{"a", "http://x:1/base", false}, {"local", "http://y", true}}, all)
	for _, bad := range []string{"x", "=http://a", "V=http://a", "v1=http://a", "healthz=http://a", "a=ftp://b", "a=b",
		"a=http://secret@b", "a=http://b?k=secret", "a=http://b#secret", "a=http://b,a=http://c", "a b=http://x"} {
		_, err := ParseUpstreams(bad)
		require.ErrorContains(t, err, "cannot use UPSTREAMS: entry ", bad)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestConfigErrors(t *testing.T) {
	for name, value := range map[string]string{"UPSTREAMS": "x", "GATEWAY_POLICY": "{", "GATEWAY_MODE": "off",
		"GATEWAY_KEEP": "yes", "GATEWAY_SECRET": "short", "GATEWAY_MAX_STREAMS": "0"} {
		_, err := ReadConfig(func(n string) string { return map[string]string{name: value}[n] })
		require.ErrorContains(t, err, "cannot use "+name)
	}
}

func TestToken(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL)
	s.g.Token = "0123456789abcdef"
	response, _ := s.post(t, "/up/v1/messages", history(1, 10, ""))
	require.Equal(t, 401, response.StatusCode)
	response, _ = s.post(t, "/up/v1/messages", history(1, 10, ""), "X-Tamp-Token", "0123456789abcdef")
	require.Equal(t, 200, response.StatusCode)
	seen, _ := p.last()
	require.NotContains(t, seen.Header, "X-Tamp-Token")
}

func TestStreamLimit(t *testing.T) {
	here, leave := make(chan struct{}), make(chan struct{})
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		here <- struct{}{}
		<-leave
		ok(w, r, body)
	})
	s := start(t, p.URL, "GATEWAY_MAX_STREAMS", "1")
	done := make(chan int)
	go func() {
		response, err := http.Get(s.URL + "/up/v1/models")
		if err == nil {
			response.Body.Close()
		}
		done <- 1
	}()
	<-here
	response, err := http.Get(s.URL + "/up/v1/models")
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, 503, response.StatusCode)
	require.Equal(t, "1", response.Header.Get("Retry-After"))
	close(leave)
	<-done
}

func TestLRU(t *testing.T) {
	l := NewLRU(10)
	l.Keep("a", []byte("1234"))
	l.Keep("b", []byte("1234"))
	require.NotNil(t, l.Find("a"))
	l.Keep("c", []byte("1234"))
	require.Nil(t, l.Find("b"), "a was used later")
	require.Equal(t, "1234", string(l.Find("a")))
	l.Keep("a", []byte("12345"))
	require.Equal(t, "12345", string(l.Find("a")))
	l.Keep("d", bytes.Repeat([]byte("x"), 10))
	require.Nil(t, l.Find("d"))
	require.LessOrEqual(t, l.size, 10)
}

// The list of sessions has figures and no content; the last request is kept for the page.
func TestSessions(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	for n := 10; n < 30; n++ {
		s.post(t, "/up/v1/messages", history(n, 1500, ""), "User-Agent", "agent/1", "X-Session-Id", "one")
	}
	s.post(t, "/up/v1/messages", history(1, 10, ""), "X-Session-Id", "two")
	s.post(t, "/up/v1/messages/count_tokens", history(1, 10, ""), "X-Session-Id", "three")
	require.Eventually(t, func() bool { return bytes.Count(s.g.Sessions.List(), []byte(`"client"`)) == 2 }, 30*time.Second,
		time.Millisecond)
	var list struct{ Sessions []Session }
	require.NoError(t, json.Unmarshal(s.g.Sessions.List(), &list))
	require.NotContains(t, string(s.g.Sessions.List()), "line 3")
	one := list.Sessions[slices.IndexFunc(list.Sessions, func(v Session) bool { return v.Calls > 1 })]
	require.Equal(t, "agent/1", one.Client)
	require.Equal(t, 20, one.Calls)
	require.Equal(t, 40_000, one.Window)
	require.Greater(t, one.Before, one.After)
	require.NotEmpty(t, one.Compactions)
	require.Equal(t, 20*20, one.Usage.CacheRead)
	require.True(t, one.Priced)
	require.Positive(t, one.Cost)
	require.Equal(t, history(29, 1500, ""), string(s.g.Sessions.Request(one.ID)))
	require.Contains(t, string(s.g.Sessions.One(one.ID)), `"log":[{"number":1`)
	require.Nil(t, s.g.Sessions.One("none"))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		require.NotContains(t, fmt.Sprint(e), "key")
	}
}

// A model's summaries are requested in the background, and used when they are there; over the hard limit the call
// waits, and a failing model never fails a call.
func TestSummaries(t *testing.T) {
	p := newProvider(t, ok)
	var mu sync.Mutex
	texts := map[string]string{}
	asked, failing := 0, false
	s := start(t, p.URL, "GATEWAY_POLICY", `{"preset":"turns","trigger":{"window":40000}}`)
	s.g.Summaries = &Summaries{Timeout: 5 * time.Second, Concurrency: 2,
		Ask: func(_ context.Context, r core.SummaryRequest) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			if failing {
				return "", io.ErrUnexpectedEOF
			}
			return "A model wrote this summary of the work.", nil
		},
		Find: func(id string) (string, bool) {
			mu.Lock()
			defer mu.Unlock()
			text, ok := texts[id]
			return text, ok
		},
		Keep: func(id, text string) {
			mu.Lock()
			defer mu.Unlock()
			if _, ok := texts[id]; !ok {
				texts[id] = text
			}
		}}
	notes := map[string]int{}
	for n := 8; n < 40; n++ {
		response, _ := s.post(t, "/up/v1/messages", history(n, 1500, ""))
		note := response.Header.Get("X-Tamp")
		if strings.Contains(note, "summaries_pending") {
			notes["pending"]++
			_, body := p.last()
			require.Equal(t, history(n, 1500, ""), string(body))
		}
		s.g.Summaries.Wait()
		_, body := p.last()
		if strings.Contains(string(body), "A model wrote this") {
			notes["used"]++
		}
		require.Less(t, len(body), 36_000*5)
	}
	require.Positive(t, notes["pending"])
	require.Positive(t, notes["used"])
	require.Less(t, asked, 32)

	failing = true
	clear(texts)
	hard := start(t, p.URL, "GATEWAY_POLICY", window40)
	hard.g.Summaries = s.g.Summaries
	response, _ := hard.post(t, "/up/v1/messages", prose(39, 1500, ""))
	require.Regexp(t, `^before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
	_, first := p.last()
	hard.g.Checkpoints = NewLRU(DefaultCheckpoints)
	hard.post(t, "/up/v1/messages", prose(39, 1500, ""))
	_, second := p.last()
	require.Equal(t, string(first), string(second), "what was sent is found again")
}
