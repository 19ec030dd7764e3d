//go:build !js

package worker

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Concurrent requests to one server: each gets its own response.
func testTogether(t *testing.T, p *place) {
	r := p.on(t, p.owned())
	ops := []string{"plan", "check", "count", "inspect", "repair"}
	var all sync.WaitGroup
	failures := make(chan string, 200)
	for i := range 50 {
		all.Go(func() {
			name := fmt.Sprintf("together-%d", i)
			body := request("harness", talk(name, 3000+500*i))
			if i%2 == 0 {
				op := ops[i/2%len(ops)]
				got := readAll(t, r.send(t, "POST", "/v1/"+op, body, bearer()))
				if got != string(engineAnswer(op, []byte(body))) {
					failures <- name + " got another answer: " + got[:min(len(got), 200)]
				}
				return
			}
			got := readAll(t, r.send(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key(name, "ok:delay=20ms")))
			want := byHand(t, body, nil)
			if !strings.HasPrefix(got, strings.TrimSuffix(want.outcome, "}")+`,"transcripts":["`+want.originals[0].Ref) {
				failures <- name + " got another answer: " + got[:min(len(got), 200)]
			}
		})
	}
	all.Wait()
	close(failures)
	require.Empty(t, <-failures)
}

// Fifty concurrent compactions with a slow model.
func testFifty(t *testing.T, p *place) {
	r := p.on(t, p.owned())
	began := time.Now()
	var all sync.WaitGroup
	wrong := make(chan string, 50)
	for i := range 50 {
		all.Go(func() {
			name := fmt.Sprintf("fifty-%d", i)
			body := request("harness", talk(name, 20_000))
			got := readAll(t, r.send(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key(name, "ok:delay=200ms")))
			if !strings.HasPrefix(got, strings.TrimSuffix(byHand(t, body, nil).outcome, "}")) {
				wrong <- name + ": " + got[:min(len(got), 200)]
			}
		})
	}
	all.Wait()
	t.Logf("50 compactions at once, model 200 ms: %d ms", time.Since(began).Milliseconds())
	close(wrong)
	require.Empty(t, <-wrong)
}

// A huge conversation grows the kept instance; later requests are answered as before.
func testHuge(t *testing.T, p *place) {
	r := p.on(t, plain)
	huge := `{"conversation":` + talk("huge", 12<<20) + `}`
	want := string(engineAnswer("check", []byte(huge)))
	for range 2 {
		require.Equal(t, want, r.ask(t, "POST", "/v1/check", huge).body)
		require.Equal(t, `{"valid":true,"problems":[]}`, r.ask(t, "POST", "/v1/check", small).body)
	}
	deep := `{"conversation":` + strings.Repeat("[", 1<<20) + `}`
	require.Equal(t, 413, r.ask(t, "POST", "/v1/check", deep).status, "nested deeper than anything is")
	require.Equal(t, 200, r.ask(t, "GET", "/v1", "").status)
}
