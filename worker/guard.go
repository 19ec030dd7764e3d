package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
)

// Who may do what:
//   - Everyone may see /healthz and /v1, and ask what is allowed (OPTIONS).
//   - With a token set, all else needs it.
//   - Without one, strangers get what costs the operator nothing: the pure operations, and compactions without a model or on
//     the caller's own key, whose originals go back in the answer. The store, and the operator's key, stay closed; the store is
//     open where only this machine can connect.
//   - Replays, which take the time of hundreds of other requests, need the token, unless OPEN_REPLAY opens them to strangers or
//     only this machine can connect.

// headers that every answer of the API has. It is data: nothing may run it, frame it, guess its type or keep it.
var headers = map[string]string{
	"Cache-Control":                "no-store",
	"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"Strict-Transport-Security":    "max-age=31536000", // browsers heed it on https only
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// cors lets pages elsewhere call, where the operator allows it. There are no cookies, so nothing is sent that the page did not
// itself have.
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

// preflight answers what a browser asks before it lets a page call.
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

// admit wants the token where one is set.
func (s *server) admit(r *http.Request) error {
	if s.config.Token == "" || s.hasToken(r) {
		return nil
	}
	return refusal(unauthorized, "", "cannot answer: send the token of this server as Authorization: Bearer …")
}

// mayReplay reports whether the sessions of this caller are replayed.
func (s *server) mayReplay(r *http.Request) bool {
	return s.config.Trusted || s.config.OpenReplay || s.member(r)
}

// member reports a caller for whom the operator's own things may be used.
func (s *server) member(r *http.Request) bool { return s.config.Token != "" && s.hasToken(r) }

func (s *server) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	// Of equal length, so that the time it takes tells nothing of the token's length either.
	want, got := sha256.Sum256([]byte(s.config.Token)), sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// mayStore reports whether originals may be kept for this caller.
func (s *server) mayStore(r *http.Request) bool { return s.config.Trusted || s.member(r) }
