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
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
	"tamp/worker/internal/fake"
	"tamp/worker/store"
)

// The ways through POST /v1/compact that end early, or in another way than planned, each in a handler of its own.

func codeOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	code, _ := reply{status: w.Code, body: w.Body.String()}.failure(t)
	return code
}

// eventsOf reads the events that were written.
func eventsOf(t *testing.T, w *httptest.ResponseRecorder) []event {
	t.Helper()
	var all []event
	for from := bufio.NewReader(w.Body); ; {
		e := readEvent(t, from)
		if e.name == "" {
			return all
		}
		all = append(all, e)
	}
}

// platformAI is a server with a model of the platform's own, a token and a store for originals. Summaries are not
// reused.
func platformAI(t *testing.T, answer func(ctx context.Context) ([]byte, error)) (*server, *values) {
	h := handlerOf(t, setup{env: map[string]string{"SUMMARIZER": "workers-ai", "SUMMARIZER_MODEL": "m",
		"TAMP_TOKEN":  token,
		"SUMMARY_TTL": "0"}}, nil)
	kept := &values{}
	h.host.Store = store.NewKV(kept)
	h.host.Summarizer.AI = func(ctx context.Context, _ string, _ []byte) ([]byte, error) { return answer(ctx) }
	return h, kept
}

func isEmpty(v *values) bool {
	empty := true
	v.Range(func(any, any) bool {
		empty = false
		return false
	})
	return empty
}

// A summary that costs the operator something needs the token; the caller's own key pays only where it is used.
func TestWhoPaysForASummary(t *testing.T) {
	h := handlerOf(t, setup{env: map[string]string{"SUMMARIZER": "workers-ai", "SUMMARIZER_MODEL": "m"}}, nil)
	h.host.Summarizer.AI = throws{}.run
	w, _ := served(t, h, "POST", "/v1/compact", small, "X-API-Key: mine")
	require.Equal(t, http.StatusUnauthorized, w.Code, "no key pays for the operator's account")

	models := newModels(t)
	env := map[string]string{"SUMMARIZER": "anthropic", "SUMMARIZER_API_KEY": operatorKey,
		"SUMMARIZER_BASE_URL": models.url}
	h = handlerOf(t, setup{env: env}, nil)
	body := request("harness", talk("pays", 5000))
	w, _ = served(t, h, "POST", "/v1/compact", body)
	require.Equal(t, http.StatusUnauthorized, w.Code)
	w, _ = served(t, h, "POST", "/v1/compact", body, "X-API-Key: "+key("pays", "ok"))
	require.Empty(t, reply{status: w.Code, body: w.Body.String()}.outcome(t).Failures)
	require.Len(t, models.calls("pays"), 1, "asked with the caller's key")
}

// The token counts under the scheme Bearer alone, and whole.
func TestTokenUnderAnotherScheme(t *testing.T) {
	h := handlerOf(t, setup{env: map[string]string{"TAMP_TOKEN": token}}, nil)
	for _, shown := range []string{"Basic " + token, "Token " + token, " " + token, "Bearer " + token[1:],
		"Bearer " + token + "x"} {
		w, _ := served(t, h, "POST", "/v1/compact", small, "Authorization: "+shown)
		require.Equal(t, http.StatusUnauthorized, w.Code, shown)
	}
}

// Where neither the operator nor a token allows it, a stranger's session is not replayed.
func TestStrangersReplayNothing(t *testing.T) {
	body := `{"preset":"balanced","conversation":` + talk("replay", 3000) + `}`
	w, _ := served(t, handlerOf(t, plain, nil), "POST", "/v1/replay", body)
	require.Equal(t, http.StatusUnauthorized, w.Code)
	w, _ = served(t, handlerOf(t, setup{env: map[string]string{"TAMP_TOKEN": token}}, nil), "POST", "/v1/replay", body,
		bearer())
	require.Equal(t, http.StatusOK, w.Code)
}

// A browser is told the methods of a path, and a program too.
func TestPreflightListsMethods(t *testing.T) {
	for path, methods := range map[string]string{"/v1/compact": "POST, OPTIONS", "/v1": "GET, HEAD, OPTIONS"} {
		w, _ := served(t, handlerOf(t, plain, nil), "OPTIONS", path, "", "Origin: https://a.example")
		require.Equal(t, http.StatusNoContent, w.Code)
		require.Equal(t, methods, w.Header().Get("Allow"))
		require.Equal(t, methods, w.Header().Get("Access-Control-Allow-Methods"))
	}
}

