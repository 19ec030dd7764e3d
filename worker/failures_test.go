//go:build !js

package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
	"tamp/worker/internal/fake"
)

// Compactions with failures. A temporary failure of a model costs its summary, never the conversation, and the status
// is 200.

type failing struct {
	script string
	code   string // "": it succeeded in the end
	calls  int    // 0: not checked, since waits are random
	why    string
}

// slowModel answers later than SUMMARIZER_TIMEOUT.
const slowModel = "ok:delay=60s"

var failings = []failing{
	{"ok", "", 1, ""},
	{"429:retry-after-ms=300,ok", "", 2, "asked again when told"},
	{"429:retry-after=1,ok", "", 2, ""},
	{"429:retry-after=60,ok", "upstream", 1, "over the deadline"},
	{"500,ok", "", 2, "another server may succeed"},
	{"529,ok", "", 2, "overloaded, for the moment"},
	{"503:retry-after=0,ok", "", 2, ""},
	{"529", "upstream", 0, "overloaded, for good"},
	{"429:retry-after=70", "upstream", 1, "a rate limit passes"},
	{"500", "upstream", 0, ""},
	{"504", "upstream", 1, "a gateway waited in vain"},
	{"408:retry-after=70", "upstream", 1, "the provider's own timeout"},
	{"drop,ok", "", 2, "a broken connection"},
	{"cut,ok", "", 2, "one that breaks in the answer"},
	{"cut", "connection", 0, ""},
	{slowModel, "timeout", 1, "slower than SUMMARIZER_TIMEOUT"},
	{"malformed", "malformed", 1, ""},
	{"refusal", "refusal", 1, ""},
	{"empty", "empty", 1, ""},
	{"length", "cut", 1, "its end is missing"},
	{"tool", "tool_call", 1, "no tool was offered"},
	{"huge", "too_large", 1, "no summary has 2 MB"},
	{"error", "upstream", 0, "a router's error, with status 200"},
}

// platform reports whether the failure depends on how the platform fetches and waits: waits, broken connections,
// timeouts and long answers. What an answer says does not.
func (row *failing) platform() bool {
	kind, _, _ := strings.Cut(row.script, ",")
	switch kind {
	case "ok", "429:retry-after-ms=300", "drop", "cut", slowModel, "huge":
		return true
	}
	return false
}

func testFailingModels(t *testing.T, p *place) {
	rows := failings
	if p.few {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row failing) bool { return !row.platform() })
	}
	for _, provider := range p.providers() {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			quick := p.withToken(provider)
			quick.env["SUMMARIZER_TIMEOUT"] = "5" // seconds: a request reaches the model meanwhile
			r, impatient := p.on(t, p.withToken(provider)), p.on(t, quick)
			answers := make([]*http.Response, len(rows))
			names, bodies := make([]string, len(rows)), make([]string, len(rows))
			var all sync.WaitGroup // most of the time they wait
			for i, row := range rows {
				names[i] = fmt.Sprintf("fails-%s-%d", provider, i)
				bodies[i] = request("harness", talk(names[i], 5000))
				at := r
				if row.script == slowModel {
					at = impatient
				}
				all.Go(func() {
					answers[i], _ = at.try(t.Context(), "POST", "/v1/compact", bodies[i], bearer(),
						"X-API-Key: "+key(names[i], row.script))
				})
			}
			all.Wait()
			for i, row := range rows {
				t.Run(row.script, func(t *testing.T) {
					require.NotNil(t, answers[i], "no answer came")
					got := reply{answers[i].StatusCode, answers[i].Header, readAll(t, answers[i])}
					row.check(t, got, bodies[i], len(p.models.calls(names[i])))
				})
			}
		})
	}
}

func (row *failing) check(t *testing.T, got reply, body string, calls int) {
	got.check(t, "POST")
	o := got.outcome(t)
	if row.calls > 0 {
		require.Equal(t, row.calls, calls, row.why)
	}
	if row.code == "" {
		require.Empty(t, o.Failures, row.why)
		byHand(t, body, nil).is(t, got)
		return
	}
	require.Len(t, o.Failures, 1)
	require.Equal(t, row.code, o.Failures[0].Code, "%s: %s", row.why, o.Failures[0].Message)
	require.NotContains(t, o.Failures[0].Message, marker)
	require.NotContains(t, o.Failures[0].Message, "127.0.0.1", "the address of the model is not shown to callers")
	byHand(t, body, func(r *wire.Request) wire.Result { return wire.Result{ID: r.ID, Err: o.Failures[0].Message} }).is(t,
		got)
}

