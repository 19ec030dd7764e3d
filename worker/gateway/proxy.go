//go:build !js

package gateway

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"tamp/core/msg"
)

// NewTransport returns the transport of a native gateway. It adds no header, decodes nothing and follows no redirect.
func NewTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // else it would decode the response
		MaxIdleConnsPerHost: 100,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}
}

// exchange is one request of a client and its response.
type exchange struct {
	g     *Gateway
	w     http.ResponseWriter
	r     *http.Request
	u     *Upstream
	e     *endpoint
	url   *url.URL
	p     *Prepared
	edits []managedEdit // that the request asks of a plain upstream
	entry Entry
	usage usageReader

	encoded, decoded []byte // the body of a request with a Content-Encoding, as it was sent and as it was read
}

func (g *Gateway) start() {
	g.slots = make(chan struct{}, max(g.MaxStreams, 1))
	g.places = make(chan struct{}, max(runtime.GOMAXPROCS(0), minPlaces))
	if g.Transport == nil {
		g.Transport = NewTransport()
	}
	if g.fresh = g.Transport; g.Now == nil {
		g.Now = time.Now
	}
	if t, ok := g.Transport.(*http.Transport); ok {
		t = t.Clone()
		t.DisableKeepAlives = true
		g.fresh = t
	}
}

// sentTo returns the scheme and the host that a client has sent a request to. A proxy that ends TLS in front of this
// server names the scheme.
func sentTo(r *http.Request) *url.URL {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return &url.URL{Scheme: scheme, Host: r.Host}
}

// InFlight returns the number of requests whose body has arrived and whose response has not ended.
func (g *Gateway) InFlight() int {
	g.once.Do(g.start)
	return len(g.slots)
}

// minPlaces is the number of requests that compute at once on a small machine: a small request need not wait for two
// that take long. Each may need some hundred megabytes.
const minPlaces = 4

// ServeHTTP forwards a request whose path names an upstream.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.once.Do(g.start)
	began := g.Now()
	u, rest := find(g.Upstreams, r.URL.EscapedPath())
	if u == nil {
		g.explain(w, g.authorized(r.Header))
		return
	}
	x := &exchange{g: g, w: w, r: r, u: u, e: endpointOf(r.Method, rest, u.Plain).with(r.URL.Query()),
		entry: Entry{Time: began.UTC().Format(TimeFormat), ID: NewID(), Op: "gateway", Upstream: u.Name}}
	defer func() {
		x.entry.Ms = g.Now().Sub(began).Milliseconds()
		x.finish()
	}()
	if no := g.check(r.Method, sentTo(r), rest, r.Header, u.Plain); no != nil {
		x.refuse(no.status, no.reason, no.sentence)
		return
	}
	var err error
	if x.url, err = url.Parse(u.target(rest, r.URL.RawQuery)); err != nil {
		x.refuse(http.StatusBadRequest, "bad_path", "the path is malformed")
		return
	}
	data, stream, err := x.read()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		x.refuse(http.StatusRequestTimeout, "bad_body", "the body of the request arrives too slowly")
		return
	case err != nil:
		x.refuse(http.StatusBadRequest, "bad_body", "the body of the request cannot be read to its end")
		return
	case stream == nil: // A body that arrives slowly takes no place, and one that is streamed through needs no memory.
		select {
		case g.slots <- struct{}{}:
			defer func() { <-g.slots }()
		default:
			x.refuse(http.StatusServiceUnavailable, "too_many_streams", "this gateway has too many requests at once, try again")
			return
		}
	}
	if isWebSocket(r.Method, r.Header) {
		x.webSocket(rest)
		return
	}
	if stream == nil && x.compact(data) != nil {
		return
	}
	x.entry.AddedMs = g.Now().Sub(began).Milliseconds()
	x.exchange(stream)
}

// Misses reports whether a request is meant for the gateway although its path names no upstream, as with a base URL
// without one.
func (g *Gateway) Misses(r *http.Request) bool {
	return !g.Handles(r.URL.EscapedPath()) && endpointOf(r.Method, r.URL.Path, false) != nil
}

// explain answers a request whose path names no upstream. Their names are settings of the operator.
func (g *Gateway) explain(w http.ResponseWriter, authorized bool) {
	sentence := "the path begins with no upstream: add the name of one to the base URL"
	if authorized {
		var names []string
		for _, u := range g.Upstreams {
			names = append(names, "/"+u.Name)
		}
		sentence += ", " + strings.Join(names, " or ")
	}
	fail(w, http.StatusNotFound, "not_found_error", sentence)
}

// mark sets the headers of the gateway in a response.
func (x *exchange) mark(h http.Header, note string) {
	h.Set("X-Tamp", note)
	h.Set("X-Tamp-Request-Id", x.entry.ID)
}