// What is not JSON by its type is refused as such, not as broken JSON.
func TestCompactRefusesOtherTypes(t *testing.T) {
	w, _ := served(t, handlerOf(t, plain, nil), "POST", "/v1/compact", small, "Content-Type: text/plain")
	require.Equal(t, http.StatusUnsupportedMediaType, w.Code)
	require.Equal(t, unsupportedType, codeOf(t, w))
}

// A server without a key refuses before anything is saved or streamed, and only if there is something to ask.
func TestNoKeyIsKnownBeforeTheStream(t *testing.T) {
	h, kept := handlerOf(t, setup{env: map[string]string{"SUMMARIZER": "anthropic", "TAMP_TOKEN": token}}, nil), &values{}
	h.host.Store = store.NewKV(kept)
	body := request("harness", talk("no key", 5000))
	for _, accept := range []string{"application/json", "text/event-stream"} {
		w, said := served(t, h, "POST", "/v1/compact", body, bearer(), "Accept: "+accept)
		require.Equal(t, http.StatusBadGateway, w.Code)
		require.Equal(t, "application/json", w.Header().Get("Content-Type"))
		require.Equal(t, summarizerFailed, codeOf(t, w))
		require.Zero(t, said.Summaries)
		require.True(t, isEmpty(kept))
	}
	w, _ := served(t, h, "POST", "/v1/compact", small, bearer())
	require.Equal(t, http.StatusOK, w.Code, "nothing is asked")
}

// The log has the sizes before and after.
func TestLogHasTheSizes(t *testing.T) {
	w, said := served(t, handlerOf(t, plain, nil), "POST", "/v1/compact", request("harness", talk("sizes", 20_000)))
	o := reply{status: w.Code, body: w.Body.String()}.outcome(t)
	require.Less(t, o.After, o.Before)
	require.Equal(t, []int{o.Before, o.After}, []int{said.Before, said.After})
}

// Originals that cannot be saved end the compaction with an error: nothing is asked, and the stream says so too.
func TestStoreThatIsDown(t *testing.T) {
	h, _ := platformAI(t, func(context.Context) ([]byte, error) { return nil, errors.New("it was asked") })
	h.host.Store = store.NewR2(down{})
	body := request("harness", talk("is down", 5000))
	w, said := served(t, h, "POST", "/v1/compact", body, bearer())
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.NotContains(t, w.Body.String(), marker)
	whole := w.Body.String()
	require.Equal(t, archiveFailed, codeOf(t, w))
	require.Zero(t, said.Summaries)
	w, said = served(t, h, "POST", "/v1/compact", body, bearer(), "Accept: text/event-stream")
	all := eventsOf(t, w)
	require.Equal(t, []string{"plan", "error"}, names(all))
	require.Equal(t, whole, all[1].data)
	require.Zero(t, said.Summaries)
}

// One failed summary of several: the outcome is that of the engine for this failure, its event and the log say which.
func TestOneSummaryFails(t *testing.T) {
	models := newModels(t)
	env := map[string]string{"SUMMARIZER": "anthropic", "SUMMARIZER_BASE_URL": models.url}
	body := request("regions", talk("one fails", 100_000))
	w, said := served(t, handlerOf(t, setup{env: env}, nil), "POST", "/v1/compact", body, "Accept: text/event-stream",
		"X-API-Key: "+key("onefails", "refusal,ok"))
	all := eventsOf(t, w)
	require.Equal(t, []string{"plan", "saved", "summary", "done"}, names(all))
	last := reply{status: 200, body: all[len(all)-1].data}
	o := last.outcome(t)
	require.Len(t, o.Failures, 1)
	n := len(all) - 3
	require.Greater(t, n, 2)
	require.Equal(t, []int{n, 1, 0}, []int{said.Summaries, said.Failed, said.Cached})
	byHand(t, body, func(r *wire.Request) wire.Result {
		if r.ID == o.Failures[0].ID {
			return wire.Result{ID: r.ID, Err: o.Failures[0].Message}
		}
		return wire.Result{ID: r.ID, Text: fake.Answer(r.User)}
	}).is(t, last)
	for i, e := range all[2 : 2+n] {
		var summary summaryEvent
		require.NoError(t, json.Unmarshal([]byte(e.data), &summary))
		require.Equal(t, []int{i + 1, n}, []int{summary.Done, summary.Of})
		if summary.ID == o.Failures[0].ID {
			require.Equal(t, o.Failures[0].Message, summary.Error)
			require.Empty(t, summary.Text)
		} else {
			require.Empty(t, summary.Error)
			require.NotEmpty(t, summary.Text)
		}
	}
}