// Cloudflare's models: the prompt selects the answer.
func testFailingAI(t *testing.T, p *place) {
	r := p.on(t, p.withToken("workers-ai"))
	for _, row := range []struct{ script, code, why string }{
		{"busy", "", "3040 is temporary"},
		{"newer", "", "the other shape of an answer"},
		{"spent", "upstream", "3036 is for the day"},
		{"unknown", "malformed", ""},
	} {
		t.Run(row.script, func(t *testing.T) {
			t.Parallel()
			o := r.ask(t, "POST", "/v1/compact", request("harness", talk("answer like "+row.script, 5000)), bearer()).outcome(t)
			if row.code == "" {
				require.Empty(t, o.Failures, row.why)
				return
			}
			require.Len(t, o.Failures, 1)
			require.Equal(t, row.code, o.Failures[0].Code, row.why)
		})
	}
}

// One summary of many fails: the others are used, and an event names the failed one.
func testOneOfMany(t *testing.T, p *place) {
	r := p.on(t, p.withToken("openai"))
	body := request("regions", talk("one of many", 100_000))
	all := r.stream(t, body, bearer(), "X-API-Key: "+key("oneofmany", "refusal,ok"))
	last := reply{status: 200, body: all[len(all)-1].data}
	o := last.outcome(t)
	require.Len(t, o.Failures, 1)
	byHand(t, body, func(r *wire.Request) wire.Result {
		if r.ID == o.Failures[0].ID {
			return wire.Result{ID: r.ID, Err: o.Failures[0].Message}
		}
		return wire.Result{ID: r.ID, Text: fake.Answer(r.User)}
	}).is(t, last)
	failed := 0
	for _, e := range all {
		if strings.Contains(e.data, `"error":"cannot summarize: the model refused`) && e.name == "summary" {
			failed++
			require.Contains(t, e.data, o.Failures[0].ID)
		}
	}
	require.Equal(t, 1, failed)
}

// If originals cannot be saved, nothing is compacted and no model is asked.
func testStoreDown(t *testing.T, p *place) {
	s := p.asking("anthropic", "TAMP_TOKEN", token)
	s.store = "down"
	r := p.on(t, s)
	for _, script := range []string{"ok", "400"} { // the model works, or fails too
		name := "storedown-" + script
		header := []string{bearer(), "X-API-Key: " + key(name, script)}
		body := request("harness", talk(name, 5000))
		got := r.ask(t, "POST", "/v1/compact", body, header...)
		require.Equal(t, 502, got.status)
		code, message := got.failure(t)
		require.Equal(t, archiveFailed, code)
		require.Contains(t, message, "nothing was changed")

		all := r.stream(t, body, header...)
		require.Equal(t, []string{"plan", "error"}, names(all))
		require.Equal(t, got.body, all[1].data)
		require.Empty(t, p.models.calls(name))
	}
	got := r.ask(t, "GET", "/v1/transcripts/0123456789abcdef", "", bearer())
	require.Equal(t, 502, got.status)
	require.Equal(t, 200, r.ask(t, "POST", "/v1/compact", small, bearer()).status, "with nothing to save it is not needed")
}

// Without a store, a trusted caller gets the archive in the response.
func testNoStore(t *testing.T, p *place) {
	r := p.on(t, p.asking("anthropic", "TAMP_TOKEN", token, "SUMMARY_TTL", "0"))
	body := request("harness", talk("no store", 5000))
	o := r.ask(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key("nostore", "ok")).outcome(t)
	require.Equal(t, string(byHand(t, body, nil).originals[0].Data), o.Archive)
	require.Empty(t, o.Transcripts)
	require.Equal(t, 404, r.ask(t, "GET", "/v1/transcripts/0123456789abcdef", "", bearer()).status)
}

