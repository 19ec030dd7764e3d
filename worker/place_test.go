//go:build !js

package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/store"
)

// place is a platform that runs the handler: a native Go program (native_test.go), or workerd (workerd_test.go). The
// same cases run on both. Servers are shared between cases, since starting a Worker takes a second or two.
type place struct {
	launch func(s setup) (*running, error)
	models *fakeModels
	few    bool // only the cases that depend on the platform

	mu      sync.Mutex
	started map[string]func() (*running, error)
}

// setup has the settings and bindings of one server.
type setup struct {
	env       map[string]string
	store     string // r2, kv, down, or none
	summaries bool   // a KV namespace for them; else the Cache API
	ai        bool   // models of the platform's own
	limit     int    // requests a minute; 0 is no limit
}

// running is a started server.
type running struct {
	url     string
	printed func() string // its log and the output of the runtime
	workerd bool
	node    bool // tamp serve in Node
}

func newPlace(t *testing.T) *place {
	return &place{models: newModels(t), started: map[string]func() (*running, error){}}
}

// providers lists the providers of cases that each of them gets: all, or one where the platform alone matters.
func (p *place) providers() []string {
	if p.few {
		return []string{"anthropic"}
	}
	return []string{"anthropic", "openai"}
}

// on returns the server with that setup, and starts it if necessary.
func (p *place) on(t *testing.T, s setup) *running {
	t.Helper()
	key := fmt.Sprint(s)
	p.mu.Lock()
	start := p.started[key]
	if start == nil {
		start = sync.OnceValues(func() (*running, error) { return p.launch(s) })
		p.started[key] = start
	}
	p.mu.Unlock()
	r, err := start()
	require.NoError(t, err, "it did not start")
	return r
}

// all lists the started servers.
func (p *place) all() []*running {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*running
	for _, start := range p.started {
		if r, err := start(); err == nil {
			list = append(list, r)
		}
	}
	return list
}

const (
	// marker is part of conversations, keys and the errors of broken stores. No log and no error may contain it.
	marker = "M4RK3R"

	token       = "token-" + marker + "-0123456789"
	operatorKey = "operator-" + marker
)

// The setups: the common ones, and one for each setting that changes a response.
var (
	plain      = setup{}
	wrongToken = setup{env: map[string]string{"TAMP_TOKEN": "short"}}
	limited    = setup{limit: 3}
	replaying  = setup{env: map[string]string{"OPEN_REPLAY": "1"}}
	vendor     = setup{env: map[string]string{"SUMMARIZER": "anthropic"}}
)

// asking is a setup with a model; more has names and values of environment variables.
func (p *place) asking(provider string, more ...string) setup {
	// Five attempts wait for 7.5 s at most (summarizer/retry.go); a machine with other work needs the rest.
	s := setup{env: map[string]string{"SUMMARIZER": provider, "SUMMARIZER_TIMEOUT": "50"}}
	switch provider {
	case "anthropic":
		s.env["SUMMARIZER_BASE_URL"] = p.models.url
	case "openai":
		s.env["SUMMARIZER_BASE_URL"], s.env["SUMMARIZER_MODEL"] = p.models.url+"/v1", "gpt-5-mini"
	case "workers-ai":
		s.env["SUMMARIZER_MODEL"], s.ai = "@cf/meta/llama", true
	}
	for i := 0; i < len(more); i += 2 {
		s.env[more[i]] = more[i+1]
	}
	return s
}

// withToken is a setup with a model, a token, a store and a cache of summaries.
func (p *place) withToken(provider string) setup {
	s := p.asking(provider, "TAMP_TOKEN", token)
	s.store = "r2"
	if provider == "openai" {
		s.store, s.summaries = "kv", true
	}
	return s
}

// owned has the operator's key and a token. It requests one summary at a time, with a long timeout.
func (p *place) owned() setup {
	s := p.asking("anthropic", "SUMMARIZER_API_KEY", operatorKey, "TAMP_TOKEN", token, "SUMMARIZER_CONCURRENCY", "1",
		"SUMMARIZER_TIMEOUT", "60")
	s.store = "r2"
	return s
}