// refuse answers instead of the provider.
func (x *exchange) refuse(status int, reason, sentence string) {
	x.entry.Status, x.entry.Reason = status, reason
	x.mark(x.w.Header(), "error reason="+reason)
	if status == http.StatusServiceUnavailable {
		x.w.Header().Set("Retry-After", "1")
	}
	fail(x.w, status, "api_error", sentence)
}

// fail writes an error in the form that both vendors' clients read.
func fail(w http.ResponseWriter, status int, kind, sentence string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(errorBody(kind, sentence))
}

// compact sets x.p to the request to forward for a body that was read. After an error the client has an answer.
func (x *exchange) compact(data []byte) error {
	if x.e == nil {
		return nil
	}
	if coding := codingOf(x.r.Header); coding != "" {
		text, reason := decode(coding, data)
		if reason != "" {
			x.p.Body, x.p.Reason = data, reason
			return nil
		}
		x.encoded, x.decoded, data = data, text, text
	}
	if x.u.Plain {
		var ok bool
		if data, ok = x.plainBody(data); !ok {
			return errAnswered
		}
	}
	x.p = x.g.Prepare(x.r.Context(), x.u, x.e, x.r.Header, data, x.edits, x.find())
	x.keep()
	if status, body, kind := x.p.own(); status != 0 {
		x.answer(status, body, kind)
		return errAnswered
	}
	x.p.forget()
	return nil
}

var errAnswered = errors.New("the gateway has answered")

func (x *exchange) find() func(string) []byte {
	if x.g.Checkpoints == nil {
		return nil
	}
	return x.g.Checkpoints.Find
}

// keep stores the checkpoint, and starts the summaries that this request did not wait for.
func (x *exchange) keep() {
	if key, data := x.p.Checkpoint(); key != "" && x.g.Checkpoints != nil {
		x.g.Checkpoints.Keep(key, data)
	}
	if x.g.Summaries != nil {
		x.g.Summaries.start(x.p)
	}
}

// exchange sends the request and the response.
func (x *exchange) exchange(stream io.Reader) {
	response, err := x.send(stream)
	if err == nil {
		response, err = x.retry(response)
	}
	if err != nil {
		if x.r.Context().Err() == nil {
			x.refuse(http.StatusBadGateway, "unreachable", "the provider cannot be reached")
		}
		return
	}
	defer response.Body.Close()
	x.copy(response)
}

// send sends the stream, or the prepared body if it is nil. A provider may close an idle connection at the moment at
// which the request is sent on it; the prepared body is then sent again, once, on a new connection: any other idle one
// may be closed, too.
func (x *exchange) send(stream io.Reader) (*http.Response, error) {
	reused := false
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }}
	response, err := x.g.Transport.RoundTrip(x.request(stream, trace))
	if err == nil || !reused || stream != nil || x.r.Context().Err() != nil {
		return response, err
	}
	return x.g.fresh.RoundTrip(x.request(nil, trace))
}

func (x *exchange) request(stream io.Reader, trace *httptrace.ClientTrace) *http.Request {
	r := (&http.Request{Method: x.r.Method, URL: x.url, Header: requestHeaders(x.r.Header),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(httptrace.WithClientTrace(x.r.Context(), trace))
	addBetas(r.Header, x.p.thinking.betas)
	switch {
	case x.edits != nil:
		r.Header.Del("Accept-Encoding") // the response gets a member
	case x.e != nil:
		readableOnly(r.Header)
	}
	switch {
	case stream == nil:
		data := x.p.Body
		switch {
		case x.encoded == nil:
		case bytes.Equal(data, x.decoded):
			data = x.encoded
		default:
			r.Header.Del("Content-Encoding")
		}
		r.ContentLength = int64(len(data))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
		r.Body, _ = r.GetBody()
		if len(data) == 0 {
			r.Body, r.GetBody = nil, nil // the transport does not know the length of an empty reader
		}
		x.entry.Sent = len(data)
	default:
		r.Body, r.ContentLength = io.NopCloser(stream), x.r.ContentLength
	}
	return r
}

// maxError is the size in bytes up to which the body of an error is read.
const maxError = 64 << 10

// retry sends another request if the provider refused the prompt as too long, or refused the compacted messages. It
// returns the response to pass on.
func (x *exchange) retry(response *http.Response) (*http.Response, error) {
	if x.p.body == nil && x.p.thread == "" || !readable(response.Header.Get("Content-Encoding")) {
		return response, nil
	}
	switch response.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
	case http.StatusOK:
		if x.p.body == nil {
			return response, nil
		}
		return x.holdBack(response)
	default:
		return response, nil
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxError))
	if err != nil {
		return nil, err
	}
	rest := response.Body
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(data), rest), rest}
	if x.p.body == nil {
		if x.p.outgrows(response.StatusCode, textOf(response.Header, data)) {
			refuseThread(response)
		}
		return response, nil
	}
	return x.retryAfter(response, textOf(response.Header, data))
}

