package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/policy"
)

// The beta context-1m gives the models that had it their large window; a window of the policy stays.
func TestLargeWindowByBeta(t *testing.T) {
	beta := http.Header{}
	beta.Add("Anthropic-Beta", "interleaved-thinking-2025-05-14")
	beta.Add("Anthropic-Beta", "context-1m-2025-08-07,other-beta")
	for model, want := range map[string]int{"claude-sonnet-4-5": 1_000_000, "claude-opus-4-5": 200_000,
		"claude-opus-4-8": 1_000_000, "a-model-of-my-own": 200_000} {
		body := []byte(`{"model":"` + model + `","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`)
		p, err := policy.Preset(policy.Default)
		require.NoError(t, err)
		g := &Gateway{Config: Config{Policy: p}}
		e := endpointOf(http.MethodPost, "/v1/messages", false)
		require.Equal(t, want, g.Prepare(t.Context(), &Upstream{}, e, beta, body, nil, nil).policy.Trigger.Window, model)
		require.Zero(t, g.Prepare(t.Context(), &Upstream{}, e, http.Header{}, body, nil, nil).policy.Trigger.Window, model)
		g.Policy.Trigger.Window = 5000
		require.Equal(t, 5000, g.Prepare(t.Context(), &Upstream{}, e, beta, body, nil, nil).policy.Trigger.Window, model)
	}
}

// System prompt and tools that alone are over the window: no plan is made, the request passes, and the reason says so.
func TestNothingFitsTheWindow(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", window40)
	body := strings.Replace(history(200, 1500, ""), `"messages"`, `"system":"`+strings.Repeat("A rule of the house. ", 20_000)+
		`","messages"`, 1)
	response, _ := s.post(t, "/up/v1/messages", body)
	require.Regexp(t, `^passed reason=context_overflow .* warning=context_overflow$`, response.Header.Get("X-Tamp"))
	_, sent := up.last()
	require.Equal(t, body, string(sent))
}
