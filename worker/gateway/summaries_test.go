//go:build !js

package gateway

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core"
)

// A model's summaries are requested in the background, and used when they are there; over the hard limit the call
// waits, and a failing model never fails a call.
func TestSummaries(t *testing.T) {
	p := newProvider(t, ok)
	var mu sync.Mutex
	texts := map[string]string{}
	asked, failing := 0, false
	s := start(t, p.URL, "GATEWAY_POLICY", `{"preset":"turns","trigger":{"window":40000}}`)
	s.g.Summaries = &Summaries{Timeout: 5 * time.Second, Concurrency: 2,
		Ask: func(_ context.Context, r core.SummaryRequest) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			if failing {
				return "", io.ErrUnexpectedEOF
			}
			return "A model wrote this summary of the work.", nil
		},
		Find: func(id string) (string, bool) {
			mu.Lock()
			defer mu.Unlock()
			text, ok := texts[id]
			return text, ok
		},
		Keep: func(id, text string) {
			mu.Lock()
			defer mu.Unlock()
			if _, ok := texts[id]; !ok {
				texts[id] = text
			}
		}}
	notes := map[string]int{}
	for n := 8; n < 40; n++ {
		response, _ := s.post(t, "/up/v1/messages", history(n, 1500, ""))
		note := response.Header.Get("X-Tamp")
		if strings.Contains(note, "summaries_pending") {
			notes["pending"]++
			_, body := p.last()
			require.Equal(t, history(n, 1500, ""), string(body))
		}
		s.g.Summaries.Wait()
		_, body := p.last()
		if strings.Contains(string(body), "A model wrote this") {
			notes["used"]++
		}
		require.Less(t, len(body), 36_000*5) // the hard limit, 90 % of the window, with under 5 bytes a token
	}
	require.Positive(t, notes["pending"])
	require.Positive(t, notes["used"])
	require.Less(t, asked, 32) // fewer than one for each call

	failing = true
	clear(texts)
	hard := start(t, p.URL, "GATEWAY_POLICY", window40)
	hard.g.Summaries = s.g.Summaries
	response, _ := hard.post(t, "/up/v1/messages", prose(39, 1500, ""))
	require.Regexp(t, `^before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
	_, first := p.last()
	hard.g.Checkpoints = NewLRU(DefaultCheckpoints)
	hard.post(t, "/up/v1/messages", prose(39, 1500, ""))
	_, second := p.last()
	require.Equal(t, string(first), string(second), "what was sent is found again")
}
