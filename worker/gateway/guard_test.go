//go:build !js

package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	fullToken, wireToken = "0123456789abcdef", "fedcba9876543210"
	thisHost             = "127.0.0.1:8787"
)

// guarded returns the status and the reason with which a gateway refuses a request, natively and on Cloudflare, 0 if it
// forwards it. Both must be the same.
func guarded(t require.TestingT, g *Gateway, method, path string, h http.Header) (status int, reason string) {
	sent := false
	native := &Gateway{Config: g.Config, Transport: transport(func(r *http.Request) {
		sent = true
		require.Equal(t, "up.invalid", r.URL.Host)
	})}
	r := httptest.NewRequest(method, "http://"+thisHost+path, strings.NewReader("{}"))
	r.Header = h.Clone()
	w := httptest.NewRecorder()
	native.ServeHTTP(w, r)
	to, ok := g.Route(method, "http://"+thisHost+path, h)
	require.True(t, ok)
	if sent {
		require.Zero(t, to.Status)
		require.True(t, strings.HasPrefix(to.URL, g.Upstreams[0].Base), to.URL)
		return 0, ""
	}
	require.Equal(t, to.Status, w.Code)
	require.Equal(t, to.Reason, w.Header().Get("X-Tamp"))
	require.Contains(t, w.Body.String(), `"message":"tamp: `+to.Message+`"`)
	require.Empty(t, to.URL)
	return w.Code, strings.TrimPrefix(to.Reason, "error reason=")
}

// transport is a provider that answers every request with status 200.
type transport func(r *http.Request)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}, nil
}

func guardOf(base string) *Gateway {
	return &Gateway{Config: Config{Upstreams: []Upstream{{Name: "up", Base: base}}, MaxStreams: 1}}
}

func headerOf(lines ...string) http.Header {
	h := http.Header{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		h.Add(name, value)
	}
	return h
}

var (
	historyPaths = []string{"/up/v1/messages", "/up/v1/messages?beta=true", "/up/v1/messages/count_tokens",
		"/up/v1/chat/completions", "/up/v1/responses", "/up/v1/responses/input_tokens"}
	otherPaths = []string{"/up", "/up/v1/models", "/up/v1/completions", "/up/v1/embeddings", "/up/v1/files",
		"/up/v1/images/generations", "/up/v1/responses/compact", "/up/api/chat"}
	methods = []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}
)

// A page of another origin uses nothing, whatever its method, path and type; a program and a page of this server do.
func TestPagesOfOtherOrigins(t *testing.T) {
	g := guardOf("http://up.invalid")
	g.Origins = []string{"https://app.example"}
	pages := []struct {
		header http.Header
		allow  bool
	}{
		{headerOf(), true},
		{headerOf("Sec-Fetch-Site: none"), true}, // typed by the user
		{headerOf("Sec-Fetch-Mode: cors"), true}, // fetch of Node
		{headerOf("Origin: http://"+thisHost, "Sec-Fetch-Site: same-origin"), true},
		{headerOf("Sec-Fetch-Site: same-origin"), true},
		{headerOf("Origin: https://app.example", "Sec-Fetch-Site: cross-site"), true},
		{headerOf("Sec-Fetch-Site: cross-site"), false}, // an image
		{headerOf("Sec-Fetch-Site: same-site"), false},  // another port of this machine
		{headerOf("Origin: https://evil.example"), false},
		{headerOf("Origin: http://127.0.0.1:3000"), false},
		{headerOf("Origin: http://127.0.0.1"), false},
		{headerOf("Origin: null"), false}, // a frame in a sandbox
		{headerOf("Origin: https://app.example.evil.example"), false},
		{headerOf("Origin: https://evil.example", "Origin: https://app.example"), false},
		{headerOf("Origin: https://app.example", "Origin: https://evil.example"), false},
		{headerOf("Origin: https://app.example, https://evil.example"), false},
		{headerOf("Origin: %"), false},
	}
	for _, path := range append(historyPaths, otherPaths...) {
		for _, method := range methods {
			for _, page := range pages {
				for _, kind := range []string{"application/json", "text/plain"} {
					h := page.header.Clone()
					h.Set("Content-Type", kind)
					status, reason := guarded(t, g, method, path, h)
					fails := method == "POST" && kind == "text/plain" &&
						(h.Get("Origin") != "" || slices.Contains(historyPaths, path))
					switch {
					case !page.allow:
						require.Equal(t, 403, status, "%s %s %v", method, path, h)
						require.Equal(t, "cross_origin", reason)
					case fails:
						require.Equal(t, 415, status, "%s %s %v", method, path, h)
					default:
						require.Zero(t, status, "%s %s %v", method, path, h)
					}
				}
			}
		}
	}
	g.Origins = []string{"*"}
	status, _ := guarded(t, g, "POST", historyPaths[0], headerOf("Origin: null", "Content-Type: application/json"))
	require.Zero(t, status)
	status, _ = guarded(t, g, "GET", "/up/v1/models", headerOf("Sec-Fetch-Site: cross-site"))
	require.Zero(t, status)
}

