//go:build !js

package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// Faults that only a test in Go can inject.

// throws is a store and a cache; every call panics, as a binding does when JavaScript throws.
type throws struct{}

func (throws) Read(context.Context, string) ([]byte, bool, error)  { panic("thrown: " + marker) }
func (throws) Write(context.Context, string, []byte) error         { panic("thrown: " + marker) }
func (throws) Find(context.Context, string) (string, bool)         { panic("thrown: " + marker) }
func (throws) Keep(context.Context, string, string, time.Duration) { panic("thrown: " + marker) }
func (throws) run(context.Context, string, []byte) ([]byte, error) { panic("thrown: " + marker) }
func (throws) answer(context.Context, string, []byte) ([]byte, error) {
	return []byte(`{"response":"Well. ` + sourceNames() + `"}`), nil
}
func (throws) nothing(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New(marker)
}

// A panic becomes the error internal, without the panic's text, and the program continues.
func TestPanicsBecomeErrors(t *testing.T) {
	s := setup{env: map[string]string{"SUMMARIZER": "workers-ai", "SUMMARIZER_MODEL": "m", "TAMP_TOKEN": token,
		"SUMMARIZER_TIMEOUT": "1"}}
	body := request("harness", talk("throws", 3000))
	for _, row := range []struct {
		name   string
		change func(*host)
		code   string // of the answer
		failed string // of the summary
	}{
		{"the store", func(h *host) { h.Store = store.NewR2(throws{}) }, internal, ""},
		{"the cache", func(h *host) { h.Summaries = throws{} }, "", "failed"},
		{"the model", func(h *host) { h.Summarizer.AI = throws{}.run }, "", "failed"},
		{"the model, by an error", func(h *host) { h.Summarizer.AI = throws{}.nothing }, "", "connection"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := handlerOf(t, s, nil)
			h.host.Summarizer = summarizer.Host{AI: throws{}.answer}
			row.change(&h.host)
			var lines logged
			h.host.Log = lines.add
			server := httptest.NewServer(h)
			defer server.Close()
			r := &running{url: server.URL}
			got := r.ask(t, "POST", "/v1/compact", body, bearer())
			all := r.stream(t, body, bearer())
			if row.code != "" {
				code, _ := got.failure(t)
				require.Equal(t, row.code, code)
				require.Equal(t, 500, got.status)
				require.Equal(t, []string{"plan", "error"}, names(all))
				require.Equal(t, got.body, all[1].data)
			} else {
				require.Equal(t, row.failed, got.outcome(t).Failures[0].Code)
				require.Equal(t, []string{"plan", "saved", "summary", "done"}, names(all))
			}
			require.NotContains(t, lines.text()+got.body+all[len(all)-1].data[:60], "thrown")
			require.Equal(t, 200, r.ask(t, "GET", "/healthz", "").status)
		})
	}
}

// deaf is a connection whose writes fail after a number of events, while its context continues.
type deaf struct {
	http.ResponseWriter
	events int
}

func (d *deaf) Write(p []byte) (int, error) {
	if d.events--; d.events < 0 {
		return 0, errors.New("the client has disconnected")
	}
	return len(p), nil
}

// A failed write stops the work, too: on workerd it may be the first sign of a disconnected client.
func TestWritesThatFailStopTheWork(t *testing.T) {
	for events := range 4 {
		var asked atomic.Int32
		s := setup{env: map[string]string{"SUMMARIZER": "workers-ai", "SUMMARIZER_MODEL": "m", "TAMP_TOKEN": token,
			"SUMMARIZER_CONCURRENCY": "1"}}
		h := handlerOf(t, s, nil)
		h.host.Store = store.NewKV(&values{})
		h.host.Summarizer.AI = func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
			asked.Add(1)
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
			return []byte(`{"response":"Well."}`), nil
		}
		var printed logEntry
		h.host.Log = func(text []byte) { require.NoError(t, json.Unmarshal(text, &printed)) }
		r := httptest.NewRequest("POST", "/v1/compact", strings.NewReader(request("regions", talk("deaf", 100_000))))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Accept", "text/event-stream")
		h.ServeHTTP(&deaf{httptest.NewRecorder(), events}, r)
		require.Equal(t, statusClientClosed, printed.Status)
		require.LessOrEqual(t, int(asked.Load()), max(1, events))
	}
}

// Comments keep an idle stream open; readers of events skip them. A comment that cannot be written ends the work.
func TestHeartbeat(t *testing.T) {
	slow := func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		select {
		case <-time.After(40 * time.Second):
			return []byte(`{"response":"Well."}`), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	ask := func(w http.ResponseWriter) time.Duration {
		h := handlerOf(t, setup{env: map[string]string{"SUMMARIZER": "workers-ai", "SUMMARIZER_MODEL": "m",
			"TAMP_TOKEN": token}}, nil)
		h.host.Summarizer.AI = slow
		r := httptest.NewRequest("POST", "/v1/compact", strings.NewReader(request("harness", talk("heartbeat", 3000))))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Accept", "text/event-stream")
		began := time.Now()
		h.ServeHTTP(w, r)
		return time.Since(began)
	}
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		require.Equal(t, 40*time.Second, ask(w))
		require.Equal(t, 2, strings.Count(w.Body.String(), ": still at it\n\n"))
		from := bufio.NewReader(w.Body)
		for _, name := range []string{"plan", "saved", "summary", "done"} {
			require.Equal(t, name, readEvent(t, from).name)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, heartbeat, ask(&deaf{httptest.NewRecorder(), 2}))
	})
}
