//go:build !js

package worker

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/gateway"
)

// wireToken opens the gateway only.
const wireToken = "wire-token-" + marker + "-0123456789"

func wireOf(u *upstream) setup {
	s := gatewayOf(u)
	s.env["TAMP_TOKEN"], s.env["TAMP_WIRE_TOKEN"], s.env["ALLOWED_ORIGINS"] = token, wireToken, "https://app.example"
	s.store = "r2"
	return s
}

func TestWireNatively(t *testing.T) {
	u := newUpstream(t)
	h := handlerOf(t, wireOf(u), nil)
	h.host.Sessions = gateway.NewSessions(time.Now)
	g, err := nativeGateway(h, func(name string) string { return wireOf(u).env[name] })
	require.NoError(t, err)
	g.Log = nil
	server := httptest.NewServer(local(nil, h, g, http.NotFoundHandler()))
	defer server.Close()
	testWire(t, &running{url: server.URL}, u)
}

// testWire has the access rules that hold on each platform: what the two tokens open, and which requests are refused
// before anything is sent.
func testWire(t *testing.T, s *running, u *upstream) {
	status := func(method, path, body string, header ...string) (int, string) {
		answer := s.send(t, method, path, body, header...)
		readAll(t, answer)
		return answer.StatusCode, answer.Header.Get("X-Tamp")
	}
	for _, given := range []string{token, wireToken} {
		for _, path := range []string{"/up/v1/messages", "/up/v1/chat/completions", "/plain/v1/messages",
			"/up/v1/embeddings"} {
			got, _ := status("POST", path, agentCall(2), "X-Tamp-Token: "+given)
			require.Equal(t, 200, got, path)
			seen, _, _ := u.seen()
			require.Empty(t, seen.Header.Get("X-Tamp-Token"))
		}
		got, _ := status("GET", "/up/v1/models", "", "X-Tamp-Token: "+given)
		require.Equal(t, 200, got)
	}
	answer := s.send(t, "POST", "/v1/compact", request("harness", talk("of another user", 5000)), bearer())
	require.Equal(t, 200, answer.StatusCode)
	ref := reply{status: answer.StatusCode, body: readAll(t, answer)}.outcome(t).Transcripts[0]
	for _, path := range []string{"/v1/sessions", "/v1/sessions/0123456789abcdef", "/v1/sessions/0123456789abcdef/request",
		"/v1/transcripts/" + ref} {
		for _, header := range []string{"Authorization: Bearer " + wireToken, "X-Tamp-Token: " + wireToken,
			"X-Tamp-Token: " + token} {
			got, _ := status("GET", path, "", header)
			require.Equal(t, 401, got, "%s %s", path, header)
		}
	}
	for _, path := range []string{"/v1/compact", "/v1/replay", "/v1/check"} {
		got, _ := status("POST", path, request("harness", talk("wire", 5000)), "Authorization: Bearer "+wireToken)
		require.Equal(t, 401, got, path)
	}
	got, _ := status("GET", "/v1/transcripts/"+ref, "", bearer())
	require.Equal(t, 200, got)
	if !s.workerd {
		got, _ = status("GET", "/v1/sessions", "", bearer())
		require.Equal(t, 200, got)
	}

	u.set(func(http.ResponseWriter, *http.Request, string) {})
	open, long := "X-Tamp-Token: "+wireToken, agentCall(600)
	for _, row := range []struct {
		method, path string
		header       []string
		status       int
		reason       string
	}{
		{"POST", "/up/v1/messages", []string{"X-Tamp-Token: another"}, 401, "unauthorized"},
		{"POST", "/up/v1/messages", []string{"Authorization: Bearer " + wireToken}, 401, "unauthorized"},
		{"POST", "/up/v1/messages", []string{open, "Origin: https://evil.example", "Content-Type: text/plain"}, 403,
			"cross_origin"},
		{"POST", "/up/v1/messages", []string{open, "Origin: https://evil.example"}, 403, "cross_origin"},
		{"POST", "/up/v1/embeddings", []string{open, "Origin: null", "Content-Type: text/plain"}, 403, "cross_origin"},
		{"OPTIONS", "/up/v1/messages", []string{open, "Origin: https://evil.example"}, 403, "cross_origin"},
		{"GET", "/up/v1/models", []string{open, "Sec-Fetch-Site: cross-site"}, 403, "cross_origin"},
		{"GET", "/up/v1/realtime", []string{open, "Origin: https://evil.example", "Upgrade: websocket",
			"Connection: Upgrade"}, 403, "cross_origin"},
		{"POST", "/up/v1/messages", []string{open, "Content-Type: text/plain"}, 415, "unsupported_media_type"},
		{"POST", "/up/v1/messages", []string{open, "Origin: https://app.example", "Content-Type: text/plain"}, 415,
			"unsupported_media_type"},
		{"GET", "/up/..%2f..%2fx", []string{open}, 400, "bad_path"},
		{"GET", "/up/%252e%252e/x", []string{open}, 400, "bad_path"},
		{"POST", "/up/a/..%5c..%5cv1/messages", []string{open}, 400, "bad_path"},
	} {
		got, note := status(row.method, row.path, long, row.header...)
		require.Equal(t, []any{row.status, "error reason=" + row.reason}, []any{got, note}, "%+v", row)
	}
	_, _, calls := u.seen()
	require.Zero(t, calls)
	for coding, encode := range encoders {
		got, note := status("POST", "/up/v1/messages", encode(agentCall(2)), open, "Content-Encoding: "+coding,
			"Content-Type: application/json; charset=utf-8")
		require.Equal(t, 200, got)
		require.Contains(t, note, "below_limits", coding)
	}
	got, _ = status("POST", "/up/v1/messages", agentCall(2), open, "Origin: https://app.example",
		"Content-Type: application/json")
	require.Equal(t, 200, got)
	got, _ = status("POST", "/up/v1/messages", agentCall(2), open, "Origin: "+strings.ToUpper(s.url),
		"Content-Type: application/json")
	require.Equal(t, 200, got, "a page of this server")
}
