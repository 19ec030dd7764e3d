//go:build !js

package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/gateway"
)

// gatewayLine waits for the log entry of a response, which another process may write.
func (r *running) gatewayLine(t *testing.T, answer *http.Response) (found map[string]any) {
	id := answer.Header.Get("X-Tamp-Request-Id")
	require.Regexp(t, `^[0-9a-f]{16}$`, id)
	require.Eventually(t, func() bool {
		for text := range strings.SplitSeq(r.printed(), "\n") {
			if strings.Contains(text, id) {
				require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(text, "stdout ")), &found))
				return true
			}
		}
		return false
	}, patience, 10*time.Millisecond)
	return found
}

// testGatewayLog: each request has one line, whatever becomes of it. It has figures and names, and neither content nor
// keys.
func testGatewayLog(t *testing.T, s *running, u *upstream) {
	const slow = 300 * time.Millisecond
	u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{")
		_ = http.NewResponseController(w).Flush()
		if strings.Contains(body, "take your time") {
			time.Sleep(slow)
		}
		_, _ = io.WriteString(w, `"text":"`+marker+`"}`)
	})
	secrets := []string{"X-Api-Key: " + marker, "X-Session-Id: " + marker, "User-Agent: " + marker}
	stored := strings.Replace(responsesCall(1), `"model"`, `"previous_response_id":"`+marker+`","model"`, 1)
	seen, foreign := map[string]bool{}, "unsupported_media_type" // the page of another origin, where all are allowed
	if s.node {
		foreign = "cross_origin"
	}
	for _, row := range []struct {
		method, path, body, reason, model string
		read                              bool // its history is read, so it has sizes
		header                            []string
	}{
		{"POST", "/up/v1/messages", agentCall(40), "", "claude-opus-4-5", true, nil},
		{"POST", "/up/v1/messages", strings.Replace(agentCall(1), "Read all", marker+" take your time", 1), "below_limits",
			"claude-opus-4-5", true, nil},
		{"POST", "/up/v1/messages", strings.Replace(agentCall(1), "claude-opus-4-5", "a text "+marker, 1), "below_limits",
			"other", true, nil},
		{"POST", "/up/v1/messages", "{" + marker, "bad_json", "", false, nil},
		{"POST", "/up/v1/responses", stored, "stored_history", "gpt-5", false, nil},
		{"POST", "/up/v1/messages", agentCall(1), "bad_policy", "", false, []string{"X-Tamp-Policy: " + marker}},
		{"POST", "/up/v1/messages", agentCall(1), "encoded", "", false, []string{"Content-Encoding: x-" + marker}},
		{"POST", "/up/v1/messages", agentCall(1), "encoded", "", false, []string{"Content-Encoding: gzip"}},
		{"GET", "/up/v1/models?q=" + marker, "", "no_history", "", false, nil},
		{"POST", "/up/v1/messages", agentCall(1), foreign, "", false,
			[]string{"Origin: https://" + marker + ".example"}},
		{"POST", "/up/..%2f" + marker, "{}", "bad_path", "", false, nil},
		{"POST", "/plain/v1/responses/compact", responsesCall(20), "", "gpt-5", false, nil},
	} {
		began := time.Now()
		answer := s.send(t, row.method, row.path, row.body, append(row.header, secrets...)...)
		readAll(t, answer)
		line := s.gatewayLine(t, answer)
		what := fmt.Sprint(row.method, " ", row.path, " ", row.reason, ": ", line)
		at, err := time.Parse(time.RFC3339, line["time"].(string))
		require.NoError(t, err, what)
		require.WithinDuration(t, began, at, time.Minute, what)
		require.False(t, seen[line["id"].(string)], "each request has an id of its own")
		seen[line["id"].(string)] = true
		require.Equal(t, "gateway", line["op"], what)
		require.Equal(t, strings.Split(row.path, "/")[1], line["upstream"], what)
		require.Equal(t, float64(answer.StatusCode), line["status"], what)
		reason, _ := line["reason"].(string)
		require.Equal(t, row.reason, reason, what)
		model, _ := line["model"].(string)
		require.Equal(t, row.model, model, what)
		if row.read {
			require.Positive(t, line["tokens_before"], what)
			require.Positive(t, line["tokens_after"], what)
		}
		if row.method == "POST" && answer.StatusCode < 400 {
			require.Regexp(t, `^[0-9a-f]{16}$`, line["session"], what)
		}
		require.GreaterOrEqual(t, line["ms"], 0.0, what)
		if strings.Contains(row.body, "take your time") {
			require.GreaterOrEqual(t, line["ms"], float64(slow.Milliseconds()-20), "to the end of the response: %s", what)
		}
	}
	require.NotContains(t, s.printed(), marker)
}

