//go:build !js

package worker

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
)

// Compactions without failures: POST /v1/compact returns the same as a host that runs the loop itself.

func bearer() string { return "Authorization: Bearer " + token }

// Without a model and a token: the response contains the archive.
func testExtractive(t *testing.T, p *place) {
	r := p.on(t, plain)
	for _, preset := range wire.Presets() {
		body := request(preset, talk("extractive "+preset, 100_000))
		want := extracted(t, body)
		got := r.ask(t, "POST", "/v1/compact", body)
		want.is(t, got)
		o := got.outcome(t)
		require.Empty(t, o.Transcripts)
		require.Empty(t, o.Failures)
		archive := ""
		if len(want.originals) > 0 {
			archive = string(want.originals[0].Data)
		}
		require.Equal(t, archive, o.Archive, preset)
	}
}

// With each model: originals are stored, and every ref in the new conversation can be read.
func testModels(t *testing.T, p *place) {
	for _, provider := range []string{"anthropic", "openai", "workers-ai"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			r := p.on(t, p.withToken(provider))
			for _, preset := range []string{"harness", "regions"} {
				name := provider + "-" + preset
				body := request(preset, talk("well "+name, 100_000))
				want := byHand(t, body, nil)
				got := r.ask(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key(name, "ok"), jsonType)
				want.is(t, got)
				o := got.outcome(t)
				require.Empty(t, o.Failures)
				require.Empty(t, o.Archive)
				require.Less(t, o.After, o.Before)
				require.ElementsMatch(t, want.refs(), o.Transcripts)
				if provider != "workers-ai" {
					calls := p.models.calls(name)
					require.Len(t, calls, want.requests)
					for _, call := range calls {
						require.Empty(t, call.Problems, "the real provider would have refused the request")
					}
				}
				r.readsBack(t, want, o)
			}
		})
	}
}

var (
	refs       = regexp.MustCompile(`[0-9a-f]{16}`)
	transcript = regexp.MustCompile(`Transcript: ([^"\\\s\]]+)`)
)

