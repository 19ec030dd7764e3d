//go:build !js

package gateway

import (
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkLatency is what the gateway adds to a call that it compacts, over HTTP: the same call goes to the provider
// directly and through the gateway, in turn. The checkpoint is that of the call before.
func BenchmarkLatency(b *testing.B) {
	for _, row := range []struct {
		name   string
		rounds int
	}{{"400KB", 66}, {"4MB", 660}} {
		b.Run(row.name, func(b *testing.B) {
			p := newProvider(b, ok)
			s := start(b, p.URL, "GATEWAY_POLICY", `{"trigger":{"window":100000}}`)
			direct := &started{Server: p.Server}
			body := history(row.rounds, 1500, "")
			s.post(b, "/up/v1/messages", history(row.rounds-1, 1500, ""))
			var times [2][]float64
			for b.Loop() {
				for i, to := range []*started{direct, s} {
					began := time.Now()
					response, _ := to.post(b, []string{"", "/up"}[i]+"/v1/messages", body)
					times[i] = append(times[i], float64(time.Since(began).Microseconds())/1000)
					require.Equal(b, i == 1, strings.Contains(response.Header.Get("X-Tamp"), "before="))
				}
				p.mu.Lock()
				p.requests, p.bodies = nil, nil
				p.mu.Unlock()
			}
			b.ReportMetric(p50(times[0]), "direct-p50-ms")
			b.ReportMetric(p50(times[1])-p50(times[0]), "added-p50-ms")
		})
	}
}

func p50(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

// BenchmarkStreams is the heap of the gateway, its provider and its clients while 200 streams of calls with 400 KB are
// open.
func BenchmarkStreams(b *testing.B) {
	const streams = 200
	var here sync.WaitGroup
	var leave chan struct{}
	p := newProvider(b, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		_ = http.NewResponseController(w).Flush()
		here.Done()
		<-leave
	})
	s := start(b, p.URL)
	body := history(66, 1500, "")
	for b.Loop() {
		leave = make(chan struct{})
		here.Add(streams)
		var all sync.WaitGroup
		for range streams {
			all.Go(func() {
				response, err := http.Post(s.URL+"/up/v1/messages", "application/json", strings.NewReader(body))
				if err == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
			})
		}
		here.Wait()
		p.mu.Lock()
		p.requests, p.bodies = nil, nil
		p.mu.Unlock()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapInuse)/(1<<20), "heap-MB")
		close(leave)
		all.Wait()
	}
}