// A page can send these types without asking first; programs may send any to paths without a history.
func TestTypesOfBodies(t *testing.T) {
	g := guardOf("http://up.invalid")
	g.Origins = []string{"*"}
	for kind, allow := range map[string]bool{"": false, "text/plain": false, "text/plain; application/json": false,
		"application/x-www-form-urlencoded": false, "multipart/form-data; boundary=x": false, "text/json": false,
		"application/json, text/plain": false, "application/jsonx": false, "image/x+json": false, "application/json": true,
		"Application/JSON; charset=utf-8": true, "application/vnd.x+json": true} {
		typed := headerOf("Content-Type: " + kind)
		fromPage := headerOf("Content-Type: "+kind, "Origin: https://a.example")
		for _, path := range historyPaths {
			status, reason := guarded(t, g, "POST", path, fromPage)
			require.Equal(t, allow, status == 0, kind)
			if !allow {
				require.Equal(t, []any{415, "unsupported_media_type"}, []any{status, reason}, kind)
			}
			status, _ = guarded(t, g, "POST", path, typed)
			require.Equal(t, allow || kind == "", status == 0, kind)
		}
		for _, path := range otherPaths {
			status, _ := guarded(t, g, "POST", path, fromPage)
			require.Equal(t, allow, status == 0, kind)
			status, _ = guarded(t, g, "POST", path, typed)
			require.Zero(t, status, kind)
			status, _ = guarded(t, g, "PUT", path, fromPage) // a page must ask first
			require.Zero(t, status, kind)
		}
		for _, coding := range []string{"gzip", "br", "zstd"} {
			encoded := headerOf("Content-Type: "+kind, "Content-Encoding: "+coding)
			status, _ := guarded(t, g, "POST", historyPaths[0], encoded)
			require.Equal(t, allow || kind == "", status == 0, kind)
		}
	}
	g.Upstreams[0].Plain = true // it has one more path with a history
	status, _ := guarded(t, g, "POST", "/up/v1/responses/compact", headerOf("Content-Type: text/plain"))
	require.Equal(t, 415, status)
}

