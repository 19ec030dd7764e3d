//go:build !js

package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// seen is what a provider received of a request, and what the client and the log got.
type seen struct {
	Bodies  []string
	Headers http.Header // of the last one
	URL     string
	Status  int
	Note    string
	Text    string
	Entry   Entry
}

// scripted answers a body with a status and a text.
type scripted func(body string) (status int, text string)

// RoundTrip is the provider of a native gateway.
func (f scripted) response(r *http.Request, s *seen) *http.Response {
	body := ""
	if r.Body != nil {
		data, _ := io.ReadAll(r.Body)
		body = string(data)
	}
	s.Bodies, s.Headers, s.URL = append(s.Bodies, body), r.Header, r.URL.String()
	status, text := f(body)
	kind := "application/json"
	if strings.HasPrefix(text, "event:") {
		kind = "text/event-stream"
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(strings.NewReader(text))}
}

type roundTrip func(r *http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// natively sends a request through the http.Handler.
func natively(c Config, checkpoints Checkpoints, method, path, body string, h http.Header, f scripted) (s seen) {
	g := &Gateway{Config: c, Checkpoints: checkpoints, Log: func(e *Entry) { s.Entry = *e },
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return f.response(r, &s), nil })}
	g.MaxStreams = 1
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Header = h.Clone()
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	s.Status, s.Note, s.Text = w.Code, w.Header().Get("X-Tamp"), w.Body.String()
	s.Entry.Bytes, s.Entry.Ms, s.Entry.AddedMs, s.Entry.Usage = 0, 0, 0, nil // worker.mjs does not read the response
	s.Entry.Time, s.Entry.ID = "", ""                                        // and adds these
	return s
}

// atTheEdge sends a request as worker.mjs does.
func atTheEdge(g *Gateway, checkpoints Checkpoints, method, path, body string, h http.Header, f scripted) (s seen) {
	r := Request{Method: method, Address: "http://localhost" + path, Header: h, Body: []byte(body)}
	to, ok := g.Route(method, r.Address, h)
	if !ok {
		return s
	}
	if to.Status != 0 {
		return seen{Status: to.Status, Note: to.Reason}
	}
	send := func(body string) (int, string) {
		out := httptest.NewRequest(method, to.URL, strings.NewReader(body))
		out.Header = to.Headers
		got := f.response(out, &s)
		text, _ := io.ReadAll(got.Body)
		return got.StatusCode, string(text)
	}
	if !to.Reads {
		s.Status, s.Text = send(body)
		s.Note = to.Reason
		return s
	}
	for _, name := range g.Names(r) { // the newest that is stored
		if data := checkpoints.Find(name); data != nil {
			r.Find = func(given string) []byte {
				if given == name {
					return data
				}
				return nil
			}
		}
	}
	keep := func(c Compacted) {
		if c.Name != "" {
			checkpoints.Keep(c.Name, c.Checkpoint)
		}
	}
	c, compacted := g.Compact(r)
	if c.Status != 0 {
		return seen{Status: c.Status, Note: c.Note, Text: string(compacted), Entry: c.Entry}
	}
	keep(c)
	first := r.Body
	if compacted != nil {
		first = compacted
	}
	if c.Member != "" {
		to.Headers.Del("Accept-Encoding")
	}
	s.Status, s.Text = send(string(first))
	failed := strings.HasPrefix(s.Text, "event: response.failed")
	if s.Status == 400 || s.Status == 413 || s.Status == 200 && failed {
		again, second := g.Retry(r, s.Status, []byte(s.Text))
		keep(again)
		if again.Again {
			c = again
			s.Status, s.Text = send(string(second))
		}
		c.Entry.Retried = again.Entry.Retried
	}
	s.Note, s.Entry = c.Note, c.Entry
	s.Entry.Status, s.Entry.Sent = s.Status, len(s.Bodies[len(s.Bodies)-1])
	return s
}

