//go:build !js

package worker

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/wire"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// Access rules and CORS: a row for each condition of guard.go.

// served returns the response of a handler to one request, and its log entry.
func served(t *testing.T, h *server, method, path, body string, header ...string) (*httptest.ResponseRecorder,
	logEntry) {
	t.Helper()
	var said logEntry
	h.host.Log = func(text []byte) { require.NoError(t, json.Unmarshal(text, &said)) }
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w, said
}

// If no token is configured, a caller that sends an empty token is not trusted.
func TestEmptyTokenIsNotTrusted(t *testing.T) {
	h := handlerOf(t, setup{env: map[string]string{"SUMMARIZER": "anthropic", "SUMMARIZER_API_KEY": operatorKey},
		store: "r2"}, nil)
	for _, shown := range []string{"Bearer ", "Bearer", "bearer  ", ""} {
		w, _ := served(t, h, "POST", "/v1/compact", small, "Authorization: "+shown)
		require.Equal(t, http.StatusUnauthorized, w.Code, "%q would spend the operator's key", shown)
		w, _ = served(t, h, "GET", "/v1/transcripts/0123456789abcdef", "", "Authorization: "+shown)
		require.Equal(t, http.StatusUnauthorized, w.Code, "%q would open the store", shown)
	}
	h = handlerOf(t, setup{env: map[string]string{"TAMP_TOKEN": token}}, nil)
	for shown, want := range map[string]int{"Bearer ": 401, "": 401, token: 401, "Bearer  " + token + " ": 200,
		"BEARER " + token: 200} {
		w, _ := served(t, h, "POST", "/v1/check", small, "Authorization: "+shown)
		require.Equal(t, want, w.Code, shown)
	}
}

func TestCORS(t *testing.T) {
	for _, row := range []struct{ name, allowed, origin, allow, vary, expose string }{
		{"every page", "*", "https://a.example", "*", "", "Retry-After"},
		{"every page, among others", "https://a.example,*", "https://b.example", "*", "", "Retry-After"},
		{"a page of the list", "https://a.example", "https://a.example", "https://a.example", "Origin", "Retry-After"},
		{"another page", "https://a.example", "https://b.example", "", "Origin", ""},
		{"a program", "https://a.example", "", "", "Origin", ""},
		{"a program, and an empty entry", "/", "", "", "Origin", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := handlerOf(t, setup{env: map[string]string{"ALLOWED_ORIGINS": row.allowed}}, nil)
			var header []string
			if row.origin != "" {
				header = []string{"Origin: " + row.origin}
			}
			w, _ := served(t, h, "GET", "/v1", "", header...)
			got := w.Header()
			require.Equal(t, []string{row.allow, row.vary, row.expose}, []string{
				got.Get("Access-Control-Allow-Origin"), got.Get("Vary"), got.Get("Access-Control-Expose-Headers")})
			require.Equal(t, row.allow != "", len(got.Values("Access-Control-Allow-Origin")) > 0)
			w, said := served(t, h, "OPTIONS", "/v1/plan", "", header...)
			require.Equal(t, []int{204, 204}, []int{w.Code, said.Status}, "the log has it, too")
			require.Equal(t, row.allow != "", w.Header().Get("Access-Control-Allow-Headers") != "")
			require.Equal(t, row.allow != "", w.Header().Get("Access-Control-Max-Age") == "86400", "else each call asks first")
		})
	}
	h := handlerOf(t, plain, nil)
	h.config.Origins = nil // as natively
	w, _ := served(t, h, "GET", "/v1", "", "Origin: https://a.example")
	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin")+w.Header().Get("Vary"), "one answer for every page")
}

