package worker

import (
	"net/http"
	"slices"
	"strings"

	"tamp/worker/gateway"
)

// Access rules. A trusted caller is one that sends the configured token.
//   - /healthz, /v1 and preflight requests (OPTIONS) are public.
//   - If a token is configured, everything else needs it.
//   - If no token is configured, callers may use what costs the operator nothing: the pure operations, and compactions
//     without a model or with the caller's key. The response then contains the originals. The operator's key and the
//     store are not used for them, except that the store is open if only this machine can connect.
//   - Replays take as long as hundreds of other requests. They need the token, unless OPEN_REPLAY is set or only this
//     machine can connect.

// headers are set on every response of the API. Responses are data: no browser may run, frame, sniff or cache them.
var headers = map[string]string{
	"Cache-Control":                "no-store",
	"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"Strict-Transport-Security":    "max-age=31536000", // browsers apply it on https only
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// cors lets pages of the allowed origins call the API. The API has no cookies, so a request carries only what the page
// has.
func (s *server) cors(h http.Header, r *http.Request) {
	origin := r.Header.Get("Origin")
	switch {
	case slices.Contains(s.config.Origins, "*"):
		h.Set("Access-Control-Allow-Origin", "*")
	case len(s.config.Origins) == 0:
		return
	default:
		h.Add("Vary", "Origin")
		if origin == "" || !slices.Contains(s.config.Origins, origin) {
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
	}
	h.Set("Access-Control-Expose-Headers", "Retry-After")
}

// preflight answers the OPTIONS request that a browser sends before a cross-origin call.
func (s *server) preflight(a *answer, methods string) {
	h := a.w.Header()
	h.Set("Allow", methods)
	if h.Get("Access-Control-Allow-Origin") != "" {
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Cache-Control, Content-Type, X-API-Key")
		h.Set("Access-Control-Max-Age", "86400")
	}
	a.status = http.StatusNoContent
	a.w.WriteHeader(a.status)
}

// authorize returns an error if a token is configured and the request does not have it.
func (s *server) authorize(r *http.Request) error {
	if s.config.Token == "" || s.hasToken(r) {
		return nil
	}
	return newError(unauthorized, "", "cannot answer: send the token of this server as Authorization: Bearer …")
}

// mayReplay reports whether this caller may replay sessions.
func (s *server) mayReplay(r *http.Request) bool {
	return s.config.Trusted || s.config.OpenReplay || s.isTrusted(r)
}

// isTrusted reports whether the operator's key, store and cache may be used for this caller.
func (s *server) isTrusted(r *http.Request) bool { return s.config.Token != "" && s.hasToken(r) }

func (s *server) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && gateway.IsToken(s.config.Token, strings.TrimSpace(token))
}

// mayStore reports whether originals may be stored for this caller.
func (s *server) mayStore(r *http.Request) bool { return s.config.Trusted || s.isTrusted(r) }