func configOf(t testing.TB, settings ...string) Config {
	given := map[string]string{"UPSTREAMS": "up=http://up.invalid/base,plain=plain:http://plain.invalid"}
	for i := 0; i < len(settings); i += 2 {
		given[settings[i]] = settings[i+1]
	}
	c, err := ReadConfig(func(name string) string { return given[name] })
	require.NoError(t, err)
	c.Secret = []byte("a secret of this test")
	return c
}

// edgeRow is a request of one of the tests below.
type edgeRow struct {
	name, method, path, body string
	header                   http.Header
	provider                 scripted
	note                     string // begins so
	bodies                   int    // that the provider receives
}

func fine(string) (int, string) { return 200, `{"content":[],"usage":{"output_tokens":1}}` }

func jsonWith(lines ...string) http.Header {
	return headerOf(append(lines, "Content-Type: application/json", "X-Api-Key: k")...)
}

// sameAtTheEdge: on Cloudflare a request has the same fate as natively. The same bytes and headers go to the same
// address, with the same note and the same figures in the log.
func sameAtTheEdge(t *testing.T, window, mode string, rows ...edgeRow) {
	c := configOf(t, "GATEWAY_POLICY", `{"trigger":{"window":`+window+`}}`, "GATEWAY_MODE", mode)
	g := &Gateway{Config: c, Now: time.Now}
	for _, row := range rows {
		stores := [2]Checkpoints{NewLRU(DefaultCheckpoints), NewLRU(DefaultCheckpoints)}
		for call := range min(2, row.bodies+1) { // the second finds the checkpoint
			want := natively(c, stores[0], row.method, row.path, row.body, row.header, row.provider)
			have := atTheEdge(g, stores[1], row.method, row.path, row.body, row.header, row.provider)
			if want.Headers.Get("User-Agent") == "" {
				want.Headers.Del("User-Agent") // net/http takes an empty one as none
			}
			want.Text, have.Text = "", ""                                         // Route has the text, or worker.mjs adds to it
			if !strings.Contains(want.Note, "before=") || len(want.Bodies) == 0 { // worker.mjs adds to it
				want.Entry, have.Entry = Entry{}, Entry{}
			}
			require.True(t, reflect.DeepEqual(want, have), "%s, call %d\n%s", row.name, call,
				cut(fmt.Sprintf("%+v\n%+v", want, have)))
			if call == 0 {
				require.True(t, strings.HasPrefix(want.Note, row.note), "%s: %s", row.name, want.Note)
				require.Len(t, want.Bodies, row.bodies, row.name)
			}
		}
	}
}

