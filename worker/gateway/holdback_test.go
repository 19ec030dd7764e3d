//go:build !js

package gateway

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

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
	s.g.hold = time.Hour // on any machine
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

// What a model thinks after the first events does not hold them back: the provider goes on only when the client has
// read them. Comments in small pieces pass, too.
func TestPassesTheFirstEventsOn(t *testing.T) {
	seen := make(chan struct{})
	const opening = "event: response.created\ndata: {}\n\n"
	comments := strings.Repeat(":x\n\n", 1<<16)
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, opening)
		_ = http.NewResponseController(w).Flush()
		<-seen
		_, _ = io.WriteString(w, comments)
	})
	s := start(t, p.URL)
	body := strings.NewReader(history(2, 10, "/responses"))
	response, err := http.Post(s.URL+"/up/v1/responses", "application/json", body)
	require.NoError(t, err)
	defer response.Body.Close()
	first := make([]byte, len(opening))
	_, err = io.ReadFull(response.Body, first)
	require.NoError(t, err)
	require.Equal(t, opening, string(first))
	close(seen)
	rest, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.True(t, comments == string(rest))
}

// Nothing is held back if the request cannot be sent again with a smaller prompt, and of other APIs.
func TestHoldsNothingBackInVain(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: response.created\ndata: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // the client leaves when it has read the event
	})
	for _, row := range [][]string{{"GATEWAY_MODE", "observe", "/responses"}, {"GATEWAY_WORK", "1", "/responses"},
		{"GATEWAY_MODE", "compact", "/messages"}, {"GATEWAY_MODE", "compact", "/chat/completions"},
		{"GATEWAY_MODE", "compact", "/responses/input_tokens"}} {
		s := start(t, p.URL, row[0], row[1])
		s.g.hold = time.Hour
		path := strings.TrimSuffix(strings.TrimPrefix(row[2], "/messages"), "/input_tokens")
		response, err := (&http.Client{Timeout: time.Minute}).Post(s.URL+"/up/v1"+row[2], "application/json",
			strings.NewReader(history(2, 10, path)))
		require.NoError(t, err)
		_, err = io.ReadFull(response.Body, make([]byte, 30))
		require.NoError(t, err)
		response.Body.Close()
	}
}

// Of a stream that cannot be decompressed only maxHeld bytes are held back.
func TestHoldsFewBytesBack(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(make([]byte, 2*maxHeld))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s := start(t, p.URL)
	s.g.hold = time.Hour
	r, err := http.NewRequest("POST", s.URL+"/up/v1/responses", strings.NewReader(history(2, 10, "/responses")))
	require.NoError(t, err)
	r.Header.Set("Accept-Encoding", "gzip")
	response, err := (&http.Client{Timeout: time.Minute}).Do(r)
	require.NoError(t, err)
	_, err = io.ReadFull(response.Body, make([]byte, maxHeld))
	require.NoError(t, err)
	response.Body.Close()
}

// A stream that is compressed in many pieces is decompressed once.
func TestHoldsCompressedEventsBack(t *testing.T) {
	calls := 0
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		calls++
		w.Header().Set("Content-Type", "text/event-stream")
		pieces := slices.Repeat([]string{":x\n\n"}, 2000)
		if calls == 1 {
			pieces = append(pieces, "event: response.failed\ndata: ", "context_length_exceeded\n\n")
		}
		zipped(w, 200, pieces...)
	})
	s := start(t, p.URL)
	s.g.hold = time.Hour
	response, _ := s.post(t, "/up/v1/responses", history(20, 1500, "/responses"), "Accept-Encoding", "gzip")
	require.Equal(t, 2, calls)
	require.NotContains(t, response.Header.Get("X-Tamp"), "passed")
	o := &opening{}
	text := newGunzip(o.write)
	defer text.end()
	bomb := encodedAs(t, "gzip", strings.Repeat(":\n\n", 4*maxHeld))
	text.pass([]byte(bomb))
	require.True(t, o.done)
	require.False(t, o.failed)
	require.Less(t, len(o.text), 2*maxHeld)
}

// The first event that counts is the same however the stream is cut, and each line is searched once.
func TestOpening(t *testing.T) {
	parts := []string{"event: response.created\ndata: {}\n\n", ": ping\r\n\r\n",
		"event: response.in_progress\r\ndata: 1\r\n\r\n", ":\n\n", "\n", "\r\n", "data: {}\n\n", "event: response.failed\ndata: {}\n\n", "event: error\r\n\r\n", "event: x\n\n", "half"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		var done, failed bool
		for _, event := range strings.SplitAfter(strings.ReplaceAll(text, "\r", ""), "\n\n") {
			kind := eventType([]byte(event))
			if !strings.HasSuffix(event, "\n\n") || kind == "" || kind == "response.created" || kind == "response.in_progress" {
				continue
			}
			done, failed = true, kind == "response.failed" || kind == "error"
			break
		}
		o := &opening{}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(9, len(rest))).Draw(t, "n")
			o.write([]byte(rest[:n]))
			rest = rest[n:]
		}
		require.Equal(t, done, o.done)
		require.Equal(t, failed, o.failed)
	})
	o := &opening{}
	for range maxHeld / 5 {
		o.write([]byte(":xx\n\n"))
	}
	require.Equal(t, len(o.text), o.event) // and this test ends: 200,000 pieces
}
