//go:build !js

package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// zipped writes a response as gzip, flushed after each piece.
func zipped(w http.ResponseWriter, status int, pieces ...string) {
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	to := gzip.NewWriter(w)
	for _, piece := range pieces {
		_, _ = io.WriteString(to, piece)
		_ = to.Flush()
		_ = http.NewResponseController(w).Flush()
	}
	_ = to.Close()
}

// unzipped reads a response that the client asked for as gzip.
func unzipped(t *testing.T, body string) string {
	from, err := gzip.NewReader(strings.NewReader(body))
	require.NoError(t, err)
	text, err := io.ReadAll(from)
	require.NoError(t, err)
	return string(text)
}

// A compressed response passes as it is, and its errors and its usage are read.
func TestCompressedResponses(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, body []byte) {
		if len(body) > 60_000 {
			zipped(w, 400, `{"type":"error","error":{"message":"prompt is too long: `, `46000 tokens > 20000 maximum"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		zipped(w, 200, "event: message_delta\ndata: {\"usage\":", "{\"input_tokens\":7,\"output_tokens\":3}}\n\n")
	})
	s := start(t, p.URL)
	const accepted = "br;q=1.0, gzip;q=0.8, *;q=0.1"
	response, text := s.post(t, "/up/v1/messages", history(20, 1500, ""), "Accept-Encoding", accepted)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, "gzip", response.Header.Get("Content-Encoding"))
	require.Contains(t, unzipped(t, text), `"input_tokens":7`)
	require.Len(t, p.bodies, 2, "too long, and once more")
	seen, _ := p.last()
	require.Equal(t, "gzip;q=0.8", seen.Header.Get("Accept-Encoding"), "the others cannot be read")
	var list struct{ Sessions []Session }
	require.Eventually(t, func() bool {
		list.Sessions = nil
		return json.Unmarshal(s.g.Sessions.List(), &list) == nil && len(list.Sessions) == 1
	}, 30*time.Second, time.Millisecond)
	require.Equal(t, Usage{Input: 7, Output: 3}, list.Sessions[0].Usage)

	s.post(t, "/up/v1/messages", history(1, 100, ""), "Accept-Encoding", "br")
	seen, _ = p.last()
	require.Equal(t, "identity", seen.Header.Get("Accept-Encoding"))
	s.post(t, "/up/v1/files", "", "Accept-Encoding", "br")
	seen, _ = p.last()
	require.Equal(t, "br", seen.Header.Get("Accept-Encoding"), "nothing is read of other paths")
}

func TestCompressedEvents(t *testing.T) {
	const opening = "event: response.created\ndata: {}\n\n"
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, body []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		if len(body) > 60_000 {
			zipped(w, 200, opening, "event: response.failed\ndata: {\"error\":{\"code\":\"context_length_exceeded\"}}\n\n")
			return
		}
		zipped(w, 200, opening, "event: response.completed\ndata: {}\n\n")
	})
	s := start(t, p.URL)
	s.g.hold = time.Hour // on any machine
	_, text := s.post(t, "/up/v1/responses", history(20, 1500, "/responses"), "Accept-Encoding", "gzip")
	require.Len(t, p.bodies, 2)
	require.Equal(t, opening+"event: response.completed\ndata: {}\n\n", unzipped(t, text))
}

// What claims to be gzip and is none passes, and is neither held back nor kept in memory.
func TestBrokenCompression(t *testing.T) {
	large := strings.Repeat("no gzip ", 3<<20/8)
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		if strings.HasSuffix(r.URL.Path, "/messages") {
			w.WriteHeader(400)
		}
		_, _ = io.WriteString(w, large)
	})
	s := start(t, p.URL)
	for _, path := range []string{"/up/v1/responses", "/up/v1/messages", "/up/v1/chat/completions"} {
		_, text := s.post(t, path, history(2, 100, path), "Accept-Encoding", "gzip")
		require.True(t, text == large, path)
	}
	var bomb bytes.Buffer
	to := gzip.NewWriter(&bomb)
	for range 64 {
		_, _ = to.Write(make([]byte, 1<<20))
	}
	require.NoError(t, to.Close())
	text := textOf(http.Header{"Content-Encoding": {"gzip"}}, bomb.Bytes())
	require.LessOrEqual(t, len(text), maxHeld+1)
}