// retryAfter sends the request again if that can help. data is the error.
func (x *exchange) retryAfter(response *http.Response, data []byte) (*http.Response, error) {
	x.entry.Retried = x.g.retry(x.p, x.find(), response.StatusCode, data)
	if x.entry.Retried == "" {
		return response, nil
	}
	x.g.lives.take(x.p.session) // the next fold goes on from the checkpoint, which has what the retry decided
	x.keep()
	x.p.forget()
	if x.p.refusesThread() {
		refuseThread(response)
		return response, nil
	}
	response.Body.Close()
	return x.send(nil)
}

// holdBack reads the start of a stream of the Responses API or of Gemini until it shows whether the request failed: one
// that is too long is sent again, as retry does. Of any other response nothing is read. See opening.
func (x *exchange) holdBack(response *http.Response) (*http.Response, error) {
	kind := response.Header.Get("Content-Type")
	holds := (x.e.format == msg.OpenAIResponses || x.e.format == msg.Gemini) && !x.e.counts
	if !holds || !strings.HasPrefix(kind, "text/event-stream") || !x.g.canForce(x.p) {
		return response, nil
	}
	from := newChunks(x.r.Context(), response.Body)
	response.Body = from
	first := &opening{}
	late := time.NewTimer(cmp.Or(x.g.hold, maxHold))
	defer late.Stop()
	read := first.write
	if isGzip(response.Header) {
		text := newGunzip(first.write)
		defer text.end()
		read = text.pass
	}
	var held []byte
	for !first.done && len(held) < maxHeld {
		chunk, ok := from.next(late.C)
		if !ok {
			break // the reader of the rest gets the error
		}
		held = append(held, chunk...)
		read(chunk)
	}
	from.rest = held
	if first.failed {
		if _, _, tooLong := readTooLong(http.StatusOK, first.text); tooLong {
			return x.retryAfter(response, first.text)
		}
	}
	return response, nil
}

// maxStall is the time for which a client may read nothing of a response that has arrived: after it, the request has
// no place among those at once any more.
const maxStall = 30 * time.Second

// copy passes a response on as it arrives. If the provider breaks it off, the connection to the client breaks, too.
func (x *exchange) copy(response *http.Response) {
	if response.Header.Get("Content-Encoding") == "" {
		x.report(response)
	}
	h := x.w.Header()
	clear(h) // the headers of this server's own pages
	for name, values := range forwarded(response.Header) {
		h[name] = values
	}
	confine(h, x.r.Header)
	x.mark(h, x.p.Note())
	for name := range response.Trailer {
		h.Add("Trailer", name)
	}
	x.entry.Status = response.StatusCode
	x.w.WriteHeader(response.StatusCode)
	control := http.NewResponseController(x.w)
	_ = control.Flush()
	x.usage.on = x.e != nil && !x.e.counts && readable(response.Header.Get("Content-Encoding"))
	read := x.usage.write
	if x.usage.on && isGzip(response.Header) {
		text := newGunzip(x.usage.write)
		defer text.end()
		read = func(p []byte) { _, _ = text.Write(p) }
	}
	buffer := make([]byte, 32<<10)
	for {
		n, err := response.Body.Read(buffer)
		if n > 0 {
			x.entry.Bytes += n
			read(buffer[:n])
			_ = control.SetWriteDeadline(time.Now().Add(cmp.Or(x.g.ReadTimeout, maxStall)))
			if _, failed := x.w.Write(buffer[:n]); failed != nil {
				return // the client has disconnected; its context cancels the request to the provider
			}
			_ = control.Flush()
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
	_ = control.SetWriteDeadline(time.Time{}) // the next response of the connection has its own
	for name, values := range response.Trailer {
		h[name] = values
	}
}

// finish logs the request and lists its session.
func (x *exchange) finish() {
	e := &x.entry
	if p := x.p; p != nil {
		e.describe(p)
		e.Usage = x.usage.end()
		e.CacheMiss = x.usage.miss
		if x.e != nil {
			e.Session = sessionID(x.g.salt(), x.r.Header, p)
		}
		if x.g.Sessions != nil && x.e != nil && !x.e.counts {
			x.g.Sessions.record(&passed{x.r.Header, p, e, e.Usage, x.g.Keep})
		}
	}
	if x.g.Log != nil {
		x.g.Log(e)
	}
}