func TestTheEdgeForwards(t *testing.T) {
	long := history(8, 600, "")
	sameAtTheEdge(t, "5000", "observe", edgeRow{"long", "POST", "/up/v1/messages", long, jsonWith(), fine,
		"passed reason=observe", 1})
	sameAtTheEdge(t, "5000", "compact", []edgeRow{
		{"short", "POST", "/up/v1/messages", history(2, 100, ""), jsonWith(), fine, "passed reason=below_limits before=", 1},
		{"long", "POST", "/up/v1/messages?beta=true", long, jsonWith(), fine, "before=", 1},
		{"long, counted", "POST", "/up/v1/messages/count_tokens", long, jsonWith(), fine, "before=", 1},
		{"long, Chat Completions", "POST", "/up/v1/chat/completions", history(8, 600, "/chat/completions"), jsonWith(), fine,
			"before=", 1},
		{"long, Responses", "POST", "/up/v1/responses", history(8, 600, "/responses"), jsonWith(), fine, "before=", 1},
		{"stored", "POST", "/up/v1/responses", `{"model":"m","previous_response_id":"r","input":[{"role":"user","content":"x"}]}`,
			jsonWith(), fine, "passed reason=stored_history", 1},
		{"no JSON", "POST", "/up/v1/messages", "{", jsonWith(), fine, "passed reason=bad_json", 1},
		{"empty", "POST", "/up/v1/messages", "", jsonWith(), fine, "passed reason=bad_json", 1},
		{"a policy", "POST", "/up/v1/messages", history(6, 250, ""), jsonWith(`X-Tamp-Policy: {"trigger":{"window":2500}}`), fine,
			"before=", 1},
		{"a bad policy", "POST", "/up/v1/messages", long, jsonWith("X-Tamp-Policy: {"), fine, "passed reason=bad_policy", 1},
		{"no history", "GET", "/up/v1/models?a=b%20c", "", headerOf("Te: x", "Connection: X-Hop", "X-Hop: 1"), fine,
			"passed reason=no_history", 1},
		{"a get of a path with a history", "GET", "/up/v1/messages", "", headerOf("Accept-Encoding: br"), fine,
			"passed reason=no_history", 1},
		{"codings", "POST", "/up/v1/messages", long, jsonWith("Accept-Encoding: br, gzip;q=0.5, identity"), fine, "before=", 1},
		{"unknown coding", "POST", "/up/v1/messages", "x", jsonWith("Content-Encoding: compress",
			"Accept-Encoding: br"), fine,
			"passed reason=encoded", 1},
		{"a page", "POST", "/up/v1/messages", long, jsonWith("Origin: null"), fine, "error reason=cross_origin", 0},
		{"WebSocket", "GET", "/up/v1/responses", "", headerOf("Upgrade: websocket"), fine, "error reason=websocket", 0},
	}...)
}

func TestTheEdgeRetries(t *testing.T) {
	long, wide := history(8, 600, ""), jsonWith(`X-Tamp-Policy: {"trigger":{"window":200000}}`)
	tooLong := func(status int, text string) scripted {
		return func(body string) (int, string) {
			if len(body) > 12_000 {
				return status, text
			}
			return fine(body)
		}
	}
	sameAtTheEdge(t, "5000", "compact", []edgeRow{
		{"too long", "POST", "/up/v1/messages", history(8, 600, ""), wide, tooLong(400,
			`{"error":{"message":"prompt is too long: 6000 tokens > 3000 maximum"}}`), "before=", 2},
		{"too long, no numbers", "POST", "/up/v1/messages", history(8, 600, ""), wide, tooLong(413, ""), "before=", 2},
		{"too long, in an event", "POST", "/up/v1/responses", history(8, 600, "/responses"), wide, tooLong(200,
			"event: response.failed\ndata: {\"error\":{\"code\":\"context_length_exceeded\"}}\n\n"), "before=", 2},
		{"too long, and nothing to remove", "POST", "/up/v1/messages", strings.Replace(history(0, 0, ""), "Read all",
			strings.Repeat("x ", 15_000), 1), wide, tooLong(400, "prompt is too long"), "passed reason=below_limits", 1},
		{"refused", "POST", "/up/v1/messages", long, jsonWith(), func(body string) (int, string) {
			if body != long {
				return 400, "Invalid signature"
			}
			return fine(body)
		}, "passed reason=refused", 2},
		{"refused with another status", "POST", "/up/v1/messages", long, jsonWith(),
			func(string) (int, string) { return 422, "no" }, "before=", 1},
		{"refused as it is", "POST", "/up/v1/messages", history(2, 10, ""), jsonWith(),
			func(string) (int, string) { return 400, "no" }, "passed reason=below_limits", 1},
	}...)
}