// Each of the two tokens opens the gateway, nothing else does, and neither is forwarded.
func TestTokens(t *testing.T) {
	for _, row := range []struct {
		token, wire, given string
		allow              bool
	}{
		{"", "", "", true}, {"", "", "any", true},
		{fullToken, "", fullToken, true}, {fullToken, "", "", false}, {fullToken, "", wireToken, false},
		{fullToken, wireToken, fullToken, true}, {fullToken, wireToken, wireToken, true},
		{fullToken, wireToken, "", false}, {fullToken, wireToken, fullToken[:15], false},
		{fullToken, wireToken, fullToken + "0", false}, {fullToken, wireToken, fullToken + wireToken, false},
		{"", wireToken, wireToken, true}, {"", wireToken, "", false}, {"", wireToken, fullToken, false},
	} {
		g := guardOf("http://up.invalid")
		g.Token, g.WireToken = row.token, row.wire
		for _, method := range methods {
			status, reason := guarded(t, g, method, "/up/v1/models", headerOf("X-Tamp-Token: "+row.given))
			require.Equal(t, row.allow, status == 0, "%+v", row)
			if !row.allow {
				require.Equal(t, []any{401, "unauthorized"}, []any{status, reason})
			}
		}
		for _, name := range []string{"Authorization", "X-Api-Key"} {
			status, _ := guarded(t, g, "GET", "/up/v1/models", headerOf(name+": Bearer "+row.given))
			require.Equal(t, row.token+row.wire == "", status == 0, "it is the provider's")
		}
		to, _ := g.Route("GET", "http://x/up/v1/models", headerOf("X-Tamp-Token: "+row.given))
		require.Empty(t, to.Headers.Get("X-Tamp-Token"))
	}
}

// No spelling of ".." leaves the base path; everything else passes as it is.
func TestTheBasePath(t *testing.T) {
	g := guardOf("http://up.invalid/base/v1")
	for _, rest := range []string{"/../x", "/../../x", "/a/../b", "/..", "/a/..", "/%2e%2e/x", "/%2E./x", "/.%2e/x",
		"/..%2fx", "/..%2Fx", "/a%2f..%2fx", "/a%2f%2e%2e%2fx", "/..%5cx", "/a%5C..%5Cx", "/%252e%252e/x",
		"/..%252fx", "/%25252e./x", "/%25%32%65./x", "//../x", "//..//x", "/..;/x", "/..;a=b/x", "/..%3b/x",
		"/..%5c%2e%2e/x", "/v1/messages/../../x"} {
		for _, method := range methods {
			h := headerOf("Content-Type: application/json")
			status, reason := guarded(t, g, method, "/up"+rest, h)
			require.Equal(t, []any{400, "bad_path"}, []any{status, reason}, rest)
		}
	}
	for _, rest := range []string{"", "/", "/x", "//x", "/a//b", "/...", "/a..b", "/..a", "/a..", "/.", "/%2e", "/a%2fb",
		"/a%252fb", "/%25", "/%2525", "/models/a:b@c", "/x?path=../../y", "/http://evil.example/", "/;..", "/%2", "/%zz"} {
		if _, err := url.Parse("http://h/up" + rest); err != nil {
			continue // net/http refuses it
		}
		status, _ := guarded(t, g, "GET", "/up"+rest, headerOf())
		require.Zero(t, status, rest)
	}
}

// For any path: whatever a server makes of it by decoding and cleaning stays below the base.
func TestNoPathLeavesTheBase(t *testing.T) {
	g := guardOf("http://up.invalid/base")
	rapid.Check(t, func(t *rapid.T) {
		rest := "/" + strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{".", "..", "/", "%2e", "%2f", "%5c", "%25",
			"2e", "2f", "a", ";", "%3b"})).Draw(t, "parts"), "")
		to, ok := g.Route("GET", "http://"+thisHost+"/up"+rest, headerOf())
		if !ok || to.Status != 0 {
			return
		}
		path := strings.TrimPrefix(to.URL, "http://up.invalid")
		for range len(path) {
			depth := 0
			for segment := range strings.SplitSeq(strings.ReplaceAll(path, `\`, "/"), "/") {
				switch segment, _, _ = strings.Cut(segment, ";"); segment {
				case "..":
					depth--
				case "", ".":
				default:
					depth++
				}
				require.False(t, depth < 0, to.URL)
			}
			if decoded, err := url.PathUnescape(path); err == nil {
				path = decoded
			}
		}
		require.True(t, strings.HasPrefix(path, "/base"))
	})
}