// patience is how long a test waits for what comes at once on a quiet machine.
const patience = 30 * time.Second

// A client that disconnects stops the work: open requests are canceled, and no further ones are sent.
func testGone(t *testing.T, p *place) {
	s := p.withToken("anthropic")
	s.env["SUMMARIZER_TIMEOUT"] = "60"
	r := p.on(t, s)
	if r.workerd {
		t.Log("workerd on this machine notices only when it writes, unlike Cloudflare's: see testGoneStreaming")
		return
	}
	for _, accept := range []string{"text/event-stream", "application/json"} {
		name := "gone-" + accept[:4]
		answer, leave := r.leaver(t, accept, request("regions", talk(name, 100_000)), key(name, "ok:delay=50s"))
		require.Eventually(t, func() bool { return len(p.models.calls(name)) == defaultConcurrency }, patience,
			time.Millisecond)
		leave()
		<-answer
		require.Eventually(t, func() bool { return p.models.left(name) == defaultConcurrency }, patience, 5*time.Millisecond,
			"before the answers were ready")
		time.Sleep(200 * time.Millisecond)
		require.Len(t, p.models.calls(name), defaultConcurrency, "nothing more was asked")
		require.Equal(t, 200, r.ask(t, "GET", "/healthz", "").status)
	}
}

// The first event that cannot be written stops the work.
func testGoneStreaming(t *testing.T, p *place) {
	r := p.on(t, p.owned())
	body := request("regions", talk("leaves", 100_000))
	all := byHand(t, body, nil).requests
	require.Greater(t, all, 5)
	answer, leave := r.leaver(t, "text/event-stream", body, key("leaves", "ok:delay=200ms"))
	require.Eventually(t, func() bool { return len(p.models.calls("leaves")) > 0 }, patience, time.Millisecond)
	leave()
	<-answer
	time.Sleep(time.Duration(all) * 300 * time.Millisecond)
	require.Less(t, len(p.models.calls("leaves")), all, "it continued after the client had disconnected")
}

// leaver sends a compaction and reads its response; leave disconnects.
func (r *running) leaver(t *testing.T, accept, body, key string) (ended chan error, leave func()) {
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "POST", r.url+"/v1/compact", strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("X-API-Key", key)
	request.Header.Set("Accept", accept)
	ended = make(chan error, 1)
	go func() {
		answer, err := newClient().Do(request)
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		ended <- err
	}()
	return ended, leave
}

// The log entry has the figures of the response.
func testLogLine(t *testing.T, p *place) {
	r := p.on(t, p.withToken("openai"))
	got := r.ask(t, "POST", "/v1/compact", request("regions", talk("log line", 100_000)), bearer(),
		"X-API-Key: "+key("logline", "refusal,ok"))
	o := got.outcome(t)
	compact := r.logged(t, "compact", len(got.body))
	require.Equal(t, 200, compact.Status)
	require.Equal(t, []int{o.Before, o.After, len(p.models.calls("logline")), 0, 1},
		[]int{compact.Before, compact.After, compact.Summaries, compact.Cached, compact.Failed})

	got = r.ask(t, "POST", "/v1/observe",
		`{"usage":{"input_tokens":1000,"cache_read_input_tokens":3000,"output_tokens":5}}`, bearer())
	observe := r.logged(t, "observe", len(got.body))
	require.Equal(t, 750, *observe.CacheHitRate)
	require.Equal(t, 0, *observe.CompactCount)

	got = r.ask(t, "POST", "/v1/plan", "{", bearer())
	require.Equal(t, 400, r.logged(t, "plan", len(got.body)).Status)
}

// logged waits for the log entry of a response of that length, which another process may write.
func (r *running) logged(t *testing.T, op string, bytes int) (found logEntry) {
	require.Eventually(t, func() bool {
		for _, text := range strings.Split(r.printed(), "\n") {
			var l logEntry
			if json.Unmarshal([]byte(strings.TrimPrefix(text, "stdout ")), &l) == nil && l.Op == op && l.Bytes == bytes {
				found = l
				return true
			}
		}
		return false
	}, patience, 10*time.Millisecond)
	return found
}