func TestTheEdgeAtPlainUpstreams(t *testing.T) {
	sameAtTheEdge(t, "200000", "compact", []edgeRow{
		{"edits", "POST", "/plain/v1/messages", managedCall(20, toolEdit), jsonWith("Accept-Encoding: gzip"), fine,
			"before=", 1},
		{"edits that clear nothing", "POST", "/plain/v1/messages", managedCall(2, toolEdit), jsonWith(), fine,
			"passed reason=below_limits", 1},
		{"edits, counted", "POST", "/plain/v1/messages/count_tokens", managedCall(20, toolEdit), jsonWith(), fine,
			"before=", 1},
		{"a block", "POST", "/plain/v1/messages", managedCall(40, compactEdit+"}"), jsonWith(), fine, "before=", 1},
		{"a pause", "POST", "/plain/v1/messages", managedCall(40, compactEdit+`,"pause_after_compaction":true}`), jsonWith(), fine,
			"before=", 0},
		{"compacted items", "POST", "/plain/v1/responses/compact", history(20, 1500, "/responses"), jsonWith(),
			fine, "before=", 0},
		{"items of another upstream", "POST", "/up/v1/responses/compact", "{}", jsonWith(), fine,
			"passed reason=unknown_path", 1},
		{"broken items", "POST", "/plain/v1/responses/compact", "{", jsonWith(), fine, "error reason=bad_json", 0},
	}...)
}

// cut shortens the long words of a text.
func cut(text string) string {
	return regexp.MustCompile(`(\S.{80})\S{50,}`).ReplaceAllString(text, "$1…")
}