// closed has the operator's key but no token: callers may not use the key.
func (p *place) closed() setup {
	return p.asking("anthropic", "SUMMARIZER_API_KEY", operatorKey, "ALLOWED_ORIGINS",
		"https://app.example.com, https://b.example.com/")
}

// natively runs the handler in this process.
func natively(t *testing.T, models *fakeModels, s setup) (*running, error) {
	var lines logged
	h := handlerOf(t, s, models)
	h.host.Log = lines.add
	var serve http.Handler = h
	if s.limit > 0 {
		serve = limit(h, int64(s.limit))
	}
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return &running{url: server.URL, printed: lines.text}, nil
}

func handlerOf(t testing.TB, s setup, models *fakeModels) *server {
	c, err := readConfig(func(name string) string { return s.env[name] }, false)
	h := &server{config: c, configErr: err, host: host{Store: store.None{}, Summaries: newRecentSummaries(),
		Vocabulary: vocabulary, Log: func([]byte) {}, Now: time.Now}}
	switch s.store {
	case "r2":
		h.host.Store = store.NewDir(t.TempDir())
	case "kv":
		h.host.Store = store.NewKV(&values{})
	case "down":
		h.host.Store = store.NewR2(down{})
	}
	if s.ai {
		h.host.Summarizer.AI = models.run
	}
	return h
}

// limit replaces the platform's rate limit, which worker.mjs checks.
func limit(h http.Handler, maxRequests int64) http.Handler {
	var seen atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodOptions && r.URL.Path != "/healthz" && seen.Add(1) > maxRequests {
			r = r.WithContext(withOverLimit(r.Context()))
		}
		h.ServeHTTP(w, r)
	})
}

// values is a KV namespace in memory.
type values struct{ sync.Map }

func (v *values) Read(_ context.Context, key string) ([]byte, bool, error) {
	data, ok := v.Load(key)
	if !ok {
		return nil, false, nil
	}
	return data.([]byte), true, nil
}

func (v *values) Write(_ context.Context, key string, data []byte) error {
	v.Store(key, append([]byte(nil), data...))
	return nil
}

// down is a store whose calls fail.
type down struct{}

var errDown = errors.New("the bucket of " + marker + " is down")

func (down) Read(context.Context, string) ([]byte, bool, error) { return nil, false, errDown }
func (down) Write(context.Context, string, []byte) error        { return errDown }

// logged collects log entries.
type logged struct {
	mu    sync.Mutex
	lines []string
}

func (l *logged) add(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
}

func (l *logged) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// The JSON keys that a log entry may have.
var logKeys = map[string]bool{"time": true, "id": true, "op": true, "status": true, "bytes": true, "ms": true,
	"tokens_before":  true,
	"tokens_after":   true,
	"cache_hit_rate": true, "compact_count": true, "summaries": true, "summaries_cached": true,
	"summaries_failed": true, "cause": true}

// checkLogs checks everything that was printed during the other tests: figures, but no content, key or error of the
// runtime.
func checkLogs(t *testing.T, p *place) {
	lines := 0
	for _, r := range p.all() {
		text := r.printed()
		require.NotContains(t, text, marker, "content or a key is in the log")
		require.NotContains(t, text, "on behalf of a different request")
		require.NotContains(t, strings.ToLower(text), "panic")
		for _, line := range strings.Split(text, "\n") {
			line = strings.TrimPrefix(line, "stdout ")
			if line == "" || strings.HasPrefix(line, "cannot use TAMP_TOKEN: ") {
				continue
			}
			var figures map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &figures), line)
			lines++
			for key, value := range figures {
				require.True(t, logKeys[key], "%s is in the log", key)
				if key != "op" && key != "time" && key != "id" && key != "cause" {
					require.IsType(t, 0.0, value)
				}
			}
			for _, key := range []string{"time", "id", "op", "status", "bytes", "ms"} {
				require.Contains(t, figures, key)
			}
		}
	}
	require.Greater(t, lines, 100) // the tests before made more requests: the log was read
}
