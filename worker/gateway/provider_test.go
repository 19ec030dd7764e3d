//go:build !js

package gateway

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	s := &started{g: &Gateway{Config: c, Checkpoints: NewLRU(DefaultCheckpoints), Live: DefaultLive,
		Sessions: NewSessions(time.Now)}}
	s.g.Log = func(e *Entry) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.entries = append(s.entries, *e)
	}
	s.Server = httptest.NewServer(s.g)
	t.Cleanup(s.Close)
	return s
}

// logged returns the number of requests that have ended.
func (s *started) logged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.entries)
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
