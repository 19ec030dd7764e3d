package gateway

import (
	"net/http"
	"net/url"
	"strings"
)

// On Cloudflare, worker.mjs sends the forwarded request and pipes the response. It asks this program three times at
// most: Route before the body is read, Compact with the body, and Retry with the body and the provider's error. Each
// call is synchronous and keeps nothing.

// Route says where a request goes.
type Route struct {
	Status  int         `json:"status,omitempty"` // not 0: the gateway answers itself, with Reason and Message
	Reason  string      `json:"reason"`           // x-tamp if the body is forwarded unread
	Message string      `json:"message,omitempty"`
	URL     string      `json:"url,omitempty"`
	Headers http.Header `json:"-"`     // of the forwarded request
	Reads   bool        `json:"reads"` // the body may be compacted
}

// Route reads method, address and headers of a request. ok is false if the path names no upstream.
func (g *Gateway) Route(method, address string, h http.Header) (r Route, ok bool) {
	target, err := url.Parse(address)
	if err != nil {
		return r, false
	}
	u, rest := find(g.Upstreams, target.EscapedPath())
	if u == nil {
		return r, false
	}
	if !g.authorized(h) {
		return Route{Status: http.StatusUnauthorized, Reason: "error reason=unauthorized",
			Message: "send the token of this gateway in the header x-tamp-token"}, true
	}
	r = Route{Reason: "passed reason=" + reasonNoHistory, URL: u.target(rest, target.RawQuery),
		Headers: withoutPlatform(requestHeaders(h))}
	switch {
	case endpointOf(method, rest) == nil:
	case encoded(h):
		r.Reason = "passed reason=" + reasonEncoded
	default:
		r.Reads, r.Reason = true, "passed reason="+reasonTooLarge
	}
	return r, true
}

// withoutPlatform removes the headers that Cloudflare adds to a request of a client, and the empty user agent, which
// only net/http needs.
func withoutPlatform(h http.Header) http.Header {
	for name := range h {
		if strings.HasPrefix(name, "Cf-") {
			h.Del(name)
		}
	}
	for _, name := range []string{"Cdn-Loop", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-Ip"} {
		h.Del(name)
	}
	if h.Get("User-Agent") == "" {
		h.Del("User-Agent")
	}
	return h
}

func encoded(h http.Header) bool {
	encoding := h.Get("Content-Encoding")
	return encoding != "" && !strings.EqualFold(encoding, "identity")
}

// Compacted is the result of Compact and Retry.
type Compacted struct {
	Note  string `json:"note"` // x-tamp
	Entry Entry  `json:"entry"`
	Again bool   `json:"again"` // of Retry: send the body; else the provider's error is passed on
}

// Compact compacts the body of a request for which Route has Reads. It returns nil as the body if nothing changed.
func (g *Gateway) Compact(method, address string, h http.Header, body []byte) (Compacted, []byte) {
	p := g.edgePrepare(method, address, h, body)
	if p.Reason != "" {
		return g.compacted(address, p, ""), nil
	}
	return g.compacted(address, p, ""), p.Body
}

// Retry decides after the provider refused a request with status 400 or 413 and the text of its error.
func (g *Gateway) Retry(method, address string, h http.Header, body []byte, status int, text []byte) (Compacted,
	[]byte) {
	p := g.edgePrepare(method, address, h, body)
	retried := g.retry(p, h, nil, status, text)
	c := g.compacted(address, p, retried)
	c.Again = retried != ""
	return c, p.Body
}

func (g *Gateway) edgePrepare(method, address string, h http.Header, body []byte) *Prepared {
	target, err := url.Parse(address)
	if err != nil {
		return &Prepared{Body: body, Reason: reasonNoHistory}
	}
	_, rest := find(g.Upstreams, target.EscapedPath())
	e := endpointOf(method, rest)
	if e == nil {
		return &Prepared{Body: body, Reason: reasonNoHistory}
	}
	return g.Prepare(e, h, body, nil)
}

func (g *Gateway) compacted(address string, p *Prepared, retried string) Compacted {
	c := Compacted{Note: p.Note(), Entry: Entry{Op: "gateway", Sent: len(p.Body), Retried: retried}}
	if target, err := url.Parse(address); err == nil {
		if u, _ := find(g.Upstreams, target.EscapedPath()); u != nil {
			c.Entry.Upstream = u.Name
		}
	}
	c.Entry.describe(p)
	return c
}

// describe adds the figures of a prepared request.
func (e *Entry) describe(p *Prepared) {
	if e.Reason == "" {
		e.Reason = p.Reason
	}
	r := p.Result
	if r == nil {
		return
	}
	e.Before, e.After, e.Cleared, e.Summaries, e.Cause = r.Before, r.After, r.Cleared, r.Summaries, r.Cause
	if p.Hit {
		e.Checkpoint = "hit"
	}
}