// A request that no provider answers has its line, too.
func TestLogOfAProviderThatIsDown(t *testing.T) {
	h := handlerOf(t, plain, newModels(t))
	g, err := nativeGateway(h, func(name string) string {
		return map[string]string{"UPSTREAMS": "up=http://127.0.0.1:1"}[name]
	})
	require.NoError(t, err)
	var lines logged
	g.Log = func(e *gateway.Entry) { lines.add(encode(e)) }
	server := httptest.NewServer(g)
	defer server.Close()
	s := &running{url: server.URL, printed: lines.text}
	answer := s.send(t, "POST", "/up/v1/messages", agentCall(1))
	readAll(t, answer)
	line := s.gatewayLine(t, answer)
	require.Equal(t, []any{502.0, "unreachable"}, []any{line["status"], line["reason"]})
}

// What the program counts is what was asked of it.
func TestMetrics(t *testing.T) {
	u := newUpstream(t)
	u.set(func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"usage":{"input_tokens":100,"cache_read_input_tokens":20,"output_tokens":3}}`)
	})
	p := startProgram(t, "UPSTREAMS=up="+u.URL, `GATEWAY_POLICY={"trigger":{"window":40000}}`)
	s := &running{url: p.url}
	get := func() string {
		answer := s.send(t, "GET", "/metrics", "")
		require.Equal(t, 200, answer.StatusCode)
		require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", answer.Header.Get("Content-Type"))
		return readAll(t, answer)
	}
	require.Contains(t, get(), "\ntamp_gateway_sessions 0\n")
	for range 2 {
		readAll(t, s.send(t, "POST", "/up/v1/messages", agentCall(40), "X-Api-Key: "+marker))
	}
	readAll(t, s.send(t, "POST", "/up/v1/messages", "{"+marker))
	readAll(t, s.send(t, "POST", "/v1/plan", "{"+marker))
	lines := []string{
		`tamp_gateway_requests_total{upstream="up",code="200",outcome="compacted"} 2`,
		`tamp_gateway_requests_total{upstream="up",code="200",outcome="bad_json"} 1`,
		`tamp_gateway_request_duration_seconds_bucket{upstream="up",le="+Inf"} 3`,
		`tamp_gateway_added_duration_seconds_count{upstream="up"} 3`,
		`tamp_gateway_usage_tokens_total{upstream="up",model="claude-opus-4-5",kind="input"} 200`,
		`tamp_gateway_usage_tokens_total{upstream="up",model="claude-opus-4-5",kind="cache_read"} 40`,
		`tamp_http_requests_total{op="plan",code="400"} 1`,
		"# TYPE tamp_gateway_request_duration_seconds histogram",
		"tamp_gateway_sessions 2", "tamp_gateway_requests_in_flight 0",
	}
	var text string
	require.Eventually(t, func() bool { // a request counts when it has ended, which may be after its answer
		text = get()
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(text, line+"\n") })
	}, 10*time.Second, 20*time.Millisecond)
	require.NotContains(t, text, marker)

	closed := &running{url: startProgram(t, "TAMP_TOKEN="+token).url}
	require.Equal(t, 401, closed.send(t, "GET", "/metrics", "").StatusCode)
	require.Equal(t, 200, closed.send(t, "GET", "/metrics", "", "Authorization: Bearer "+token).StatusCode)
}
