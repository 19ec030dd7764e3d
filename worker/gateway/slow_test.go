//go:build !js

package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Bodies that arrive slowly take no place of a request, on any path, and end at the deadline.
func TestSlowBodies(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_MAX_STREAMS", "1")
	begin := func(path, header string) (net.Conn, *bufio.Reader) {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n%s\r\n\r\n",
			path, header)
		require.NoError(t, err)
		from := bufio.NewReader(c)
		line, err := from.ReadString('\n') // the gateway reads the body now
		require.NoError(t, err)
		require.Contains(t, line, "100")
		_, err = from.ReadString('\n')
		require.NoError(t, err)
		return c, from
	}
	body := history(2, 10, "")
	length := fmt.Sprintf("Content-Length: %d", len(body))
	type pair struct {
		net.Conn
		*bufio.Reader
	}
	var slow []pair
	for _, path := range []string{"/up/v1/messages", "/up/v1/messages", "/up/v1/files"} {
		for range 3 {
			c, from := begin(path, length)
			_, err := io.WriteString(c, body[:1])
			require.NoError(t, err)
			slow = append(slow, pair{c, from})
		}
	}
	response, _ := s.post(t, "/up/v1/messages", body)
	require.Equal(t, 200, response.StatusCode)
	for _, c := range slow { // one after the other they are served
		// The client has the whole response before the gateway gives the place of the request back.
		require.Eventually(t, func() bool { return len(s.g.slots) == 0 }, time.Minute, time.Millisecond)
		_, err := io.WriteString(c.Conn, body[1:])
		require.NoError(t, err)
		response, err := http.ReadResponse(c.Reader, nil)
		require.NoError(t, err)
		require.Equal(t, 200, response.StatusCode)
		_, err = io.ReadAll(response.Body)
		require.NoError(t, err)
		_, forwarded := p.last()
		require.Equal(t, body, string(forwarded))
	}
	s.g.BodyTimeout = 10 * time.Millisecond
	c, from := begin("/up/v1/messages", length)
	response, err := http.ReadResponse(from, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
	require.Equal(t, "error reason=bad_body", response.Header.Get("X-Tamp"))
	_, err = io.Copy(io.Discard, c) // the connection is closed
	require.NoError(t, err)
	_, from = begin("/up/v1/files", length)
	_, err = io.Copy(io.Discard, from)
	require.NoError(t, err)
}

// deadlines are those that a handler sets for reading the body.
type deadlines struct {
	http.ResponseWriter
	all []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.all = append(d.all, at)
	return nil
}

// Each deadline is BodyTimeout from now, and after the body there is none.
func TestDeadlinesOfBodies(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL)
	for _, path := range []string{"/up/v1/messages", "/up/v1/files"} {
		for pause, want := range map[time.Duration]time.Duration{time.Hour: time.Hour, 0: DefaultBodyTimeout} {
			s.g.BodyTimeout = pause
			d := &deadlines{ResponseWriter: httptest.NewRecorder()}
			begin := time.Now()
			s.g.ServeHTTP(d, httptest.NewRequest("POST", "http://x"+path, strings.NewReader(history(2, 10, ""))))
			require.GreaterOrEqual(t, len(d.all), 2)
			last := len(d.all) - 1
			require.Zero(t, d.all[last])
			for _, at := range d.all[:last] {
				require.WithinRange(t, at, begin.Add(want), time.Now().Add(want))
			}
		}
	}
}

// Clients that never read their responses give their places back at the deadline, and one that reads on has no
// deadline.
func TestSlowReaders(t *testing.T) {
	const streams = 16
	piece := strings.Repeat("data: x\n\n", 1000)
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		if strings.Contains(string(body), "small") {
			ok(w, r, body)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for range 2000 { // 20 MB: more than the buffers of a connection
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
		}
	})
	s := start(t, p.URL, "GATEWAY_MAX_STREAMS", fmt.Sprint(streams))
	s.g.ReadTimeout = 200 * time.Millisecond
	long := history(2, 10, "")
	for range streams {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		_, err = fmt.Fprintf(c, "POST /up/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
			"Content-Length: %d\r\n\r\n%s", len(long), long)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { return s.logged() == streams }, time.Minute, 10*time.Millisecond)
	require.Zero(t, s.g.InFlight())
	response, _ := s.post(t, "/up/v1/messages", strings.Replace(long, "Read all", "Of small ones: read all", 1))
	require.Equal(t, http.StatusOK, response.StatusCode)
}
