//go:build !js

package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only a stream of events of a call to a model is held back and read for its error.
func TestOtherResponsesAreNotHeldBack(t *testing.T) {
	const failed = "event: response.failed\ndata: {\"error\":{\"code\":\"context_length_exceeded\"}}\n\n"
	for _, row := range []struct {
		path, kind string
		calls      int
	}{
		{"/up/v1/responses", "text/event-stream; charset=utf-8", 2}, {"/up/v1/responses", "application/json", 1},
		{"/up/v1/responses/input_tokens", "text/event-stream", 1}, {"/up/v1/chat/completions", "text/event-stream", 1},
		{"/up/v1/files", "text/event-stream", 1},
	} {
		calls := 0
		g := &Gateway{Config: configOf(t), Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			calls++
			text := failed
			if calls > 1 {
				text = "event: response.completed\ndata: {}\n\n"
			}
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {row.kind}},
				Body: io.NopCloser(strings.NewReader(text))}, nil
		})}
		w := httptest.NewRecorder()
		body := strings.NewReader(history(8, 600, strings.TrimSuffix(row.path, "/input_tokens")))
		g.ServeHTTP(w, httptest.NewRequest("POST", "http://x"+row.path, body))
		require.Equal(t, row.calls, calls, "%+v", row)
		require.Equal(t, row.calls == 1, w.Body.String() == failed)
	}
}

// Paths that are not plain, or of no upstream, have no history to compact at the edge.
func TestEdgeOfOtherPaths(t *testing.T) {
	g := &Gateway{Config: configOf(t)}
	for _, path := range []string{"/up/v1/responses/compact", "/up/v1/models", "/nowhere/v1/messages",
		"/plain/v1/models"} {
		r := Request{Method: "POST", Address: "http://x" + path, Header: jsonWith(), Body: []byte(history(8, 600,
			"/responses"))}
		c, body := g.Compact(r)
		require.Equal(t, []any{true, 0, "passed reason=unknown_path"}, []any{body == nil, c.Status, c.Note}, path)
		again, _ := g.Retry(r, 413, nil)
		require.Equal(t, []any{false, "passed reason=unknown_path"}, []any{again.Again, again.Note}, path)
		require.Nil(t, g.Names(r))
	}
	bad := Request{Method: "POST", Address: "%", Header: jsonWith(), Body: []byte("{}")}
	c, _ := g.Compact(bad)
	require.Equal(t, []any{"passed reason=unknown_path", ""}, []any{c.Note, c.Entry.Upstream})
}

// What the edits of thinking report: the turns that lost some, and its size.
func TestReportOfThinking(t *testing.T) {
	g := &Gateway{Config: configOf(t)}
	thought := func(n string) string {
		return `{"role":"assistant","content":[{"type":"thinking","thinking":"` + strings.Repeat("I think "+n+". ", 20) +
			`","signature":"c2ln"},{"type":"text","text":"Well."}]},{"role":"user","content":"Go on."}`
	}
	ask := func(keep, path string) Compacted {
		body := `{"model":"claude-opus-4-5","messages":[{"role":"user","content":"Hi."},` + thought("1") + "," + thought("2") + "," +
			thought("3") + `],"context_management":{"edits":[{"type":"clear_thinking_20251015"` + keep + `}]}}`
		c, _ := g.Compact(Request{Method: "POST", Address: "http://x/plain" + path, Header: jsonWith(), Body: []byte(body)})
		return c
	}
	require.Regexp(t, `^,"context_management":{"applied_edits":\[{"type":"clear_thinking_20251015","cleared_thinking_turns":2,`+
		`"cleared_input_tokens":[1-9]\d+}\]}$`, ask("", "/v1/messages").Member)
	require.Contains(t, ask(`,"keep":{"type":"thinking_turns","value":2}`, "/v1/messages").Member, `"cleared_thinking_turns":1,`)
	require.Equal(t, `,"context_management":{"applied_edits":[]}`, ask(`,"keep":"all"`, "/v1/messages").Member)
	require.Regexp(t, `^,"context_management":{"original_input_tokens":[1-9]\d+}$`, ask("", "/v1/messages/count_tokens").Member)
}