func (r *running) readsBack(t *testing.T, want expected, o outcome) {
	for _, original := range want.originals {
		path := "/v1/transcripts/" + original.Ref
		got := r.ask(t, "GET", path, "", bearer())
		require.Equal(t, 200, got.status)
		require.Equal(t, "application/jsonl; charset=utf-8", got.header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="`+original.Ref+`.jsonl"`, got.header.Get("Content-Disposition"))
		require.True(t, string(original.Data) == got.body, "the stored original differs")
		head := r.ask(t, "HEAD", path, "", bearer())
		require.Equal(t, 200, head.status)
		require.Empty(t, head.body)
		require.Equal(t, 401, r.ask(t, "GET", path, "").status, "a conversation needs the token")
	}
	for _, named := range transcript.FindAllStringSubmatch(string(o.Conversation), -1) {
		require.Contains(t, o.Transcripts, named[1])
	}
}

// Long inputs and outputs are stored, and their place in the conversation has the ref.
func testSetAside(t *testing.T, p *place) {
	r := p.on(t, p.withToken("anthropic"))
	long := strings.Repeat(marker+" a line of output\n", 500)
	text, err := json.Marshal(long)
	require.NoError(t, err)
	body := `{"preset":"balanced","policy":{"intake":{"maxBytes":1000,"maxChars":1000}},"conversation":[{"role":"user","content":` + string(text) + `},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":` + string(text[:len(text)-1]) + ` end"}]},{"role":"assistant","content":"Seen."}]}`
	want := byHand(t, body, nil)
	got := r.ask(t, "POST", "/v1/compact", body, bearer())
	want.is(t, got)
	o := got.outcome(t)
	require.Len(t, o.Transcripts, 3, "the archive, the input and the output")
	named := refs.FindAllString(string(o.Conversation), -1)
	require.Len(t, named, 2)
	for _, ref := range named {
		require.Contains(t, o.Transcripts, ref)
		require.True(t, strings.HasPrefix(r.ask(t, "GET", "/v1/transcripts/"+ref, "", bearer()).body, long))
	}
	r.readsBack(t, want, o)
}

// The events of the stream in order: the plan, the saved originals BEFORE any request to a model, each summary, the
// end.
func testStream(t *testing.T, p *place) {
	for _, provider := range []string{"extractive", "anthropic", "openai"} {
		r, header := p.on(t, plain), []string{jsonType}
		if provider != "extractive" {
			r, header = p.on(t, p.withToken(provider)),
				[]string{jsonType, bearer(), "X-API-Key: " + key("stream-"+provider, "ok"), "Cache-Control: no-store"}
		}
		body := request("regions", talk("stream "+provider, 100_000))
		whole := r.ask(t, "POST", "/v1/compact", body, header...)
		all := r.stream(t, body, header...)
		require.Equal(t, []string{"plan", "saved", "summary", "done"}, names(all))
		require.Equal(t, whole.body, all[len(all)-1].data, "the last event is the response without a stream")

		o := whole.outcome(t)
		n := len(all) - 3
		require.Greater(t, n, 2)
		var plan struct {
			Round int
			Plan  struct{ Requests []wire.Request }
		}
		require.NoError(t, json.Unmarshal([]byte(all[0].data), &plan))
		require.Equal(t, 1, plan.Round)
		require.Len(t, plan.Plan.Requests, n)
		require.NotContains(t, all[0].data, marker, "prompts stay inside")
		var saved savedEvent
		require.NoError(t, json.Unmarshal([]byte(all[1].data), &saved))
		require.Equal(t, savedEvent{1, saved.Bytes, provider != "extractive", o.Transcripts}, saved)
		require.NotZero(t, saved.Bytes)
		seen := map[string]bool{}
		for i, e := range all[2 : 2+n] {
			var summary summaryEvent
			require.NoError(t, json.Unmarshal([]byte(e.data), &summary))
			require.Equal(t, summaryEvent{Round: 1, ID: summary.ID, Done: i + 1, Of: n, Tokens: summary.Tokens,
				Text: summary.Text}, summary)
			require.NotZero(t, summary.Tokens)
			require.NotEmpty(t, summary.Text)
			seen[summary.ID] = true
		}
		require.Len(t, seen, n, "each request once")
	}
}

// The stream of a compaction with two rounds has the events of both.
func testTwoRounds(t *testing.T, p *place) {
	r := p.on(t, plain)
	body := `{"preset":"hierarchical","force":true,"policy":{"summary":{"mergeAbove":1}},"conversation":` +
		talk("two rounds", 150_000) + `}`
	want := extracted(t, body)
	all := r.stream(t, body)
	require.Equal(t, []string{"plan", "saved", "summary", "plan", "saved", "summary", "done"}, names(all))
	want.is(t, reply{status: 200, body: all[len(all)-1].data})
}

// Summaries are reused for trusted callers, unless Cache-Control forbids it.
func testReuse(t *testing.T, p *place) {
	for _, provider := range []string{"anthropic", "openai"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			r := p.on(t, p.withToken(provider))
			name := "reuse-" + provider
			body := request("regions", talk(name, 100_000))
			ask := func(header ...string) (outcome, int, string) {
				before := len(p.models.calls(name))
				got := r.ask(t, "POST", "/v1/compact", body, append(header, bearer(), "X-API-Key: "+key(name, "ok"))...)
				return got.outcome(t), len(p.models.calls(name)) - before, got.body
			}
			_, made, _ := ask("Cache-Control: no-store")
			require.Greater(t, made, 2)
			_, calls, _ := ask()
			require.Equal(t, made, calls, "no-store stored nothing")
			_, calls, first := ask()
			require.Zero(t, calls, "the summaries are cached")
			_, calls, second := ask("Cache-Control: max-age=0, No-Cache")
			require.Equal(t, made, calls, "no-cache requests them again")
			require.Equal(t, first, second, "cached or not, the answer is the same")
			all := r.stream(t, body, bearer(), "X-API-Key: "+key(name, "ok"))
			require.Contains(t, all[2].data, `"cached":true`)
		})
	}
}

// Callers without the token do not get cached summaries; with a lifetime of 0 no caller does.
func testNoReuse(t *testing.T, p *place) {
	for name, s := range map[string]setup{"stranger": p.asking("anthropic"),
		"ttl": p.asking("anthropic", "TAMP_TOKEN", token, "SUMMARY_TTL", "0")} {
		r := p.on(t, s)
		body := request("harness", talk("no reuse "+name, 5000))
		for range 2 {
			r.ask(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key("noreuse-"+name, "ok")).outcome(t)
		}
		require.Len(t, p.models.calls("noreuse-"+name), 2, name)
	}
}

// Keys are sent to the provider only, the caller's in preference to the operator's. checkLogs and ask search elsewhere.
func testKeys(t *testing.T, p *place) {
	closed := p.closed()
	own := key("own", "ok")
	for _, row := range []struct {
		name   string
		on     setup
		header []string
		key    string
		code   string
		why    string
	}{
		{"a stranger's own", closed, []string{"X-API-Key: " + own}, own, "", "costs the operator nothing"},
		{"the operator's, for a member", p.owned(), []string{bearer()}, operatorKey, "", ""},
		{"a member's own", p.owned(), []string{bearer(), "X-API-Key: " + own}, own, "", ""},
		{"none at all", p.asking("anthropic"), nil, "", summarizerFailed, "nothing is asked"},
		{"one that is refused", p.asking("anthropic"), []string{"X-API-Key: bad-" + marker}, "bad-" + marker, badKey,
			"401 is final"},
		{"one that cannot be sent", p.asking("anthropic"), []string{"X-API-Key: a " + marker}, "", badKey,
			"it is never sent"},
		{"one in the other protocol", p.withToken("openai"), []string{bearer(), "X-API-Key: " + own}, own, "", "as a bearer"},
	} {
		t.Run(row.name, func(t *testing.T) {
			body := request("harness", talk("keys "+row.name, 5000))
			loop, err := new(wire.Engine).Start([]byte(body))
			require.NoError(t, err)
			got := p.on(t, row.on).ask(t, "POST", "/v1/compact", body, row.header...)
			require.NotContains(t, strings.ReplaceAll(got.body, marker+" keys", ""), "|ok|")
			if row.code == "" {
				require.Empty(t, got.outcome(t).Failures)
			} else {
				code, _ := got.failure(t)
				require.Equal(t, row.code, code, row.why)
				require.Equal(t, statusOf[row.code], got.status)
			}
			var keys []string
			for _, c := range p.models.Calls() {
				if strings.Contains(string(c.Body), "keys "+row.name+".") {
					keys = append(keys, c.Key)
					require.NotContains(t, c.Header, "Cookie")
				}
			}
			if row.key == "" {
				require.Empty(t, keys, row.why)
			} else {
				require.Equal(t, []string{row.key}, keys, row.why)
			}
			require.Len(t, loop.Requests(), 1)
		})
	}
}
