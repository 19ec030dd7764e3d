//go:build !js

package worker

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Replays: access, the limit on their work, and other requests during a replay.

// shortMessages is a request with a session of that many calls, each with a prompt and an answer of one letter.
func shortMessages(calls int, more string) string {
	messages := strings.Repeat(`{"role":"user","content":"a"},{"role":"assistant","content":"b"},`, calls)
	return `{` + more + `"format":"anthropic","conversation":[` + strings.TrimSuffix(messages, ",") + `]}`
}

func testReplay(t *testing.T, p *place) {
	body, at := shortMessages(3, ""), shortMessages(3, `"call":2,`)
	bearer := "Authorization: Bearer " + token
	limits := setup{env: map[string]string{"OPEN_REPLAY": "1", "REPLAY_WORK": "2000"}}
	for _, row := range []struct {
		why      string
		on       setup
		op, body string
		header   []string
		status   int
		says     string // of an error, its code
	}{
		{"a stranger has none", plain, "replay", body, nil, 401, unauthorized},
		{"nor one call of it", plain, "replayAt", at, nil, 401, unauthorized},
		{"a verdict is short, and for all", plain, "verdict", `{"reports":[]}`, nil, 200, "no model call"},
		{"the operator may open it", replaying, "replay", body, nil, 200, `"calls":[`},
		{"call by call too", replaying, "replayAt", at, nil, 200, `"messages":3`},
		{"the token opens it", p.withToken("anthropic"), "replay", body, []string{bearer}, 200, `"calls":[`},
		{"no token", p.withToken("anthropic"), "replay", body, nil, 401, unauthorized},
		{"work within the limit", limits, "replay", shortMessages(40, `"compact":false,`), nil, 200, `"calls":[`},
		{"work over the limit", limits, "replay", shortMessages(400, `"compact":false,`), nil, 422, "too_much_work"},
		{"the same of one call", limits, "replayAt", shortMessages(400, `"call":399,`), nil, 422, "too_much_work"},
		{"errors are the engine's", replaying, "replay", `{`, nil, 400, "bad_json"},
		{"asking first", plain, "replay", "", nil, 204, ""},
	} {
		method := "POST"
		if row.status == 204 {
			method = "OPTIONS"
		}
		got := p.on(t, row.on).ask(t, method, "/v1/"+row.op, row.body, append([]string{jsonType}, row.header...)...)
		require.Equal(t, row.status, got.status, "%s: %.300s", row.why, got.body)
		if row.status >= 400 {
			code, path := got.failure(t)
			require.Equal(t, row.says, code, row.why)
			if code == "too_much_work" {
				require.NotEmpty(t, path, "%s: it has the path", got.body)
				require.Contains(t, got.body, "2000", row.why)
			}
		} else {
			require.Contains(t, got.body, row.says, row.why)
		}
	}
}

// During a long replay the server answers other requests: on workerd an instance blocks the thread of its isolate until
// it pauses.
func testOthersDuringReplay(t *testing.T, p *place) {
	r := p.on(t, setup{env: map[string]string{"OPEN_REPLAY": "1", "SUMMARY_TTL": "1"}}) // no other test shares its isolate
	body := shortMessages(8000, "")
	require.Equal(t, 200, r.ask(t, "GET", "/healthz", "").status)
	require.Equal(t, 200, r.ask(t, "POST", "/v1/replay", shortMessages(1, ""), jsonType).status)
	type answer struct {
		*http.Response
		err error
	}
	done := make(chan answer, 1)
	go func() {
		got, err := r.try(t.Context(), "POST", "/v1/replay", body, jsonType)
		done <- answer{got, err}
	}()
	for answered := 0; ; answered++ {
		select {
		case got := <-done:
			require.NoError(t, got.err)
			require.Equal(t, 200, got.StatusCode)
			require.True(t, string(engineAnswer("replay", []byte(body))) == readAll(t, got.Response), "pauses change no answer")
			// In an instance that the replay blocks at most two are answered: one before it begins and one after it ends.
			require.Greater(t, answered, 4, "requests that were answered during the replay")
			return
		default:
			require.Equal(t, 200, r.ask(t, "POST", "/v1/check", small, jsonType).status)
		}
	}
}

// A client that disconnects ends its replay after the current call.
func TestReplayEndsAtDisconnect(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var printed []byte
	pauses := 0
	h := handlerOf(t, replaying, nil)
	h.host.Log = func(line []byte) { printed = line }
	h.pause = func() {
		if pauses++; pauses == 3 {
			leave()
		}
	}
	answer := httptest.NewRecorder()
	ask := httptest.NewRequestWithContext(ctx, "POST", "/v1/replay", strings.NewReader(shortMessages(400, "")))
	h.ServeHTTP(answer, ask)
	require.Equal(t, 3, pauses, "of 50")
	require.Contains(t, string(printed), `"op":"replay","status":499`)
	require.Empty(t, answer.Body.String())
}

// The settings of `make deploy` limit the requests, and the code uses the binding by its name. They deploy on the free
// plan, which refuses a limit of processor time (error 100328).
func TestWranglerHasLimits(t *testing.T) {
	text, err := os.ReadFile("wrangler.jsonc")
	require.NoError(t, err)
	var lines []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines = append(lines, line)
		}
	}
	var settings struct {
		RateLimits []struct {
			Name        string `json:"name"`
			NamespaceID string `json:"namespace_id"`
			Simple      struct{ Limit, Period int }
		} `json:"ratelimits"`
		Limits struct {
			CPU int `json:"cpu_ms"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(strings.Join(lines, "\n")), &settings))
	require.Len(t, settings.RateLimits, 1)
	limit := settings.RateLimits[0]
	code, err := os.ReadFile("worker.mjs")
	require.NoError(t, err)
	require.Contains(t, string(code), "env."+limit.Name+".limit(")
	require.NotEmpty(t, limit.NamespaceID)
	require.Positive(t, limit.Simple.Limit)
	require.Contains(t, []int{10, 60}, limit.Simple.Period, "the platform has no other")
	require.Zero(t, settings.Limits.CPU)
}

// A native server replays for its own pages without a setting.
func TestTrustedServerReplays(t *testing.T) {
	h := handlerOf(t, plain, nil)
	h.config.Trusted = true
	require.True(t, h.mayReplay(&http.Request{}))
	h.config.Trusted = false
	require.False(t, h.mayReplay(&http.Request{}))
}
