//go:build !js

package worker

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/models"
	"tamp/core/tokens"
	"tamp/core/tokens/vocab"
)

// Every kind of request counts exactly with a vocabulary that the server loads when it is first needed: in the kept
// instance, in an instance of its own, and when several requests need it at the same time.
func testExactCounters(t *testing.T, p *place) {
	server := p.on(t, replaying)
	text := strings.Repeat("Hello, world. 敏捷的棕色狐狸 jumps 😀 over lazy dogs. ", 40)
	content, err := json.Marshal(text)
	require.NoError(t, err)
	ask := func(t *testing.T, path, model, counter string) reply {
		return server.ask(t, "POST", path,
			`{"counter":"`+counter+`","conversation":{"model":"`+model+`","messages":[{"role":"user","content":`+
				string(content)+`},{"role":"assistant","content":"Yes."}]}}`, jsonType)
	}
	for _, name := range vocab.Names() {
		v, err := vocab.Load(name)
		require.NoError(t, err)
		model := map[string]string{"o200k_base": "gpt-4o", "cl100k_base": "gpt-4"}[name]
		profile := models.ProfileFor(model, "")
		want := v.Counter().Count(text) + v.Counter().Count("Yes.") + 2*profile.PerMessage
		for _, counter := range []string{name, "auto"} {
			var wait sync.WaitGroup
			for range 3 {
				wait.Go(func() {
					got := ask(t, "/v1/count", model, counter)
					var count tokens.Count
					if err := json.Unmarshal([]byte(got.body), &count); err != nil || count.Counter != name || count.Total != want ||
						!count.Exact {
						t.Errorf("%s, %s: want %d tokens of %s, got %s", model, counter, want, name, got.body)
					}
				})
			}
			wait.Wait()
		}
		for _, path := range []string{"/v1/compact", "/v1/replay", "/v1/plan"} {
			got := ask(t, path, model, name)
			require.Equal(t, 200, got.status, "%s %s: %s", path, name, got.body)
		}
		var plan struct{ Before int }
		require.NoError(t, json.Unmarshal([]byte(ask(t, "/v1/compact", model, name).body), &plan))
		require.Equal(t, want, plan.Before)
	}
	require.Contains(t, ask(t, "/v1/count", "claude-sonnet-4-5", "auto").body, `"counter":"estimate"`)
	got := ask(t, "/v1/count", "claude-sonnet-4-5", "claude")
	require.Equal(t, 400, got.status)
	require.Contains(t, got.body, `unknown counter; use estimate or auto`)
}
