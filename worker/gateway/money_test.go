//go:build !js

package gateway

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// With the login of a subscription a call has no price, so nothing is cleared before a limit, unless the policy says
// so.
func TestSubscriptionsAreCompactedAtTheLimitsOnly(t *testing.T) {
	body := strings.ReplaceAll(history(70, 1500, ""), `"name":"read"`, `"name":"query"`) // files wait
	forwarded := func(t *testing.T, settings []string, headers ...string) string {
		p := newProvider(t, ok)
		s := start(t, p.URL, settings...)
		response, text := s.post(t, "/up/v1/messages", body, headers...)
		require.Equal(t, 200, response.StatusCode, text)
		_, sent := p.last()
		return string(sent)
	}
	window := []string{"GATEWAY_POLICY", `{"trigger":{"window":400000}}`}
	require.Less(t, len(forwarded(t, window, "X-Api-Key", "sk-ant-api03-x")), len(body))
	require.Less(t, len(forwarded(t, window, "Authorization", "Bearer sk-ant-api03-x")), len(body))
	require.Equal(t, body, forwarded(t, window, "Authorization", "Bearer sk-ant-oat01-x"))
	require.Equal(t, body, forwarded(t, window, "ChatGPT-Account-ID", "x"))
	tokens := `{"trigger":{"window":400000},"money":"tokens"}`
	for _, settings := range [][]string{{"GATEWAY_POLICY", tokens}} {
		require.Less(t, len(forwarded(t, settings, "Authorization", "Bearer sk-ant-oat01-x")), len(body))
	}
	require.Less(t, len(forwarded(t, nil, "Authorization", "Bearer sk-ant-oat01-x", "X-Tamp-Policy", tokens)), len(body))
	require.Less(t, len(forwarded(t, []string{"GATEWAY_POLICY", `{"trigger":{"window":80000}}`},
		"Authorization", "Bearer sk-ant-oat01-x")), len(body), "over the limit")
}
