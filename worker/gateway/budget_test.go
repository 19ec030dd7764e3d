//go:build !js

package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
)

// A request whose compaction takes too much work is forwarded as it came. The next one of the session goes on where it
// ended, so that at last it is compacted as without a limit.
func TestTooMuchWork(t *testing.T) {
	p := newProvider(t, ok)
	limited, free := start(t, p.URL, "GATEWAY_WORK", "100000"), start(t, p.URL)
	const policy = `{"preset":"s06"}`
	body := history(60, 300, "")
	free.post(t, "/up/v1/messages", body, "X-Tamp-Policy", policy)
	_, want := p.last()
	require.NotEqual(t, body, string(want))
	passed := 0
	for ; ; passed++ {
		response, _ := limited.post(t, "/up/v1/messages", body, "X-Tamp-Policy", policy)
		_, got := p.last()
		if !strings.HasPrefix(response.Header.Get("X-Tamp"), "passed reason=too_much_work") {
			require.Equal(t, string(want), string(got))
			break
		}
		require.Equal(t, body, string(got))
		require.Less(t, passed, 60)
	}
	require.Positive(t, passed)
	limited.g.Work = 1 // not even one step
	response, _ := limited.post(t, "/up/v1/chat/completions", history(60, 300, "/chat/completions"))
	require.Equal(t, "passed reason=too_much_work", response.Header.Get("X-Tamp"))
}

// When the client has disconnected, no work goes on: no step of a fold, and no waiting for a model.
func TestWorkEndsWithTheClient(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	gone, leave := context.WithCancel(t.Context())
	asked, answer := make(chan struct{}, 100), make(chan struct{})
	defer close(answer)
	s.withModel(func(context.Context, core.SummaryRequest) (string, error) {
		asked <- struct{}{}
		<-answer
		return "late", nil
	})
	serve := func(ctx context.Context) {
		r := httptest.NewRequestWithContext(ctx, "POST", "/up/v1/messages", strings.NewReader(prose(39, 1500, "")))
		s.g.ServeHTTP(httptest.NewRecorder(), r)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(gone) // over the hard limit, so that it waits
	}()
	<-asked
	leave()
	<-done
	require.Empty(t, p.requests)
	require.ErrorIs(t, s.g.budget(gone).spend(0), context.Canceled)
	prepared := s.g.Prepare(gone, &Upstream{}, &endpoints[0], http.Header{}, []byte(prose(39, 1500, "")), nil, nil)
	require.Nil(t, prepared.Result)
	require.ErrorIs(t, prepared.budget.ended, context.Canceled)
	require.Less(t, DefaultWork-prepared.budget.left, 3000) // the work of the first message
	serve(gone)
	require.Empty(t, p.requests)
}

// After a call that cannot be compacted the next one of the session goes on behind it.
func TestOverflowKeepsACheckpoint(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", `{"preset":"clear_thinking","trigger":{"window":4000}}`)
	body := `{"model":"claude-opus-4-5","max_tokens":10,"messages":[{"role":"user","content":"` +
		strings.Repeat(`- never do this\n`, 2000) + `"}`
	for i, checkpoint := range []string{"none", "hit", "hit"} {
		body += `,{"role":"assistant","content":"done"},{"role":"user","content":"and the next"}`
		response, _ := s.post(t, "/up/v1/messages", body+"]}")
		note := response.Header.Get("X-Tamp")
		require.Contains(t, note, "passed reason=context_overflow", i)
		require.Contains(t, note, "checkpoint="+checkpoint, i)
		_, sent := p.last()
		require.Equal(t, body+"]}", string(sent))
	}
}