// Route says where a request goes, with which headers, and whether its body is read.
func TestRoute(t *testing.T) {
	g := &Gateway{Config: configOf(t)}
	all := headerOf("Content-Type: application/json", "X-Api-Key: k", "Cf-Connecting-Ip: 1.2.3.4", "Cf-Ray: x",
		"Cdn-Loop: x",
		"X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https", "X-Real-Ip: 1.2.3.4", "X-Tamp-Policy: {}", "x-tamp-token: t",
		"Host: x", "Content-Length: 3", "Expect: 100-continue", "Keep-Alive: x", "Proxy-Authorization: x",
		"Proxy-Authenticate: x", "Proxy-Connection: x", "Te: x", "Trailer: x", "Transfer-Encoding: chunked", "Upgrade: h2c",
		"Connection: X-Hop, X-Hop-2", "X-Hop: x", "X-Hop-2: x", "Anthropic-Version: 1", "User-Agent: agent/1")
	to, ok := g.Route("POST", "https://gateway.example/up/v1/messages?beta=true&x", all)
	require.True(t, ok)
	require.Regexp(t, "^[0-9a-f]{16}$", to.Entry.Session)
	require.Equal(t, Route{Entry: Entry{Op: "gateway", Upstream: "up", Reason: "too_large", Session: to.Entry.Session},
		Reason: "passed reason=too_large", URL: "http://up.invalid/base/v1/messages?beta=true&x", Reads: true,
		Headers: headerOf("Content-Type: application/json", "X-Api-Key: k", "Anthropic-Version: 1",
			"User-Agent: agent/1")}, to)
	require.Len(t, all, 26, "the request is not changed")

	for _, row := range []struct {
		method, path string
		header       http.Header
		want         Route
	}{
		{"GET", "/up", headerOf(), Route{Reason: "passed reason=no_history", URL: "http://up.invalid/base"}},
		{"PUT", "/up/v1/messages", headerOf("User-Agent: "), Route{Reason: "passed reason=no_history",
			URL: "http://up.invalid/base/v1/messages"}},
		{"POST", "/plain/a%2Fb//c", headerOf(), Route{Reason: "passed reason=unknown_path",
			URL: "http://plain.invalid/a%2Fb//c"}},
		{"POST", "/up/v1/messages", headerOf("Content-Encoding: GZIP"), Route{Reason: "passed reason=too_large",
			Coding: "gzip",
			URL:    "http://up.invalid/base/v1/messages", Reads: true, Headers: headerOf("Content-Encoding: GZIP")}},
		{"POST", "/up/v1/messages", headerOf("Content-Encoding: identity"), Route{Reason: "passed reason=too_large",
			URL: "http://up.invalid/base/v1/messages", Reads: true, Headers: headerOf("Content-Encoding: identity")}},
		{"POST", "/up/v1/messages", headerOf("Content-Encoding: gzip", "Content-Encoding: br"),
			Route{Reason: "passed reason=encoded",
				URL: "http://up.invalid/base/v1/messages", Headers: headerOf("Content-Encoding: gzip", "Content-Encoding: br")}},
		{"POST", "/up/v1/messages", headerOf("Accept-Encoding: br, GZIP;q=0.5, , deflate"), Route{Reason: "passed reason=too_large",
			URL: "http://up.invalid/base/v1/messages", Reads: true, Headers: headerOf("Accept-Encoding: GZIP;q=0.5")}},
		{"POST", "/up/v1/messages", headerOf("Accept-Encoding: br", "Accept-Encoding: identity"),
			Route{Reason: "passed reason=too_large",
				URL: "http://up.invalid/base/v1/messages", Reads: true, Headers: headerOf("Accept-Encoding: identity")}},
		{"POST", "/up/v1/messages", headerOf("Accept-Encoding: zstd"), Route{Reason: "passed reason=too_large",
			URL: "http://up.invalid/base/v1/messages", Reads: true, Headers: headerOf("Accept-Encoding: identity")}},
		{"GET", "/up/v1/realtime", headerOf("Upgrade: WebSocket", "Connection: Upgrade"),
			Route{Reason: "passed reason=no_history",
				URL: "http://up.invalid/base/v1/realtime", Headers: headerOf("Upgrade: websocket")}},
		{"POST", "/up/v1/files", headerOf("Upgrade: websocket"), Route{Reason: "passed reason=unknown_path",
			URL: "http://up.invalid/base/v1/files"}},
		{"GET", "/plain/v1/responses/compact", headerOf("Upgrade: websocket"), Route{Status: 426,
			Reason:  "error reason=websocket",
			Message: noWebSocket}},
		{"GET", "/up/v1/responses/compact", headerOf("Upgrade: websocket"), Route{Reason: "passed reason=no_history",
			URL: "http://up.invalid/base/v1/responses/compact", Headers: headerOf("Upgrade: websocket")}},
	} {
		to, ok := g.Route(row.method, "https://gateway.example"+row.path, row.header)
		require.True(t, ok)
		if row.want.Headers == nil && row.want.Status == 0 {
			row.want.Headers = http.Header{}
		}
		_, reason, _ := strings.Cut(row.want.Reason, "reason=")
		require.Equal(t, []string{"gateway", reason}, []string{to.Entry.Op, to.Entry.Reason}, row.path)
		to.Entry = Entry{}
		require.Equal(t, row.want, to, "%s %s %v", row.method, row.path, row.header)
	}
	for _, address := range []string{"https://x/", "https://x/v1/messages", "https://x/upx/v1", "https://x//up/v1",
		"https://x/Up/v1",
		"https://x/up%2Fv1", "https://up/x", "https://x/?/up/", "%", "https://x/up%zz", ""} {
		_, ok := g.Route("GET", address, headerOf())
		require.False(t, ok, address)
	}
}

