//go:build !js

package gateway

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