// Without a store the response contains the archive once: texts that were cut are part of it, not additional lines.
func TestArchiveContainsCutTexts(t *testing.T) {
	long := strings.Repeat("a line of output\n", 300)
	text := string(encode(long))
	body := `{"preset":"balanced","policy":{"intake":{"maxBytes":1000,"maxChars":1000}},"conversation":[{"role":"user","content":` + text + `},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":` + text[:len(text)-1] + ` end"}]},{"role":"assistant","content":"Seen."}]}`
	loop, err := new(wire.Engine).Start([]byte(body))
	require.NoError(t, err)
	var originals []wire.Original
	require.NoError(t, loop.Run(core.Host{
		Save: func(archive []byte) error { originals = loop.Originals(archive); return nil },
	}))
	require.Len(t, originals, 3, "the archive and two texts")
	h := handlerOf(t, plain, nil)
	w, _ := served(t, h, "POST", "/v1/compact", body)
	o := reply{status: w.Code, body: w.Body.String()}.outcome(t)
	require.Equal(t, string(originals[0].Data), o.Archive)
	require.Empty(t, o.Transcripts)
	lines := strings.Split(strings.TrimSuffix(o.Archive, "\n"), "\n")
	require.Len(t, lines, 2, "one original message a line")
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)))
		require.Contains(t, line, "a line of output")
	}
	w, _ = served(t, h, "POST", "/v1/compact", body, "Accept: text/event-stream")
	require.Contains(t, w.Body.String(), `"bytes":`+string(encode(len(o.Archive)))+`,"stored":false,"refs":[]`)

	bytes := 0
	for _, original := range originals {
		bytes += len(original.Data)
	}
	h = handlerOf(t, setup{env: map[string]string{"TAMP_TOKEN": token}, store: "r2"}, nil)
	w, _ = served(t, h, "POST", "/v1/compact", body, bearer(), "Accept: text/event-stream")
	require.Contains(t, w.Body.String(), `"bytes":`+string(encode(bytes))+`,"stored":true`, "all of them")
}

// A store without a token stores nothing for callers; the response contains their originals.
func TestUntrustedCallersStoreNothing(t *testing.T) {
	h, kept := handlerOf(t, plain, nil), &values{}
	h.host.Store = store.NewKV(kept)
	w, _ := served(t, h, "POST", "/v1/compact", request("harness", talk("stores nothing", 5000)))
	o := reply{status: w.Code, body: w.Body.String()}.outcome(t)
	require.NotEmpty(t, o.Archive)
	require.Empty(t, o.Transcripts)
	kept.Range(func(key, _ any) bool {
		t.Errorf("%s was stored", key)
		return false
	})
}

// The log counts the cached summaries.
func TestLogCountsCachedSummaries(t *testing.T) {
	s := setup{env: map[string]string{"SUMMARIZER": "workers-ai", "SUMMARIZER_MODEL": "m", "TAMP_TOKEN": token}}
	h := handlerOf(t, s, nil)
	h.host.Summarizer = summarizer.Host{AI: throws{}.answer}
	body := request("regions", talk("cached", 100_000))
	_, first := served(t, h, "POST", "/v1/compact", body, bearer())
	require.Greater(t, first.Summaries, 1)
	require.Zero(t, first.Cached)
	_, second := served(t, h, "POST", "/v1/compact", body, bearer())
	require.Equal(t, []int{first.Summaries, first.Summaries, 0}, []int{second.Summaries, second.Cached, second.Failed})
}

// The archives of two rounds are returned as one, and the refs of two rounds as one list.
func TestArchivesOfTwoRounds(t *testing.T) {
	body := `{"preset":"hierarchical","force":true,"policy":{"summary":{"mergeAbove":1}},"conversation":` +
		talk("two archives", 150_000) + `}`
	want := extracted(t, body)
	require.Len(t, want.originals, 2)
	w, _ := served(t, handlerOf(t, plain, nil), "POST", "/v1/compact", body)
	o := reply{status: w.Code, body: w.Body.String()}.outcome(t)
	require.Equal(t, string(want.originals[0].Data)+string(want.originals[1].Data), o.Archive)

	w, _ = served(t, handlerOf(t, plain, nil), "POST", "/v1/compact", body, "Accept: text/event-stream")
	for _, original := range want.originals {
		require.Contains(t, w.Body.String(), `"bytes":`+string(encode(len(original.Data)))+`,"stored":false`,
			"of its round alone")
	}

	member := setup{env: map[string]string{"TAMP_TOKEN": token}, store: "r2"}
	w, _ = served(t, handlerOf(t, member, nil), "POST", "/v1/compact", body, bearer(), "Accept: text/event-stream")
	require.Equal(t, 2, strings.Count(w.Body.String(), `"stored":true`))
	for _, original := range want.originals {
		require.Contains(t, w.Body.String(),
			`"bytes":`+string(encode(len(original.Data)))+`,"stored":true,"refs":["`+original.Ref)
	}
	w, _ = served(t, handlerOf(t, member, nil), "POST", "/v1/compact", body, bearer())
	o = reply{status: w.Code, body: w.Body.String()}.outcome(t)
	require.ElementsMatch(t, want.refs(), o.Transcripts)
}

