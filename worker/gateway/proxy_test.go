//go:build !js

package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		require.Equal(t, "passed reason="+unread(row.method), response.Header.Get("X-Tamp"))
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

// A body that breaks off is an error, never an empty response with status 200. An empty body stays empty.
func TestBrokenBodies(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL)
	send := func(request string) *http.Response {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		_, err = io.WriteString(c, request)
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		return response
	}
	const head = "POST /up/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	response := send(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n")
	require.Equal(t, 400, response.StatusCode)
	require.Equal(t, "error reason=bad_body", response.Header.Get("X-Tamp"))
	require.Empty(t, p.requests)
	response = send(head + "Content-Length: 0\r\n\r\n")
	require.Equal(t, 200, response.StatusCode)
	seen, _ := p.last()
	require.Empty(t, seen.TransferEncoding)
	require.Equal(t, "0", seen.Header.Get("Content-Length"))
}
