package gateway

import (
	"fmt"
	"net/http"
	"strings"
)

// isSubscription reports whether a client has logged in with a subscription: Claude Code sends a token of OAuth, not an
// API key; Codex sends the account of ChatGPT. A call then has no price.
func isSubscription(h http.Header) bool {
	return strings.HasPrefix(h.Get("Authorization"), "Bearer sk-ant-oat") || h.Get("Chatgpt-Account-Id") != ""
}

// credential is the client's own credential of the provider, which each API has in another place.
func credential(h http.Header, e *endpoint) string {
	var all []string
	for _, name := range credentials {
		all = append(all, h.Get(name))
	}
	return fmt.Sprintf("%q %q", all, e.key)
}

// credentials are the headers by which a provider or a gateway in front of it knows the caller.
var credentials = [...]string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie",
	"Ocp-Apim-Subscription-Key", "X-Portkey-Api-Key", "Cf-Aig-Authorization"}