// A summary that is used again has the same text, and gives the same conversation.
func TestSummaryUsedAgainIsTheSame(t *testing.T) {
	var asked atomic.Int32
	h, _ := platformAI(t, func(context.Context) ([]byte, error) {
		asked.Add(1)
		return []byte(`{"response":"It read every file, and they are well. ` + sourceNames() + `"}`), nil
	})
	h.config.SummaryTTL = time.Hour
	body := request("regions", talk("again", 100_000))
	first, _ := served(t, h, "POST", "/v1/compact", body, bearer())
	made := asked.Load()
	require.Positive(t, made)
	second, _ := served(t, h, "POST", "/v1/compact", body, bearer())
	require.Equal(t, made, asked.Load())
	require.Equal(t, first.Body.String(), second.Body.String())
	streamed, _ := served(t, h, "POST", "/v1/compact", body, bearer(), "Accept: text/event-stream")
	require.Contains(t, streamed.Body.String(), `"cached":true,"text":"It read every file`)
}

// fails is a connection of which one write fails, the at-th from 0.
type fails struct {
	*httptest.ResponseRecorder
	at int
}

func (f *fails) Write(p []byte) (int, error) {
	if f.at--; f.at == -1 {
		return 0, errors.New("reset")
	}
	return f.ResponseRecorder.Write(p)
}

// After an event that could not be written nothing more is done or written: nothing saved after the plan, no end after
// a summary.
func TestNothingFollowsAFailedWrite(t *testing.T) {
	body := request("regions", talk("fails", 100_000))
	for at, want := range []int{0, 1, 2} {
		h, kept := platformAI(t, func(context.Context) ([]byte, error) { return []byte(`{"response":"Well."}`), nil })
		var said logEntry
		h.host.Log = func(text []byte) { require.NoError(t, json.Unmarshal(text, &said)) }
		r := httptest.NewRequest("POST", "/v1/compact", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Accept", "text/event-stream")
		w := &fails{httptest.NewRecorder(), at}
		h.ServeHTTP(w, r)
		require.Equal(t, statusClientClosed, said.Status)
		require.Len(t, eventsOf(t, w.ResponseRecorder), want)
		require.Equal(t, at == 0, isEmpty(kept), "the originals are saved after the plan was written")
	}
}

// left asks for a compaction whose caller leaves when told, and returns the log's line. Nothing may be written.
func left(t *testing.T, h *server, ctx context.Context, body string) (said logEntry) {
	h.host.Log = func(text []byte) { require.NoError(t, json.Unmarshal(text, &said)) }
	r := httptest.NewRequestWithContext(ctx, "POST", "/v1/compact", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Zero(t, w.Body.Len())
	require.Equal(t, statusClientClosed, said.Status)
	return said
}

// A caller who goes away is answered nothing, whatever was finished by then: during the last summary, or while the
// originals are saved. Each is repeated, since which of two ends is seen first is chance.
func TestCallerGoesAway(t *testing.T) {
	body := request("harness", talk("goes away", 5000))
	for range 20 {
		ctx, leave := context.WithCancel(t.Context())
		h, _ := platformAI(t, func(context.Context) ([]byte, error) {
			leave()
			return []byte(`{"response":"Well."}`), nil
		})
		left(t, h, ctx, body)

		var asked atomic.Int32
		ctx, leave = context.WithCancel(t.Context())
		h, _ = platformAI(t, func(context.Context) ([]byte, error) {
			asked.Add(1)
			return []byte(`{"response":"Well."}`), nil
		})
		h.host.Store = store.NewR2(&disconnects{leave: leave})
		left(t, h, ctx, body)
		require.Zero(t, asked.Load(), "no model is asked after the caller left")
	}
}

// slowToFind is a cache of summaries that takes a moment to end after its caller left.
type slowToFind struct {
	running atomic.Int32
	leave   func()
}

func (s *slowToFind) Find(ctx context.Context, _ string) (string, bool) {
	s.running.Add(1)
	defer s.running.Add(-1)
	s.leave()
	<-ctx.Done()
	time.Sleep(20 * time.Millisecond)
	return "", false
}

func (s *slowToFind) Keep(context.Context, string, string, time.Duration) {}

// The handler ends after everything that it began: no look into the cache is under way behind the answer.
func TestNoLookUpOutlivesTheAnswer(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	h, _ := platformAI(t, func(context.Context) ([]byte, error) { return []byte(`{"response":"Well."}`), nil })
	cache := &slowToFind{leave: leave}
	h.host.Summaries, h.config.SummaryTTL = cache, time.Hour
	left(t, h, ctx, request("regions", talk("outlives", 100_000)))
	require.Zero(t, cache.running.Load())
}
