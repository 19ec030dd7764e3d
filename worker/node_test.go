//go:build workerd && !js

package worker

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// onNode starts tamp serve of the npm package in an empty folder. `make package` builds it.
func onNode(t *testing.T, settings map[string]string, args ...string) *running {
	cli, err := os.Getwd()
	require.NoError(t, err)
	node := exec.Command("node", append([]string{cli + "/../wasm/npm/cli.js", "serve", "--port", "0"}, args...)...)
	node.Dir, node.Stderr = t.TempDir(), os.Stderr
	node.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + node.Dir, "TAMP_PROGRAM="}
	for name, value := range settings {
		node.Env = append(node.Env, name+"="+value)
	}
	stdout, err := node.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, node.Start())
	from := bufio.NewReader(stdout)
	first, err := from.ReadString('\n')
	require.NoError(t, err)
	var lines logged
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			line, err := from.ReadString('\n')
			if err != nil {
				return
			}
			lines.add([]byte(strings.TrimSuffix(line, "\n")))
		}
	}()
	t.Cleanup(func() {
		require.NoError(t, node.Process.Signal(syscall.SIGTERM))
		<-ended
		require.NoError(t, node.Wait())
	})
	return &running{url: regexp.MustCompile(`http://[^ ]+`).FindString(first), printed: lines.text, workerd: true, node: true}
}

// TestGatewayWorkerdNode runs the cases of the gateway on tamp serve in Node.
func TestGatewayWorkerdNode(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	testGateway(t, onNode(t, gatewayOf(u).env), u)
}

// TestWorkerdNode: tamp serve has the page, the engine for it, exact counters and a store, and refuses other names.
func TestWorkerdNode(t *testing.T) {
	t.Parallel()
	s := onNode(t, map[string]string{"GATEWAY_MODE": "compact"}, "--gateway-mode", "observe", "--transcripts-dir", "kept")
	for path, want := range map[string]string{"/": "<!doctype html>", "/app/main.js": "import", "/npm/index.js": "export",
		"/npm/vocab/NOTICE.md": "o200k", "/healthz": `"ok":true`, "/v1": `"store":true`} {
		answer := s.send(t, "GET", path, "")
		require.Equal(t, 200, answer.StatusCode, path)
		require.Contains(t, readAll(t, answer), want, path)
	}
	require.Equal(t, 404, s.send(t, "GET", "/server/worker.mjs", "").StatusCode)
	require.Equal(t, 404, s.send(t, "GET", "/npm/..%2f..%2fpackage.json", "").StatusCode)
	body := strings.Replace(request("harness", talk("node", 5000)), "{", `{"counter":"o200k_base",`, 1)
	o := s.ask(t, "POST", "/v1/compact", body).outcome(t)
	require.Len(t, o.Transcripts, 1)
	require.Equal(t, 200, s.ask(t, "GET", "/v1/transcripts/"+o.Transcripts[0], "").status)
	r, err := http.NewRequest("GET", s.url+"/healthz", nil)
	require.NoError(t, err)
	r.Host = "evil.example"
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.Equal(t, 421, answer.StatusCode)
	_, _ = io.Copy(io.Discard, answer.Body)
}

// In Node, clients that never read take the places of others only until they are disconnected.
func TestWorkerdNodeSlowReaders(t *testing.T) {
	t.Parallel()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		chunk := []byte("data: " + strings.Repeat("x", 64<<10) + "\n\n")
		for range 1000 { // more than the buffers of both connections hold
			if _, err := w.Write(chunk); err != nil || r.URL.Path == "/short" {
				return
			}
		}
	}))
	t.Cleanup(provider.Close)
	s := onNode(t, map[string]string{"UPSTREAMS": "up=" + provider.URL, "GATEWAY_MAX_STREAMS": "2",
		"GATEWAY_BODY_TIMEOUT": "2"})
	host := strings.TrimPrefix(strings.TrimSuffix(s.url, "/"), "http://")
	for range 2 {
		c, err := net.Dial("tcp", host)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		_, err = io.WriteString(c, "POST /up/long HTTP/1.1\r\nHost: "+host+"\r\nContent-Type: application/json\r\n"+
			"Content-Length: 2\r\n\r\n{}")
		require.NoError(t, err)
		_, err = c.Read(make([]byte, 1)) // it is under way
		require.NoError(t, err)
	}
	send := func() int {
		answer := s.send(t, "POST", "/up/short", "{}")
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	require.Equal(t, 503, send())
	require.Equal(t, 200, s.send(t, "GET", "/healthz", "").StatusCode)
	require.Eventually(t, func() bool { return send() == 200 }, time.Minute, 100*time.Millisecond)
}
