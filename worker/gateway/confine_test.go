//go:build !js

package gateway

import (
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page of this host is of the same scheme, too, and has no name of a user.
func TestOrigins(t *testing.T) {
	g := &Gateway{Config: Config{Origins: []string{"https://app.example"}}}
	for _, row := range []struct {
		to, origin string
		allowed    bool
	}{
		{"http://127.0.0.1:8787", "http://127.0.0.1:8787", true},
		{"http://127.0.0.1:8787", "https://127.0.0.1:8787", false},
		{"https://tamp.example", "http://tamp.example", false},
		{"https://tamp.example", "https://tamp.example", true},
		{"https://tamp.example", "https://TAMP.example", true},
		{"http://127.0.0.1:8787", "http://x@127.0.0.1:8787", false},
		{"http://127.0.0.1:8787", "null", false},
		{"http://127.0.0.1:8787", "https://app.example", true},
		{"http://127.0.0.1:8787", "", true},
	} {
		to, err := url.Parse(row.to)
		require.NoError(t, err)
		require.Equal(t, row.allowed, g.allowsOrigin(to, http.Header{"Origin": {row.origin}}), "%v", row)
	}
}

// What a provider sends to a browser is no page of this host: it runs nothing, and sets nothing for the host.
func TestResponsesToBrowsers(t *testing.T) {
	kind := ""
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		for _, name := range []string{"Set-Cookie", "Service-Worker-Allowed", "Alt-Svc"} {
			w.Header().Set(name, "x")
		}
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, "<script>1</script>")
	})
	s := start(t, p.URL)
	for _, row := range []struct {
		kind     string
		confined bool
	}{
		{"text/html", true}, {"", true}, {"application/json; charset=utf-8", false}, {"text/event-stream", false},
		{"application/problem+json", false}, {"image/svg+xml", true}, {"application/jsonx", true},
	} {
		for _, browser := range []string{"", "cors"} {
			kind = row.kind
			response, _ := s.post(t, "/up/v1/files", "{}", "Sec-Fetch-Mode", browser)
			want := ""
			if row.confined {
				want = "sandbox nosniff"
			}
			got := response.Header.Get("Content-Security-Policy")
			if sniff := response.Header.Get("X-Content-Type-Options"); sniff != "" {
				got += " " + sniff
			}
			require.Equal(t, want, got, row.kind)
			kept := 3
			if browser != "" {
				kept = 0
			}
			for _, name := range []string{"Set-Cookie", "Service-Worker-Allowed", "Alt-Svc"} {
				kept -= len(response.Header[name])
			}
			require.Zero(t, kept, "%s %q", row.kind, browser)
		}
	}
}
