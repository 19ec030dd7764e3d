//go:build !js

package gateway

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
