//go:build !js

package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a gateway keeps of its calls: at most 64 MB of checkpoints and 64 MB of requests, and figures.

// soak sends calls of 1 MB of several sessions that grow, and calls f with the size of the heap after every 50.
func soak(tb testing.TB, calls int, f func(m *runtime.MemStats)) {
	const sessions = 5
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		ok(w, r, nil)
	}))
	defer provider.Close()
	s := start(tb, provider.URL, "GATEWAY_POLICY", `{"trigger":{"window":60000}}`)
	s.g.Log = nil // the test would keep the entries
	var heap runtime.MemStats
	for i := range calls {
		body := fmt.Appendf(nil, `{"x":%d,%s`, i%sessions, history(140+i/sessions%40, 1500, "")[1:])
		body = bytes.Replace(body, []byte("Read all"), fmt.Appendf(nil, "%d: read all", i%sessions), 1)
		r := httptest.NewRequest("POST", "/up/v1/messages", bytes.NewReader(body))
		r.Header.Set("User-Agent", "agent/1")
		w := httptest.NewRecorder()
		s.g.ServeHTTP(w, r)
		require.Contains(tb, w.Header().Get("X-Tamp"), "before=")
		if i%50 == 49 {
			runtime.ReadMemStats(&heap)
			f(&heap)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&heap)
	f(&heap)
	runtime.KeepAlive(s)
}

// After 200 calls of 1 MB, 60 with -short, the heap has the checkpoints and one request of each of 5 sessions.
func TestKeepsNoCall(t *testing.T) {
	var live uint64
	calls := 200
	if testing.Short() {
		calls = 60
	}
	soak(t, calls, func(m *runtime.MemStats) { live = m.HeapAlloc })
	require.Less(t, live, uint64(100<<20)) // 64 MB of checkpoints and 5 MB of requests; if calls stay, each is 3.5 MB
}

// BenchmarkSoak is the heap after calls of 1 MB: -bench Soak -benchtime 5000x.
func BenchmarkSoak(b *testing.B) {
	var live, most uint64
	soak(b, b.N, func(m *runtime.MemStats) {
		live, most = m.HeapAlloc, max(most, m.Sys-m.HeapReleased)
	})
	b.ReportMetric(float64(live>>20), "live-MB")
	b.ReportMetric(float64(most>>20), "most-MB")
}
