//go:build !js

package gateway

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core"
)

// texts stores summaries in memory; the first text of an ID stays.
type texts struct{ sync.Map }

func (k *texts) find(id string) (string, bool) {
	text, ok := k.Load(id)
	if !ok {
		return "", false
	}
	return text.(string), true
}

func (k *texts) keep(id, text string) { k.LoadOrStore(id, text) }

func summariesOf(k *texts, ask func(context.Context, core.SummaryRequest) (string, error)) *Summaries {
	return &Summaries{Ask: ask, Find: k.find, Keep: k.keep, Timeout: time.Minute, Concurrency: 2}
}

// Callers that want the same summary at the same time wait for one request; a later one asks again.
func TestOneFlight(t *testing.T) {
	k, asked, answer := &texts{}, atomic.Int32{}, make(chan error)
	s := summariesOf(k, func(ctx context.Context, r core.SummaryRequest) (string, error) {
		asked.Add(1)
		if _, limited := ctx.Deadline(); !limited {
			return "", errors.New("no deadline")
		}
		return "text of " + r.ID, <-answer
	})
	wait := func(n int, want error) {
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				text, err := s.text(t.Context(), core.SummaryRequest{ID: "1"})
				if want == nil && text != "text of 1" || !errors.Is(err, want) {
					t.Errorf("%q, %v", text, err)
				}
			})
		}
		require.Eventually(t, func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.flights["1"] != nil
		}, 30*time.Second, time.Millisecond)
		answer <- want
		all.Wait()
	}
	wait(1, io.ErrUnexpectedEOF)
	_, stored := k.find("1")
	require.False(t, stored, "a failure is not kept")
	wait(1, nil)
	require.EqualValues(t, 2, asked.Load())
	s.Wait()
	require.Empty(t, s.flights)
	text, _ := k.find("1")
	require.Equal(t, "text of 1", text)

	// One caller leaves; the request goes on, and its text is kept.
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := s.text(ctx, core.SummaryRequest{ID: "2"})
		left <- err
	}()
	require.Eventually(t, func() bool { return asked.Load() == 3 }, 30*time.Second, time.Millisecond)
	both := make(chan string)
	go func() {
		text, _ := s.text(t.Context(), core.SummaryRequest{ID: "2"})
		both <- text
	}()
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	_, err := s.text(ctx, core.SummaryRequest{ID: "3"})
	require.ErrorIs(t, err, context.Canceled)
	answer <- nil
	select {
	case text := <-both:
		require.Equal(t, "text of 2", text)
	case answer <- nil: // it came after the end of the first request
		<-both
	}
	s.Wait()
	_, stored = k.find("3")
	require.False(t, stored, "nothing is asked for a caller that has left")
	text, _ = k.find("2")
	require.Equal(t, "text of 2", text)
}

// The first text that was stored is what every caller gets, and a panic is an error.
func TestFlightsThatEndBadly(t *testing.T) {
	k := &texts{}
	s := summariesOf(k, func(_ context.Context, r core.SummaryRequest) (string, error) {
		if r.ID == "panic" {
			panic("M4RK3R")
		}
		k.keep(r.ID, "the first")
		return "the second", nil
	})
	text, err := s.text(t.Context(), core.SummaryRequest{ID: "1"})
	require.Equal(t, []any{"the first", nil}, []any{text, err})
	_, err = s.text(t.Context(), core.SummaryRequest{ID: "panic"})
	require.ErrorIs(t, err, context.Canceled)
	s.Wait()
	require.Empty(t, s.flights)
}

// At most Concurrency requests run at once; what is stored is not asked; the first error is returned.
func TestRequestsAtOnce(t *testing.T) {
	for _, most := range []int{0, 1, 3} {
		k, now, peak := &texts{}, atomic.Int32{}, atomic.Int32{}
		s := summariesOf(k, func(_ context.Context, r core.SummaryRequest) (string, error) {
			n := now.Add(1)
			for old := peak.Load(); n > old && !peak.CompareAndSwap(old, n); old = peak.Load() {
			}
			time.Sleep(time.Millisecond) // lets the others start
			now.Add(-1)
			if r.ID == "7" {
				return "", io.ErrUnexpectedEOF
			}
			return "asked", nil
		})
		s.Concurrency = most
		k.keep("3", "stored")
		var requests []core.SummaryRequest
		for i := range 10 {
			requests = append(requests, core.SummaryRequest{ID: fmt.Sprint(i)})
		}
		results, missing := s.find(requests)
		require.Equal(t, 9, missing)
		require.ErrorIs(t, s.ask(t.Context(), requests, results), io.ErrUnexpectedEOF)
		s.Wait()
		require.LessOrEqual(t, int(peak.Load()), max(most, 1))
		for i, r := range results {
			require.Equal(t, map[int]string{3: "stored", 7: ""}[i] == "" && i != 7, r.Text == "asked", i)
			require.Equal(t, fmt.Sprint(i), r.ID)
		}
		require.NoError(t, s.ask(t.Context(), requests[:7], results[:7]))
		_, missing = s.find(requests)
		require.Equal(t, 1, missing)
	}
}

