//go:build js && wasm

package worker

import (
	"context"
	"io"
	"net/http"
	"strings"
	"syscall/js"
)

// fetcher sends requests with the platform's fetch. The library's transport is not used: it splits header values at
// commas, which dates and some keys contain, and does not cancel a request when its context ends.
type fetcher struct{}

func (fetcher) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	abort := js.Global().Get("AbortController").New()
	stop := context.AfterFunc(r.Context(), func() { abort.Call("abort") })
	answer, err := await(r.Context(), js.Global().Get("fetch").Invoke(r.URL.String(), map[string]any{
		"method": r.Method, "headers": headerObject(r.Header), "body": toJS(body), "redirect": "manual",
		"signal": abort.Get("signal"),
	}))
	if err != nil {
		stop()
		abort.Call("abort")
		return nil, err
	}
	b := &responseBody{ctx: r.Context(), done: func() { stop(); abort.Call("abort") }}
	if stream := answer.Get("body"); stream.Truthy() {
		b.reader = stream.Call("getReader")
	}
	lines := js.Global().Get("Array").Call("from", answer.Get("headers")).Call("flat").Call("join", "\n").String()
	return &http.Response{StatusCode: answer.Get("status").Int(), Header: headersOf(lines), Body: b}, nil
}

// headerObject converts h for fetch; our requests have one value for each name.
func headerObject(h http.Header) map[string]any {
	all := map[string]any{}
	for name := range h {
		all[name] = h.Get(name)
	}
	return all
}

// responseBody reads the body of a response as a stream, since its length is unknown.
type responseBody struct {
	ctx    context.Context
	reader js.Value // undefined: there is no body
	rest   []byte
	done   func()
}

func (b *responseBody) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.reader.IsUndefined() {
			return 0, io.EOF
		}
		chunk, err := await(b.ctx, b.reader.Call("read"))
		if err != nil {
			return 0, err
		}
		if chunk.Get("done").Bool() {
			return 0, io.EOF
		}
		b.rest = bytesOf(chunk.Get("value"))
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close cancels the rest of the body.
func (b *responseBody) Close() error {
	b.done()
	return nil
}

// headersOf parses headers that JavaScript passes as one string, each name and each value on its own line. One call for
// each value would take longer than a small request. A header value cannot contain a line break.
func headersOf(lines string) http.Header {
	h := http.Header{}
	name, isName := "", true
	for line := range strings.SplitSeq(lines, "\n") {
		if isName {
			name = line
		} else {
			h.Add(name, line)
		}
		isName = !isName
	}
	return h
}

// linesOf is the inverse of headersOf.
func linesOf(h http.Header) string {
	var lines []string
	for name, values := range h {
		for _, value := range values {
			lines = append(lines, name, value)
		}
	}
	return strings.Join(lines, "\n")
}
