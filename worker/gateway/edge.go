package gateway

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
)

// On Cloudflare, worker.mjs sends the forwarded request and pipes the response. It asks this program four times at
// most: Route before the body is read, Names if checkpoints can be stored, Compact with the body, and Retry with the
// body and the provider's error. Each call is synchronous and keeps nothing. A request that needs the summary of a
// model gets an instance of its own for Compact and Retry, and Background runs there after the response.

// Route says where a request goes.
type Route struct {
	Status  int         `json:"status,omitempty"` // not 0: the gateway answers itself, with Reason and Message
	Reason  string      `json:"reason"`           // x-tamp if the body is forwarded unread
	Message string      `json:"message,omitempty"`
	URL     string      `json:"url,omitempty"`
	Headers http.Header `json:"-"`                // of the forwarded request
	Reads   bool        `json:"reads"`            // the body may be compacted
	Coding  string      `json:"coding,omitempty"` // … after it is decoded
	Entry   Entry       `json:"entry"`            // of the log, if the body is forwarded unread
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
	e := endpointOf(method, rest, u.Plain).with(target.Query())
	entry := Entry{Op: "gateway", Upstream: u.Name}
	if e != nil {
		entry.Model = modelName(e.model)
		entry.Session = sessionID(g.salt(), h, &Prepared{credential: credential(h, e)})
	}
	defer func() {
		r.Entry = entry
		_, r.Entry.Reason, _ = strings.Cut(r.Reason, "reason=")
	}()
	if no := g.check(method, target, rest, h, u.Plain); no != nil {
		return Route{Status: no.status, Reason: "error reason=" + no.reason, Message: no.sentence}, true
	}
	r = Route{Reason: "passed reason=" + unread(method), URL: u.target(rest, target.RawQuery),
		Headers: withoutPlatform(requestHeaders(h))}
	coding := codingOf(h)
	switch {
	case isWebSocket(method, h):
		if endpointOf(http.MethodPost, rest, u.Plain) != nil {
			return Route{Status: http.StatusUpgradeRequired, Reason: "error reason=" + reasonWebSocket,
				Message: noWebSocket}, true
		}
		r.Headers.Set("Upgrade", "websocket")
	case e == nil:
	case coding != "" && !decodes(coding):
		r.Reason = "passed reason=" + reasonEncoded
		readableOnly(r.Headers)
	default:
		r.Reads, r.Reason, r.Coding = true, "passed reason="+reasonTooLarge, coding
		readableOnly(r.Headers)
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

// Compacted is the result of Compact and Retry.
type Compacted struct {
	Note   string   `json:"note"` // x-tamp
	Entry  Entry    `json:"entry"`
	Again  bool     `json:"again"`           // of Retry: send the body; else the provider's error is passed on
	Name   string   `json:"name"`            // of the checkpoint to store; "": none
	Status int      `json:"status"`          // if it is not 0: the body is the gateway's own response
	Type   string   `json:"type"`            // of the gateway's own response
	Member string   `json:"member"`          // of a plain upstream: to add to the response, as `,"name":value`; "": nothing
	Block  string   `json:"block"`           // … the first block of the content; "": none
	Events string   `json:"events"`          // … in a stream, its events
	Slow   bool     `json:"slow,omitempty"`  // of Compact: ask again in an instance that may wait for a model
	Job    string   `json:"job,omitempty"`   // … the session for which Background should be called
	Betas  []string `json:"betas,omitempty"` // values of anthropic-beta to add to the forwarded request

	Checkpoint []byte `json:"-"`
	prepared   *Prepared
}

// Request is what worker.mjs passes of a request for which Route has Reads.
type Request struct {
	Method, Address string
	Header          http.Header
	Body            []byte
	Find            func(name string) []byte // of a checkpoint; nil: none is stored
}

// Compact compacts the body. It returns nil if nothing changed.
func (g *Gateway) Compact(r Request) (Compacted, []byte) {
	body := r.Body
	_, e := r.endpoint(g)
	if e != nil && e.suffix == compactPath {
		return g.compactItems(r)
	}
	p := g.edgePrepare(&r)
	c := g.compacted(&r, p, "")
	if p.wait != nil {
		if c.Slow = p.wait.elsewhere; c.Slow {
			return c, nil
		}
		if p.wait.loop != nil {
			c.prepared, c.Job = p, g.keys(p)[0]
		}
	}
	if status, own, kind := p.own(); status != 0 {
		c.Status, c.Type = status, kind
		return c, own
	}
	c.add(p, e)
	if p.Reason != "" && bytes.Equal(p.Body, body) {
		return c, nil
	}
	return c, p.Body
}

// Background requests the summaries that Compact did not wait for, and returns when they are stored.
func (g *Gateway) Background(c *Compacted) {
	if c.prepared != nil {
		g.Summaries.start(c.prepared)
		g.Summaries.Wait()
	}
}

// compactItems answers POST …/responses/compact.
func (g *Gateway) compactItems(r Request) (Compacted, []byte) {
	p := &Prepared{Body: r.Body, budget: g.budget(context.Background())}
	body, reason := g.compaction(p, r.Header)
	c := g.compacted(&r, p, "")
	if c.Status, c.Type = http.StatusOK, "application/json"; body == nil {
		c.Status, c.Note, c.Entry.Reason = http.StatusBadRequest, "error reason="+reason, reason
		return c, errorBody("api_error", noCompaction)
	}
	return c, body
}

// Retry decides after the provider refused a request with status 400 or 413 and the text of its error.
func (g *Gateway) Retry(r Request, status int, text []byte) (Compacted, []byte) {
	p := g.edgePrepare(&r)
	retried := g.retry(p, r.Find, status, text)
	c := g.compacted(&r, p, retried)
	if p.refusesThread() || p.outgrows(status, text) {
		c.Status = http.StatusBadRequest
		return c, []byte(noThread)
	}
	c.Again = retried != ""
	_, e := r.endpoint(g)
	c.add(p, e)
	return c, p.Body
}

// add sets the additions to the response of a plain upstream.
func (c *Compacted) add(p *Prepared, e *endpoint) {
	if p.edits == nil {
		return
	}
	c.Member = p.member(e)
	if block := p.block(); block != nil {
		c.Block, c.Events = string(encode(block)), string(p.events())
	}
}

// Names lists the names of the checkpoints that a request may have, the oldest first. All requests of a session have
// the same first one, which names the object that stores them. It is nil for a request that is not compacted.
func (g *Gateway) Names(r Request) (names []string) {
	defer func() {
		if recover() != nil {
			names = nil
		}
	}()
	u, e := r.endpoint(g)
	if e == nil || g.Secret == nil {
		return nil
	}
	p := &Prepared{Body: r.Body, budget: g.budget(context.Background())}
	if u.Plain {
		p.Body, p.edits = takeEdits(expandBlocks(expand(p.Body)))
	}
	if g.read(p, e, r.Header); p.body == nil {
		return nil
	}
	return g.keys(p)
}

// endpoint returns no upstream if the path names none, and no endpoint if the path has no history.
func (r *Request) endpoint(g *Gateway) (*Upstream, *endpoint) {
	target, err := url.Parse(r.Address)
	if err != nil {
		return nil, nil
	}
	u, rest := find(g.Upstreams, target.EscapedPath())
	return u, endpointOf(r.Method, rest, u != nil && u.Plain).with(target.Query())
}

func (g *Gateway) edgePrepare(r *Request) *Prepared {
	u, e := r.endpoint(g)
	if e == nil {
		return &Prepared{Body: r.Body, Reason: unread(r.Method), budget: g.budget(context.Background())}
	}
	var edits []managedEdit
	if u.Plain {
		r.Body, edits = takeEdits(expandBlocks(expand(r.Body)))
	}
	return g.Prepare(context.Background(), u, e, r.Header, r.Body, edits, r.Find)
}

func (g *Gateway) compacted(r *Request, p *Prepared, retried string) Compacted {
	c := Compacted{Note: p.Note(), Entry: Entry{Op: "gateway", Sent: len(p.Body), Retried: retried},
		Betas: p.thinking.betas}
	c.Name, c.Checkpoint = p.Checkpoint()
	if u, _ := r.endpoint(g); u != nil {
		c.Entry.Upstream = u.Name
	}
	c.Entry.describe(p)
	c.Entry.Session = sessionID(g.salt(), r.Header, p)
	return c
}

// describe adds the figures of a prepared request.
func (e *Entry) describe(p *Prepared) {
	if e.Reason == "" {
		e.Reason = p.Reason
	}
	r := p.Result
	e.Model = modelName(p.Model)
	if r == nil {
		return
	}
	e.Before, e.After, e.Cleared, e.Summaries, e.Cause = r.Before, r.After, r.Cleared, r.Summaries, r.Cause
	e.Failed, e.OpenCut = r.Failed, r.OpenCut
	e.Lost, e.ReadAgain, e.Clears = r.Lost, r.ReadAgain, r.Clear.Uses
	if p.Hit {
		e.Checkpoint = "hit"
	}
}