// Over the hard limit a call waits, at most for the timeout; summaries that are missing then are written without a
// model, and every later call finds them.
func TestSlowModelsAreNotWaitedFor(t *testing.T) {
	p := newProvider(t, ok)
	k, asked := &texts{}, atomic.Int32{}
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	s.g.Summaries = summariesOf(k, func(ctx context.Context, _ core.SummaryRequest) (string, error) {
		asked.Add(1)
		<-ctx.Done()
		return "", ctx.Err()
	})
	s.g.Summaries.Timeout = 200 * time.Millisecond // long enough that the model is asked
	response, _ := s.post(t, "/up/v1/messages", prose(39, 1500, ""))
	require.Regexp(t, `^before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
	_, first := p.last()
	require.Contains(t, string(first), "extracted from the messages it replaces")
	s.g.Summaries.Wait()
	before := asked.Load()
	require.Positive(t, before)
	stored := 0
	k.Range(func(_, text any) bool {
		stored++
		require.NotEmpty(t, text)
		return true
	})
	require.Positive(t, stored)
	s.g.Checkpoints = nil
	s.post(t, "/up/v1/messages", prose(39, 1500, ""))
	_, second := p.last()
	require.Equal(t, string(first), string(second))
	require.Equal(t, before, asked.Load())
}

// Between the limits one job at a time asks for the summaries of a history, with and without checkpoints; at the edge
// an instance without a model says that another one is needed.
func TestJobs(t *testing.T) {
	for _, secret := range []string{"a secret of this test", ""} {
		k, asked, answer := &texts{}, atomic.Int32{}, make(chan string)
		g := &Gateway{Config: configOf(t, "GATEWAY_POLICY", `{"preset":"turns","trigger":{"window":40000}}`)}
		if g.Secret = nil; secret != "" {
			g.Secret = []byte(secret)
		}
		g.Summaries = summariesOf(k, func(context.Context, core.SummaryRequest) (string, error) {
			asked.Add(1)
			return <-answer, nil
		})
		n := 8
		var p *Prepared
		for ; p == nil || p.Reason != reasonWaiting; n++ {
			require.Less(t, n, 40)
			p = g.Prepare(t.Context(), &Upstream{}, endpointOf("POST", "/v1/messages", false), jsonWith(),
				[]byte(history(n, 1500, "")), nil, nil)
		}
		for range 3 {
			g.Summaries.start(p)
		}
		answer <- "A model wrote this: line, file."
		close(answer) // later requests get "", which is no summary
		g.Summaries.Wait()
		require.Empty(t, g.Summaries.jobs)
		first := asked.Load()
		require.Positive(t, first)
		g.Summaries.start(&Prepared{})
		g.Summaries.start(&Prepared{wait: &pending{}})
		g.Summaries.Wait()
		require.Equal(t, first, asked.Load())
	}
	g := &Gateway{Config: configOf(t, "GATEWAY_POLICY", `{"preset":"turns","trigger":{"window":40000}}`), Summaries: &Summaries{}}
	r := Request{Method: "POST", Address: "http://x/up/v1/messages", Header: jsonWith(), Body: []byte(history(30,
		1500, ""))}
	c, body := g.Compact(r)
	require.Equal(t, []any{true, true}, []any{c.Slow, body == nil})
	r.Body = []byte(history(2, 10, ""))
	c, _ = g.Compact(r)
	require.False(t, c.Slow)

	k, asked := &texts{}, atomic.Int32{}
	g.Summaries = summariesOf(k, func(_ context.Context, r core.SummaryRequest) (string, error) {
		asked.Add(1)
		return "A model wrote this: line, file.", nil
	})
	for n := 8; c.Job == ""; n++ {
		require.Less(t, n, 40)
		r.Body = []byte(history(n, 1500, ""))
		c, body = g.Compact(r)
	}
	require.Equal(t, g.Names(r)[0], c.Job)
	require.Contains(t, c.Note, "passed reason=summaries_pending")
	require.True(t, body == nil)
	require.Zero(t, asked.Load())
	g.Background(&c)
	require.Positive(t, asked.Load())
	g.Background(&Compacted{})
	c, body = g.Compact(r)
	require.Empty(t, c.Job)
	require.Contains(t, string(body), "A model wrote this")
}

// A WebSocket passes with the headers of the client, except those of the gateway; a path with a history has none.
func TestWebSockets(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		if r.URL.Path != "/v1/realtime" {
			w.Header().Set("X-Tamp-Other", "1")
			w.Header().Set("Keep-Alive", "5")
			w.WriteHeader(418)
			return
		}
		c, both, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = both.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Tamp-Other: 1\r\n" +
			"Keep-Alive: 5\r\nX-Mine: 1\r\n\r\n")
		_ = both.Flush()
		line, _ := both.ReadString('\n')
		_, _ = both.WriteString(strings.ToUpper(line))
		_ = both.Flush()
	})
	s := start(t, p.URL)
	open := func(path string) (net.Conn, *bufio.Reader, *http.Response) {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		_, err = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, X-Hop\r\nX-Hop: 1\r\nUpgrade: WebSocket\r\n"+
			"Authorization: Bearer k\r\nX-Tamp-Policy: {}\r\nTe: trailers\r\n\r\n")
		require.NoError(t, err)
		from := bufio.NewReader(c)
		response, err := http.ReadResponse(from, nil)
		require.NoError(t, err)
		return c, from, response
	}
	c, from, response := open("/up/v1/realtime?model=m")
	require.Equal(t, 101, response.StatusCode)
	require.Regexp(t, "^[0-9a-f]{16}$", response.Header.Get("X-Tamp-Request-Id"))
	response.Header.Del("X-Tamp-Request-Id")
	require.Equal(t, headerOf("Connection: Upgrade", "Upgrade: websocket", "X-Mine: 1",
		"X-Tamp: passed reason=no_history"), response.Header)
	seen, _ := p.last()
	require.Equal(t, "/v1/realtime?model=m", seen.RequestURI)
	require.Equal(t, strings.TrimPrefix(p.URL, "http://"), seen.Host)
	require.Equal(t, headerOf("Connection: Upgrade", "Upgrade: WebSocket", "Authorization: Bearer k"), seen.Header)
	_, err := io.WriteString(c, "hello\n")
	require.NoError(t, err)
	line, err := from.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HELLO\n", line)
	require.NoError(t, c.Close())

	_, _, response = open("/up/v1/refused")
	require.Equal(t, 418, response.StatusCode)
	require.Empty(t, response.Header.Get("Keep-Alive")+response.Header.Get("X-Tamp-Other"))
	_, _, response = open("/up/v1/responses")
	require.Equal(t, []any{426, "error reason=websocket"}, []any{response.StatusCode, response.Header.Get("X-Tamp")})
	p.Close()
	_, _, response = open("/up/v1/realtime")
	require.Equal(t, []any{502, "error reason=unreachable"}, []any{response.StatusCode, response.Header.Get("X-Tamp")})
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.entries) == 4
	}, 30*time.Second, time.Millisecond)
	statuses := map[int]bool{}
	for _, e := range s.entries {
		statuses[e.Status] = true
	}
	require.Equal(t, map[int]bool{101: true, 418: true, 426: true, 502: true}, statuses)
}

// A path that names no upstream: the error names them, for callers with a token only.
func TestMisses(t *testing.T) {
	g := &Gateway{Config: configOf(t)}
	for path, misses := range map[string]bool{"/v1/messages": true, "/upp/v1/responses": true,
		"/up/v1/messages": false, "/v1/models": false} {
		r, err := http.NewRequest("POST", "http://x"+path, nil)
		require.NoError(t, err)
		require.Equal(t, misses, g.Misses(r), path)
		r.Method = "GET"
		require.False(t, g.Misses(r), path)
	}
	for token, named := range map[string]bool{"": true, fullToken: false} {
		g.Token = token
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest("POST", "http://x/v1/messages", nil))
		require.Equal(t, []any{404, named}, []any{w.Code, strings.Contains(w.Body.String(), "/up or /plain")})
	}
	require.True(t, g.Handles("/up") && g.Handles("/plain/x"))
	require.False(t, g.Handles("/") || g.Handles("/upp"))
}
