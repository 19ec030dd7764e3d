//go:build !js

package gateway

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/worker/internal/fake"
)

// withModel gives the gateway a model that writes summaries, and returns the texts that are kept.
func (s *started) withModel(ask func(context.Context, core.SummaryRequest) (string, error)) *sync.Map {
	var texts sync.Map
	s.g.Summaries = &Summaries{Timeout: 5 * time.Second, Concurrency: 2, Ask: ask,
		Find: func(id string) (string, bool) {
			text, found := texts.Load(id)
			if !found {
				return "", false
			}
			return text.(string), true
		},
		Keep: func(id, text string) { texts.LoadOrStore(id, text) }}
	return &texts
}

// A model's summaries are requested in the background, and used when they are there; over the hard limit the call
// waits, and a failing model never fails a call.
func TestSummaries(t *testing.T) {
	p := newProvider(t, ok)
	var mu sync.Mutex
	asked, failing := 0, false
	s := start(t, p.URL, "GATEWAY_POLICY", `{"preset":"turns","trigger":{"window":40000}}`)
	texts := s.withModel(func(_ context.Context, r core.SummaryRequest) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		if failing {
			return "", io.ErrUnexpectedEOF
		}
		return "A model wrote this: line, file.", nil
	})
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
	texts.Clear()
	hard := start(t, p.URL, "GATEWAY_POLICY", window40)
	hard.g.Summaries = s.g.Summaries
	response, _ := hard.post(t, "/up/v1/messages", prose(39, 1500, ""))
	require.Regexp(t, `^before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
	_, first := p.last()
	kept := 0
	texts.Range(func(_, _ any) bool { kept++; return true })
	require.Positive(t, kept, "written without a model")
	hard.g.Checkpoints = NewLRU(DefaultCheckpoints)
	hard.post(t, "/up/v1/messages", prose(39, 1500, ""))
	_, second := p.last()
	require.Equal(t, string(first), string(second), "what was sent is found again")
}

// While the background applies the plan of one request, others are counted: under -race this finds what the two share.
func TestBackgroundSharesNothing(t *testing.T) {
	const agents, sessions = 4, 15
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", `{"preset":"turns","trigger":{"window":40000}}`)
	s.withModel(func(_ context.Context, r core.SummaryRequest) (string, error) {
		time.Sleep(2 * time.Millisecond) // until the other agents have sent the next request
		return fake.Summary(r.User, "By a model. "+r.ID), nil
	})
	bodyOf := func(agent, session, rounds int) string {
		return strings.ReplaceAll(history(rounds, 1500, ""), "of the file", fmt.Sprintf("of file %d in %d", agent, session))
	}
	var all sync.WaitGroup
	for agent := range agents {
		all.Go(func() {
			for session := range sessions {
				s.post(t, "/up/v1/messages", bodyOf(agent, session, 20))
			}
		})
	}
	all.Wait()
	s.g.Summaries.Wait()
	for agent := range agents {
		s.post(t, "/up/v1/messages", bodyOf(agent, 0, 21))
		_, body := p.last()
		require.Contains(t, string(body), "By a model.")
	}
}

// A model that fails, is too slow, or answers with what is no summary is named in x-tamp, in the log and in the list of
// sessions, at this call and at later ones; the built-in summary is used instead.
func TestFailedSummariesAreNamed(t *testing.T) {
	for why, ask := range map[string]func(context.Context, core.SummaryRequest) (string, error){
		"fails": func(context.Context, core.SummaryRequest) (string, error) { return "", io.ErrUnexpectedEOF },
		"refuses": func(context.Context, core.SummaryRequest) (string, error) {
			return "I'm sorry, but I can't help with that.", nil
		},
		"has error": func(context.Context, core.SummaryRequest) (string, error) {
			return "API Error: Rate limit reached", nil
		},
		"is slow": func(ctx context.Context, _ core.SummaryRequest) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		},
	} {
		p := newProvider(t, ok)
		s := start(t, p.URL, "GATEWAY_POLICY", window40)
		s.withModel(ask)
		s.g.Summaries.Timeout = 50 * time.Millisecond
		for n := 39; n <= 40; n++ {
			response, _ := s.post(t, "/up/v1/messages", prose(n, 1500, ""))
			require.Regexp(t, ` summary_failed=[1-9]`, response.Header.Get("X-Tamp"), why)
			_, body := p.last()
			require.Contains(t, string(body), "Record of earlier work", why)
			require.NotContains(t, string(body), "sorry")
			require.NotContains(t, string(body), "API Error")
		}
		s.g.Summaries.Wait()
	}
}