// disconnects is a store whose caller disconnects during a write.
type disconnects struct {
	values
	leave func()
}

func (l *disconnects) Write(ctx context.Context, _ string, _ []byte) error {
	l.leave()
	<-ctx.Done()
	return ctx.Err()
}

// A caller that disconnects while originals are written is no failure of the store.
func TestCallerDisconnectsDuringSave(t *testing.T) {
	h := handlerOf(t, setup{env: map[string]string{"TAMP_TOKEN": token}}, nil)
	ctx, leave := context.WithCancel(t.Context())
	h.host.Store = store.NewR2(&disconnects{leave: leave})
	var said logEntry
	h.host.Log = func(text []byte) { require.NoError(t, json.Unmarshal(text, &said)) }
	r := httptest.NewRequestWithContext(ctx, "POST", "/v1/compact",
		strings.NewReader(request("harness", talk("leaves early", 5000))))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Equal(t, statusClientClosed, said.Status)
	require.Empty(t, w.Body.String())
}

// Natively the store is open, but the operator's key is not; a caller's key is never sent to Workers AI.
func TestLocalCallersCannotUseTheKey(t *testing.T) {
	h := handlerOf(t, setup{env: map[string]string{"SUMMARIZER": "anthropic", "SUMMARIZER_API_KEY": operatorKey},
		store: "r2"}, nil)
	h.config.Trusted = true
	w, _ := served(t, h, "GET", "/v1/transcripts/0123456789abcdef", "")
	require.Equal(t, http.StatusNotFound, w.Code, "it may look")
	w, _ = served(t, h, "POST", "/v1/compact", small)
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Contains(t, w.Body.String(), "x-api-key")
	h.config.Summarizer = summarizer.Config{Provider: summarizer.Extractive}
	w, _ = served(t, h, "POST", "/v1/compact", request("harness", talk("trusted", 5000)), "X-API-Key: a key\twith a tab")
	require.Len(t, reply{status: w.Code, body: w.Body.String()}.outcome(t).Transcripts, 1,
		"no model is asked, so no key is read")
}

// redirected sends requests for a vendor to the fake.
type redirected struct{ to string }

func (r redirected) RoundTrip(request *http.Request) (*http.Response, error) {
	request.URL.Scheme, request.URL.Host = "http", r.to
	return http.DefaultTransport.RoundTrip(request)
}

// Without a configured key, requests to the vendor have the caller's key.
func TestCallersKeyAtTheVendor(t *testing.T) {
	models := newModels(t)
	h := handlerOf(t, vendor, nil)
	h.host.Summarizer.Transport = redirected{strings.TrimPrefix(models.url, "http://")}
	w, _ := served(t, h, "POST", "/v1/compact", request("harness", talk("vendor", 5000)),
		"X-API-Key: "+key("vendor", "ok"))
	require.Empty(t, reply{status: w.Code, body: w.Body.String()}.outcome(t).Failures)
	require.Len(t, models.calls("vendor"), 1)
}

// If a key is needed and none is configured, the error says that the caller may send one.
func TestMissingKey(t *testing.T) {
	models := newModels(t)
	s := setup{env: map[string]string{"SUMMARIZER": "openai", "SUMMARIZER_MODEL": "m",
		"SUMMARIZER_BASE_URL": models.url + "/v1"}}
	w, _ := served(t, handlerOf(t, s, nil), "POST", "/v1/compact", request("harness", talk("key wanted", 5000)))
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.Contains(t, w.Body.String(), "send yours in x-api-key, or set SUMMARIZER_API_KEY")
}
