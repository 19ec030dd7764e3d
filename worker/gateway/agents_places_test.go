//go:build agents && !js

package gateway_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

// instance is a gateway that runs in a process of its own.
type instance struct {
	url     string
	process int
	stop    func()
}

// place starts gateways. It collects the entries of their logs.
type place struct {
	name  string
	start func(t *testing.T, env map[string]string, line func(string)) instance
}

// native is the program that `make run` starts.
var native = place{"native", func(t *testing.T, env map[string]string, line func(string)) instance {
	command := exec.Command(".build/server")
	command.Env = []string{"PORT=0", "PATH=" + os.Getenv("PATH"), "TRANSCRIPTS_DIR=" + t.TempDir()}
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	return launched(t, command, line, func() { _ = command.Process.Signal(syscall.SIGTERM) })
}}

// workerd is the Worker on the runtime of Cloudflare. With a secret it has a Durable Object for checkpoints.
var workerd = place{"workerd", func(t *testing.T, env map[string]string, line func(string)) instance {
	options := map[string]any{"bindings": env}
	if env["GATEWAY_SECRET"] != "" {
		options["durableObjects"] = map[string]any{"CHECKPOINTS": map[string]any{"className": "Checkpoints",
			"useSQLite": true}}
	}
	text, err := json.Marshal(options)
	require.NoError(t, err)
	command := exec.Command("node", "worker/test/workerd.mjs", string(text))
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	return launched(t, command, line, func() { _ = stdin.Close() })
}}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// launched starts a program whose first lines of output have its address.
func launched(t *testing.T, command *exec.Cmd, line func(string), end func()) instance {
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	from, url := bufio.NewReader(stdout), ""
	for url == "" {
		text, err := from.ReadString('\n')
		require.NoError(t, err, "the gateway ended before it was ready")
		url = address.FindString(text)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			text, err := from.ReadString('\n')
			if err != nil {
				return
			}
			line(text)
		}
	}()
	stop := sync.OnceFunc(func() {
		end()
		<-ended
		_ = command.Wait()
	})
	t.Cleanup(stop)
	return instance{url, command.Process.Pid, stop}
}

// exchange is one request of a client, and what became of it behind the gateway.
type exchange struct {
	path, note         string
	header             http.Header
	request, response  []byte
	forwarded          [][]byte // to the provider; more than one after a retry
	answered           []byte   // by the provider, to the last of them
	status, fromServer int
	left               bool // the client did not wait for the response
}

// line is a client's way to the fake provider: through a tap, gateways that take turns, and another tap.
type line struct {
	front, back *httptest.Server
	fake        *fake.Server
	provider    http.Handler // what is behind the gateway; nil: fake
	mu          sync.Mutex
	exchanges   []*exchange
	compactions int
	gate        sync.RWMutex // held for reading while a request is under way
	instances   []string     // base URLs
	restartAt   int          // the request before which restart is called
	restart     func()
	window      int  // of the provider, in tokens; 0: no limit
	byModel     bool // the summaries are written by the model, whose texts have no fact
}

const (
	numberHeader = "X-Test-Number"
	gatewayToken = "0123456789abcdef"
)

// newLine returns a line without a gateway.
func newLine(t *testing.T, c *client, rounds, window int) *line {
	f, err := fake.New("ok")
	require.NoError(t, err)
	f.Window = window
	l := &line{fake: f, window: window}
	l.back = httptest.NewServer(http.HandlerFunc(l.behind))
	t.Cleanup(l.back.Close)
	l.front = httptest.NewServer(http.HandlerFunc(l.before))
	t.Cleanup(l.front.Close)
	body, err := json.Marshal(c.steps(rounds))
	require.NoError(t, err)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest("PUT", "/s/job", bytes.NewReader(body)))
	require.Equal(t, 200, w.Code)
	l.instances = []string{l.back.URL + "/s/job"}
	return l
}

// through puts n gateways into the line.
func (l *line) through(t *testing.T, p place, n int, env map[string]string) {
	all := map[string]string{"UPSTREAMS": "fake=" + l.back.URL + "/s/job"}
	maps.Copy(all, env)
	var running []instance
	begin := func() {
		l.instances = nil
		for range n {
			i := p.start(t, all, l.logged)
			running, l.instances = append(running, i), append(l.instances, i.url+"/fake")
		}
	}
	begin()
	l.restart = func() {
		for _, i := range running {
			i.stop()
		}
		running = nil
		begin()
	}
}

// logged counts the compactions in the log of a gateway.
func (l *line) logged(text string) {
	if strings.Contains(text, `"op":"gateway"`) && strings.Contains(text, `"cause":`) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.compactions++
	}
}

// eachAnew opens a connection for each request: a gateway may close an idle one at the moment at which it is used.
var eachAnew = &http.Transport{DisableKeepAlives: true, DisableCompression: true}

// before is the tap between the client and the gateway.
func (l *line) before(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	e := &exchange{path: r.URL.Path, header: r.Header, request: body}
	l.mu.Lock()
	n := len(l.exchanges)
	l.exchanges = append(l.exchanges, e)
	l.mu.Unlock()
	if l.restartAt > 0 && n == l.restartAt {
		l.gate.Lock()
		l.restart()
		l.gate.Unlock()
	}
	l.gate.RLock()
	defer l.gate.RUnlock()
	to, err := http.NewRequestWithContext(r.Context(), r.Method, l.instances[n%len(l.instances)]+r.URL.RequestURI(),
		bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	to.Header = r.Header.Clone()
	to.Header.Set(numberHeader, strconv.Itoa(n))
	to.Header.Set("X-Tamp-Token", gatewayToken)
	answer, err := eachAnew.RoundTrip(to)
	if err != nil {
		e.note, e.left = err.Error(), r.Context().Err() != nil
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	maps.Copy(w.Header(), answer.Header)
	e.status, e.note = answer.StatusCode, answer.Header.Get("X-Tamp")
	w.WriteHeader(answer.StatusCode)
	for buffer := make([]byte, 32<<10); err == nil; {
		n := 0
		n, err = answer.Body.Read(buffer)
		e.response = append(e.response, buffer[:n]...)
		_, _ = w.Write(buffer[:n])
		_ = http.NewResponseController(w).Flush()
	}
	if err != io.EOF {
		panic(http.ErrAbortHandler)
	}
}

// behind is the tap between the gateway and the provider.
func (l *line) behind(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.Header.Get(numberHeader))
	if err != nil { // a summarizer
		l.fake.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	l.mu.Lock()
	e := l.exchanges[n]
	l.mu.Unlock()
	e.forwarded, e.answered = append(e.forwarded, body), nil
	provider := l.provider
	if provider == nil {
		provider = l.fake
	}
	provider.ServeHTTP(&recorder{w, e, r.Method == http.MethodHead}, r)
}

// recorder keeps what the provider writes.
type recorder struct {
	http.ResponseWriter
	e    *exchange
	head bool // the response has no body
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) WriteHeader(status int) {
	r.e.fromServer = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(data []byte) (int, error) {
	r.e.fromServer = cmp.Or(r.e.fromServer, http.StatusOK)
	if !r.head {
		r.e.answered = append(r.e.answered, data...)
	}
	return r.ResponseWriter.Write(data)
}