// The names of checkpoints: one for each call of the history, the same first one for all requests of a session.
func TestNames(t *testing.T) {
	g := &Gateway{Config: configOf(t, "GATEWAY_POLICY", window40)}
	ask := func(path, body string, lines ...string) Request {
		return Request{Method: "POST", Address: "http://x" + path, Header: headerOf(lines...), Body: []byte(body)}
	}
	names := g.Names(ask("/up/v1/messages", history(3, 100, ""), "X-Api-Key: k"))
	require.Len(t, names, 4)
	require.Len(t, names[0], 64)
	more := g.Names(ask("/up/v1/messages", history(5, 100, ""), "X-Api-Key: k"))
	require.Equal(t, names[:3], more[:3])
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(names), more...)))), 6,
		"all others differ")
	moved := strings.Replace(history(3, 100, ""), `"type":"tool_result"`, `"type": "tool_result","cache_control":{"type":"ephemeral"}`, 1)
	require.Equal(t, names, g.Names(ask("/up/v1/messages", moved, "X-Api-Key: k")), "breakpoints move")
	for _, other := range []Request{
		ask("/up/v1/messages", history(3, 100, "")), ask("/up/v1/messages", history(3, 100, ""), "X-Api-Key: k2"),
		ask("/up/v1/messages", history(3, 100, ""), "Authorization: k"), ask("/up/v1/messages", history(3, 100, ""),
			"Api-Key: k"),
		ask("/up/v1/messages", history(3, 100, ""), "X-Api-Key: k", "Authorization: k"),
		ask("/up/v1/messages", history(3, 100, ""), "X-Api-Key: k", "Api-Key: k"),
		ask("/up/v1/messages", history(3, 100, ""), "X-Api-Key: k", `X-Tamp-Policy: {"trigger":{"window":50000}}`),
		ask("/up/v1/messages", strings.Replace(history(3, 100, ""), "opus", "sonnet", 1), "X-Api-Key: k"),
		ask("/up/v1/messages", strings.Replace(history(3, 100, ""), "Read all", "Read", 1), "X-Api-Key: k"),
	} {
		for _, name := range g.Names(other) {
			require.NotContains(t, names, name)
		}
		require.Len(t, g.Names(other), 4)
	}
	secret := &Gateway{Config: g.Config}
	secret.Secret = []byte("another secret")
	require.NotEqual(t, names, secret.Names(ask("/up/v1/messages", history(3, 100, ""), "X-Api-Key: k")))
	secret.Secret = nil
	for _, none := range []Request{ask("/up/v1/models", "{}"), ask("/v1/messages", history(3, 100, "")),
		ask("/up/v1/messages", "{"),
		ask("/up/v1/messages", history(3, 100, ""), "X-Tamp-Policy: {"), ask("%", "")} {
		require.Nil(t, g.Names(none))
	}
	require.Nil(t, secret.Names(ask("/up/v1/messages", history(3, 100, ""))))

	// At a plain upstream the names are those of what a block holds.
	edited := managedCall(3, toolEdit)
	require.NotEqual(t, g.Names(ask("/plain/v1/messages", edited)), g.Names(ask("/up/v1/messages", edited)))
	g.Now = time.Now
	c, body := g.Compact(ask("/plain/v1/responses/compact", history(20, 1500, "/responses")))
	require.Equal(t, 200, c.Status, c.Note)
	var compacted struct{ Output []json.RawMessage }
	require.NoError(t, json.Unmarshal(body, &compacted))
	next := `{"model":"claude-opus-4-5","input":[` + string(compacted.Output[0]) + `,{"role":"user","content":"Go on."}]}`
	held := expand([]byte(next))
	require.NotEqual(t, next, string(held))
	require.Equal(t, g.Names(ask("/up/v1/responses", string(held))), g.Names(ask("/plain/v1/responses", next)))
}

