//go:build !js

package worker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Permanent failures of the summarizer are errors of the whole compaction: no message is dropped for a wrong key.

// permanentRow is one response of the provider and the expected error.
type permanentRow struct {
	script string
	own    string // code if the caller's own key was used
	theirs string // code if the operator's key was used
	names  string // what the message names, of the operator's
}

// platform reports whether the response depends on how the platform fetches. A status does not.
func (row *permanentRow) platform() bool { return row.script == "redirect" || row.script == "401" }

var permanentRows = []permanentRow{
	{"400", refusedRequest, refusedRequest, "SUMMARIZER_MODEL"},
	{"401", badKey, summarizerFailed, "SUMMARIZER_API_KEY"},
	{"402", badKey, summarizerFailed, "SUMMARIZER_API_KEY"},
	{"403", badKey, summarizerFailed, "SUMMARIZER_API_KEY"},
	{"404", summarizerFailed, summarizerFailed, "SUMMARIZER_MODEL"},
	{"405", summarizerFailed, summarizerFailed, "SUMMARIZER_BASE_URL"},
	{"413", refusedRequest, refusedRequest, "SUMMARIZER_MODEL"},
	{"422", refusedRequest, refusedRequest, "SUMMARIZER_MODEL"},
	{"redirect", summarizerFailed, summarizerFailed, "SUMMARIZER_BASE_URL"},
}

func testPermanentFailures(t *testing.T, p *place) {
	require.Equal(t, []int{400, 422, 502}, []int{statusOf[badKey], statusOf[refusedRequest], statusOf[summarizerFailed]})
	for _, provider := range p.providers() {
		for i, row := range permanentRows {
			if p.few && !row.platform() {
				continue
			}
			t.Run(provider+" "+row.script, func(t *testing.T) {
				t.Parallel()
				name := fmt.Sprintf("permanent-%s-%d", provider, i)
				r := p.on(t, p.withToken(provider))
				message := r.failsFor(t, name, row.own, bearer(), "X-API-Key: "+key(name, row.script))
				require.Len(t, p.models.calls(name), 2, "asked once for each answer: it would fail again")
				if row.own == badKey {
					require.Contains(t, message, "x-api-key")
					require.Contains(t, message, row.script)
				}
				name += "-operator"
				s := p.withToken(provider)
				s.env["SUMMARIZER_API_KEY"] = key(name, row.script)
				message = p.on(t, s).failsFor(t, name, row.theirs, bearer())
				require.Len(t, p.models.calls(name), 2)
				require.Contains(t, message, row.names)
			})
		}
		t.Run(provider+", a key that no header takes", func(t *testing.T) {
			t.Parallel()
			name := "permanent-tab-" + provider
			message := p.on(t, p.withToken(provider)).failsFor(t, name, badKey, bearer(), "X-API-Key: "+key(name, "ok")+"\tx")
			require.Contains(t, message, "x-api-key")
			require.Empty(t, p.models.calls(name))
		})
	}
}

// failsFor sends a compaction, without and with an event stream, that must end with an error of that code only. It
// returns the message.
func (r *running) failsFor(t *testing.T, name, want string, header ...string) string {
	body := request("harness", talk(name, 5000))
	got := r.ask(t, "POST", "/v1/compact", body, header...)
	code, message := got.failure(t)
	require.Equal(t, want, code, message)
	require.Equal(t, statusOf[want], got.status)
	require.Contains(t, message, "nothing was changed")
	require.NotContains(t, message, "127.0.0.1")
	require.NotContains(t, message, "the script says so", "the provider's own words may quote a key")
	require.Empty(t, got.header.Get("WWW-Authenticate"), "the token of this server is not wrong")
	if want == badKey && strings.Contains(message, "characters") {
		return message // known before there is a stream
	}
	all := r.stream(t, body, header...)
	require.Equal(t, []string{"plan", "saved", "error"}, names(all))
	require.Equal(t, got.body, all[len(all)-1].data)
	return message
}

// One region of many fails permanently: no region is summarized, and the model is not asked for the rest.
func testPermanentFailureOfOne(t *testing.T, p *place) {
	r := p.on(t, p.owned()) // one request at a time
	body := request("regions", talk("permanent one", 100_000))
	requests := byHand(t, body, nil).requests
	require.Greater(t, requests, 3)
	got := r.ask(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key("permanentone", "ok,413,ok"),
		"Cache-Control: no-store")
	code, _ := got.failure(t)
	require.Equal(t, refusedRequest, code)
	require.Less(t, len(p.models.calls("permanentone")), requests)
	compact := r.logged(t, "compact", len(got.body))
	require.Equal(t, []int{422, 1}, []int{compact.Status, compact.Failed})
	require.Zero(t, compact.After, "no outcome")
}

// Workers AI without its binding, and the errors of its binding.
func testNoBinding(t *testing.T, p *place) {
	s := p.withToken("workers-ai")
	s.ai = false
	r := p.on(t, s)
	got := r.ask(t, "POST", "/v1/compact", request("harness", talk("no binding", 5000)), bearer())
	code, message := got.failure(t)
	require.Equal(t, summarizerFailed, code)
	require.Contains(t, message, "binding AI")
	require.Equal(t, 200, r.ask(t, "POST", "/v1/compact", small, bearer()).status, "no model is asked")

	r = p.on(t, p.withToken("workers-ai"))
	for name, want := range map[string]string{"no plan": summarizerFailed, "no model": summarizerFailed,
		"a long one": refusedRequest} {
		got := r.ask(t, "POST", "/v1/compact", request("harness", talk("answer like "+name, 5000)), bearer())
		code, message := got.failure(t)
		require.Equal(t, want, code, message)
		require.Contains(t, message, "SUMMARIZER_MODEL")
	}
}
