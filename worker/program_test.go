//go:build !js

package worker

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests run the whole program: the test binary is the program if runProgram is set.

const runProgram = "TAMP_RUN_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(runProgram) != "" {
		Main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program is a running program and what it prints after its address.
type program struct {
	*exec.Cmd
	url  string
	rest io.Reader
}

// startProgram runs the program in an empty folder with these settings only.
func startProgram(t *testing.T, settings ...string) *program {
	self, err := os.Executable()
	require.NoError(t, err)
	p := &program{Cmd: exec.Command(self)}
	p.Dir = t.TempDir()
	p.Env = append([]string{runProgram + "=1", "PORT=0"}, settings...)
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_, _ = p.Process.Wait()
	})
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	p.url, p.rest = regexp.MustCompile(`http://[^ ]+`).FindString(first), lines
	return p
}

// stop sends a signal and returns how the program ended.
func (p *program) stop(t *testing.T, with os.Signal) error {
	require.NoError(t, p.Process.Signal(with))
	_, err := io.Copy(io.Discard, p.rest)
	require.NoError(t, err)
	return p.Wait()
}

// The program needs no other file: it serves the page, the API and the gateway from an empty folder.
func TestProgramInAnEmptyFolder(t *testing.T) {
	p := startProgram(t)
	for path, file := range map[string]string{"/how.html": "../web/how.html", "/app/main.js": "../web/app/main.js",
		"/examples/tour.jsonl.gz": "../web/examples/tour.jsonl.gz", "/npm/index.js": "../wasm/npm/index.js",
		"/npm/tamp.wasm": "../wasm/npm/tamp.wasm", "/npm/vocab/o200k_base.bin": "../wasm/npm/vocab/o200k_base.bin"} {
		want, err := os.ReadFile(file)
		if os.IsNotExist(err) && strings.HasPrefix(path, "/npm/") {
			continue // `make wasm` has not run
		}
		require.NoError(t, err)
		got, err := http.Get(p.url + path)
		require.NoError(t, err)
		require.Equal(t, 200, got.StatusCode, path)
		require.True(t, string(want) == readAll(t, got), path)
	}
	for path, want := range map[string]string{"/": "<!doctype html>", "/healthz": `"ok":true`} {
		got, err := http.Get(p.url + path)
		require.NoError(t, err)
		require.Contains(t, readAll(t, got), want)
	}
	require.NoError(t, p.stop(t, syscall.SIGTERM))
}

// A stopped program takes no new connection, and finishes the responses that have begun.
func TestProgramFinishesOpenResponses(t *testing.T) {
	next := make(chan struct{})
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		<-next
		_, _ = io.WriteString(w, "data: 2\n\n")
	}))
	defer provider.Close()
	p := startProgram(t, "UPSTREAMS=up="+provider.URL)
	answer, err := http.Post(p.url+"/up/v1/messages", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	for err == nil { // until the port is closed
		var other *http.Response
		fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		if other, err = fresh.Get(p.url + "/healthz"); err == nil {
			other.Body.Close()
		}
	}
	close(next)
	require.Equal(t, "data: 1\n\ndata: 2\n\n", readAll(t, answer))
	_, err = io.Copy(io.Discard, p.rest)
	require.NoError(t, err)
	require.NoError(t, p.Wait())
}