// What Compact returns for worker.mjs to add to the response of a plain upstream.
func TestCompactedForPlainUpstreams(t *testing.T) {
	g := &Gateway{Config: configOf(t), Now: func() time.Time { return time.Unix(1_700_000_000, 0) }}
	ask := func(path, body string) (Compacted, []byte) {
		return g.Compact(Request{Method: "POST", Address: "http://x" + path, Header: headerOf(), Body: []byte(body)})
	}
	c, body := ask("/plain/v1/messages", managedCall(20, toolEdit))
	require.NotContains(t, string(body), "context_management")
	require.Regexp(t, `^,"context_management":{"applied_edits":\[{"type":"clear_tool_uses_20250919","cleared_tool_uses":1\d,`+
		`"cleared_input_tokens":\d{5}}\]}$`, c.Member)
	require.Empty(t, c.Block+c.Events)
	require.Equal(t, "plain", c.Entry.Upstream)
	require.Equal(t, "gateway", c.Entry.Op)
	require.Equal(t, len(body), c.Entry.Sent)

	c, body = ask("/plain/v1/messages", managedCall(2, toolEdit))
	require.True(t, body != nil, "the member is removed although nothing is compacted")
	require.Equal(t, `,"context_management":{"applied_edits":[]}`, c.Member)
	c, body = ask("/plain/v1/messages", history(2, 10, ""))
	require.True(t, body == nil)
	require.Empty(t, c.Member)
	c, body = ask("/up/v1/messages", managedCall(2, toolEdit))
	require.True(t, body == nil, "the vendor's host does it")
	require.Empty(t, c.Member)

	c, body = ask("/plain/v1/messages", managedCall(40, compactEdit+"}"))
	var block compactionBlock
	require.NoError(t, json.Unmarshal([]byte(c.Block), &block))
	require.Equal(t, "compaction", block.Type)
	require.True(t, strings.HasPrefix(c.Events, "event: content_block_start\n"))
	require.Contains(t, c.Events, *block.Held)
	require.Contains(t, string(body), "line 39")

	c, body = ask("/plain/v1/messages", managedCall(40, compactEdit+`,"pause_after_compaction":true}`))
	require.Equal(t, []any{200, "text/event-stream; charset=utf-8"}, []any{c.Status, c.Type})
	require.True(t, bytes.HasPrefix(body, []byte("event: message_start\n")))

	c, body = ask("/plain/v1/responses/compact", history(20, 1500, "/responses"))
	require.Equal(t, []any{200, "application/json"}, []any{c.Status, c.Type})
	require.Contains(t, string(body), `"created_at":1700000000,`)
	require.Equal(t, "plain", c.Entry.Upstream)
	c, body = ask("/plain/v1/responses/compact", "{")
	require.Equal(t, []any{400, "application/json", "error reason=bad_json", "bad_json"},
		[]any{c.Status, c.Type, c.Note, c.Entry.Reason})
	require.Contains(t, string(body), noCompaction)

	// A retry has the additions, too.
	r := Request{Method: "POST", Address: "http://x/plain/v1/messages", Header: headerOf(),
		Body: []byte(managedCall(15, compactEdit+"}"))}
	again, body := g.Retry(r, 400, []byte("prompt is too long: 30000 tokens > 10000 maximum"))
	require.True(t, again.Again)
	require.Equal(t, retriedTooLong, again.Entry.Retried)
	require.Contains(t, again.Member, "applied_edits")
	require.NotContains(t, string(body), "context_management")
	again, _ = g.Retry(r, 500, []byte("prompt is none"))
	require.False(t, again.Again)
	other, body := g.Retry(Request{Method: "POST", Address: "http://x/up/v1/models", Header: headerOf(),
		Body: []byte("x")}, 400, nil)
	require.Equal(t, []any{false, "passed reason=unknown_path", "x"}, []any{other.Again, other.Note, string(body)})
}

// A history that grew by many calls since its checkpoint gets another one, also if the last compaction was not at the
// newest call: else each request would do the calls between them again.
func TestJumpKeepsACheckpoint(t *testing.T) {
	s := start(t, newProvider(t, ok).URL, "GATEWAY_POLICY", window40)
	var stored []string
	kept := map[string][]byte{}
	for _, rounds := range []int{40, 203, 203} {
		r := Request{Method: "POST", Address: "http://localhost/up/v1/messages", Header: jsonWith(),
			Body: []byte(history(rounds, 1500, "")), Find: func(name string) []byte { return kept[name] }}
		c, _ := (&Gateway{Config: s.g.Config}).Compact(r)
		if c.Name != "" {
			stored = append(stored, fmt.Sprintf("%d cause=%q", rounds, c.Entry.Cause))
			kept[c.Name] = c.Checkpoint
		}
	}
	require.Equal(t, []string{`40 cause=""`, `203 cause=""`}, stored)
}
