//go:build !js

package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
)

// Compactions that go well: POST /v1/compact answers what a host gets that goes round by hand.

func bearer() string { return "Authorization: Bearer " + token }

// Without a model, for strangers: the archive comes back in the answer.
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

// With each model; originals are kept, and everything that the new conversation names can be read back.
func testModels(t *testing.T, p *place) {
	for _, provider := range []string{"anthropic", "openai", "workers-ai"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			r := p.on(t, p.member(provider))
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
						require.Empty(t, call.Problems, "the real provider would have refused what was sent")
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

func (r *running) readsBack(t *testing.T, want done, o outcome) {
	for _, original := range want.originals {
		path := "/v1/transcripts/" + original.Ref
		got := r.ask(t, "GET", path, "", bearer())
		require.Equal(t, 200, got.status)
		require.Equal(t, "application/jsonl; charset=utf-8", got.header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="`+original.Ref+`.jsonl"`, got.header.Get("Content-Disposition"))
		require.True(t, string(original.Data) == got.body, "what was saved has changed")
		head := r.ask(t, "HEAD", path, "", bearer())
		require.Equal(t, 200, head.status)
		require.Empty(t, head.body)
		require.Equal(t, 401, r.ask(t, "GET", path, "").status, "it is a conversation: nobody reads it without the token")
	}
	for _, named := range transcript.FindAllStringSubmatch(string(o.Conversation), -1) {
		require.Contains(t, o.Transcripts, named[1])
	}
}

// Long inputs and outputs are set aside, each under a ref that stands in their place.
func testSetAside(t *testing.T, p *place) {
	r := p.on(t, p.member("anthropic"))
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

// The stream tells the same, in order: what is planned, what was saved BEFORE anything is asked, each summary, and the end.
func testStream(t *testing.T, p *place) {
	for _, provider := range []string{"extractive", "anthropic", "openai"} {
		r, header := p.on(t, plain), []string{jsonType}
		if provider != "extractive" {
			r, header = p.on(t, p.member(provider)), []string{jsonType, bearer(), "X-API-Key: " + key("stream-"+provider, "ok"), "Cache-Control: no-store"}
		}
		body := request("regions", talk("stream "+provider, 100_000))
		whole := r.ask(t, "POST", "/v1/compact", body, header...)
		all := r.stream(t, body, header...)
		require.Equal(t, []string{"plan", "saved", "summary", "done"}, names(all))
		require.Equal(t, whole.body, all[len(all)-1].data, "the end is the answer without a stream")

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
			require.Equal(t, summaryEvent{Round: 1, ID: summary.ID, Done: i + 1, Of: n, Tokens: summary.Tokens, Text: summary.Text}, summary)
			require.NotZero(t, summary.Tokens)
			require.NotEmpty(t, summary.Text)
			seen[summary.ID] = true
		}
		require.Len(t, seen, n, "each request once")
	}
}

// A conversation that needs two rounds tells both.
func testTwoRounds(t *testing.T, p *place) {
	r := p.on(t, plain)
	body := `{"preset":"hierarchical","force":true,"policy":{"summary":{"mergeAbove":1}},"conversation":` + talk("two rounds", 150_000) + `}`
	want := extracted(t, body)
	all := r.stream(t, body)
	require.Equal(t, []string{"plan", "saved", "summary", "plan", "saved", "summary", "done"}, names(all))
	want.is(t, reply{status: 200, body: all[len(all)-1].data})
}

// A summary that was made is used again, by members, as long as they want that.
func testReuse(t *testing.T, p *place) {
	for _, provider := range []string{"anthropic", "openai"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			r := p.on(t, p.member(provider))
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
			require.Equal(t, made, calls, "no-store left nothing behind")
			_, calls, first := ask()
			require.Zero(t, calls, "they are there")
			_, calls, second := ask("Cache-Control: max-age=0, No-Cache")
			require.Equal(t, made, calls, "no-cache makes them anew")
			require.Equal(t, first, second, "cached or not, the answer is the same")
			all := r.stream(t, body, bearer(), "X-API-Key: "+key(name, "ok"))
			require.Contains(t, all[2].data, `"cached":true`)
		})
	}
}

// Without a token nobody may use what others have paid for; with a lifetime of 0 nobody may at all.
func testNoReuse(t *testing.T, p *place) {
	for name, s := range map[string]setup{"stranger": p.asking("anthropic"), "ttl": p.asking("anthropic", "TAMP_TOKEN", token, "SUMMARY_TTL", "0")} {
		r := p.on(t, s)
		body := request("harness", talk("no reuse "+name, 5000))
		for range 2 {
			r.ask(t, "POST", "/v1/compact", body, bearer(), "X-API-Key: "+key("noreuse-"+name, "ok")).outcome(t)
		}
		require.Len(t, p.models.calls("noreuse-"+name), 2, name)
	}
}

// Keys go to the provider, each caller's own before the operator's, and nowhere else: checkLogs and ask look for them.
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
		{"one that is refused", p.asking("anthropic"), []string{"X-API-Key: bad-" + marker}, "bad-" + marker, badKey, "401 is final"},
		{"one that cannot be one", p.asking("anthropic"), []string{"X-API-Key: a " + marker}, "", badKey, "it is never sent"},
		{"one in the other protocol", p.member("openai"), []string{bearer(), "X-API-Key: " + own}, own, "", "as a bearer"},
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
