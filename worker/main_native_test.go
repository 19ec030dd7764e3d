//go:build !js

package worker

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/gateway"
)

func TestListenErrors(t *testing.T) {
	l, err := listen("", "0")
	require.NoError(t, err)
	defer l.Close()
	addr := l.Addr().String()
	require.True(t, strings.HasPrefix(addr, "127.0.0.1:"), "only this machine may connect")

	_, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	_, err = listen("", port)
	require.ErrorContains(t, err, "cannot listen on "+addr+": the port is taken; try PORT=")
	require.ErrorContains(t, err, " make run")

	for _, bad := range []string{"http", "-1", "65536", "80 80"} {
		_, err = listen("", bad)
		require.ErrorContains(t, err, "want a number", bad)
	}
}

func TestServeStops(t *testing.T) {
	l, err := listen("", "0")
	require.NoError(t, err)
	stop, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- serve(stop, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = io.WriteString(w, "here")
		}), func() {})
	}()
	answer, err := http.Get("http://" + l.Addr().String() + "/")
	require.NoError(t, err)
	require.Equal(t, "here", readAll(t, answer))
	cancel()
	require.NoError(t, <-done)
}

// A page of another origin may point its DNS name to this machine (DNS rebinding); its requests must be refused.
func TestLocalRefusesOtherHostNames(t *testing.T) {
	says := func(word string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, word) })
	}
	h := local([]string{"box.example"}, says("api"), &gateway.Gateway{}, says("page"))
	for _, row := range []struct{ host, path, want, why string }{
		{"127.0.0.1:8787", "/", "page", ""},
		{"localhost:8787", "/v1", "api", ""},
		{"localhost", "/v1/plan", "api", "port 80"},
		{"[::1]:8787", "/healthz", "api", ""},
		{"127.1.2.3:8787", "/v1", "api", "all of 127 is this machine"},
		{"localhost:8787", "/v1x", "page", ""},
		{"localhost:8787", "/v2/plan", "page", ""},
		{"box.example:8787", "/v1", "api", "in ALLOWED_HOSTS"},
		{"Box.Example", "/", "page", ""},
		{"evil.example:8787", "/v1", "421", "its name was made to lead here"},
		{"evil.example", "/", "421", "the page too"},
		{"localhost.evil.example:8787", "/v1", "421", ""},
		{"192.168.0.7:8787", "/v1", "421", ""},
		{"", "/v1", "421", "no name at all"},
	} {
		r := httptest.NewRequest("GET", row.path, nil)
		r.Host = row.host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := w.Body.String()
		if w.Code != http.StatusOK {
			got = "421"
			require.Equal(t, http.StatusMisdirectedRequest, w.Code)
		}
		require.Equal(t, row.want, got, "%s%s %s", row.host, row.path, row.why)
	}
}

// Natively the store is open without a token, since only this machine can connect; the operator's key is not.
func TestNativeSetup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	settings := map[string]string{"TRANSCRIPTS_DIR": dir}
	h, err := native(func(name string) string { return settings[name] })
	require.NoError(t, err)
	server := httptest.NewServer(h)
	defer server.Close()
	r := &running{url: server.URL}
	body := request("harness", talk("native", 5000))
	got := r.ask(t, "POST", "/v1/compact", body)
	extracted(t, body).is(t, got)
	o := got.outcome(t)
	require.Len(t, o.Transcripts, 1)
	require.Empty(t, o.Archive)
	require.Equal(t, 200, r.ask(t, "GET", "/v1/transcripts/"+o.Transcripts[0], "").status)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Contains(t, r.ask(t, "GET", "/v1", "", "Origin: https://app.example.com").body, `"store":true`)
	require.Empty(t, r.ask(t, "GET", "/v1", "",
		"Origin: https://app.example.com").header.Get("Access-Control-Allow-Origin"), "no page of another origin")

	settings["SUMMARIZER"], settings["SUMMARIZER_API_KEY"] = "anthropic", operatorKey
	h.config, err = readConfig(func(name string) string { return settings[name] }, true)
	require.NoError(t, err)
	require.Equal(t, 401, r.ask(t, "POST", "/v1/compact", body).status)

	settings["SUMMARIZER"] = "claude"
	_, err = native(func(name string) string { return settings[name] })
	require.ErrorContains(t, err, "its provider is not one of")
}

func TestRunNamesTheMissingFolder(t *testing.T) {
	require.ErrorContains(t, run("no-such-folder", "nor-this", "", func(string) string { return "" }), "no-such-folder")
}

// Others can reach a server that has names of its own, so what it stores is closed.
func TestAllowedHostsNeedAToken(t *testing.T) {
	_, err := native(settings("ALLOWED_HOSTS", "box.example", "TRANSCRIPTS_DIR", t.TempDir()))
	require.ErrorContains(t, err, "TAMP_TOKEN must be set")
	_, err = native(settings("ALLOWED_HOSTS", "box.example", "TAMP_TOKEN", token, "TRANSCRIPTS_DIR", t.TempDir()))
	require.NoError(t, err)
}
