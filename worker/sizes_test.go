//go:build !js

package worker

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Bodies over the limit, at the limit, and incomplete ones.

func testSizes(t *testing.T, p *place) {
	r := p.on(t, plain)
	for _, path := range []string{"/v1/check", "/v1/compact"} {
		t.Run("Content-Length over the limit"+path, func(t *testing.T) {
			got := r.raw(t, path, fmt.Sprintf("Content-Length: %d", maxBody+1), "", false)
			require.Equal(t, 413, got.status)
			code, _ := got.failure(t)
			require.Equal(t, "too_large", code, "no byte of it is read")
		})
		t.Run("chunks over the limit"+path, func(t *testing.T) {
			got := r.chunked(t, path, maxBody+1)
			require.Equal(t, 413, got.status, got.body)
			code, _ := got.failure(t)
			require.Equal(t, "too_large", code)
		})
		t.Run("broken off"+path, func(t *testing.T) {
			got := r.raw(t, path, "Content-Length: 100", `{"conversation":[`, true)
			if got.status != 0 { // the server may have closed the connection
				require.Equal(t, 400, got.status, got.body)
				code, message := got.failure(t)
				require.Equal(t, "bad_request", code)
				require.Contains(t, message, "is incomplete")
			}
			require.Equal(t, 200, r.ask(t, "POST", "/v1/check", small).status)
		})
	}
	t.Run("at the limit", func(t *testing.T) {
		got := r.chunked(t, "/v1/check", maxBody)
		require.Equal(t, 400, got.status)
		code, _ := got.failure(t)
		require.Equal(t, "bad_json", code, "it was read to its end")
	})
}

// raw sends the bytes of a request, and half-closes the connection after an incomplete body. The status is 0 if there
// was no response.
func (r *running) raw(t *testing.T, path, header, body string, breaks bool) reply {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	require.NoError(t, connection.SetDeadline(time.Now().Add(60*time.Second)))
	_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n%s", path, header, body)
	require.NoError(t, err)
	if breaks {
		require.NoError(t, connection.(*net.TCPConn).CloseWrite())
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if breaks && err != nil {
		return reply{}
	}
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	got := reply{answer.StatusCode, answer.Header, string(text)}
	got.check(t, "POST")
	return got
}

// chunked sends that many bytes, which are not JSON, without a Content-Length.
func (r *running) chunked(t *testing.T, path string, size int) reply {
	t.Helper()
	body := io.LimitReader(endless{}, int64(size))
	request, err := http.NewRequestWithContext(t.Context(), "POST", r.url+path, io.NopCloser(body))
	require.NoError(t, err)
	answer, err := newClient().Do(request)
	require.NoError(t, err)
	text := readAll(t, answer)
	got := reply{answer.StatusCode, answer.Header, text}
	got.check(t, "POST")
	return got
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
