//go:build js && wasm

package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"syscall/js"
)

// fetcher sends requests by the platform's fetch. The library's own transport splits the values of headers at their commas,
// which a date has and a key may have, and leaves a request running when its context has ended.
type fetcher struct{}

func (fetcher) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	abort := js.Global().Get("AbortController").New()
	stop := context.AfterFunc(r.Context(), func() { abort.Call("abort") })
	answer, err := await(r.Context(), js.Global().Get("fetch").Invoke(r.URL.String(), map[string]any{
		"method": r.Method, "headers": single(r.Header), "body": toJS(body), "redirect": "manual", "signal": abort.Get("signal")}))
	if err != nil {
		stop()
		abort.Call("abort")
		return nil, err
	}
	b := &fetched{ctx: r.Context(), done: func() { stop(); abort.Call("abort") }}
	if stream := answer.Get("body"); stream.Truthy() {
		b.reader = stream.Call("getReader")
	}
	return &http.Response{StatusCode: answer.Get("status").Int(), Header: headersOf(js.Global().Get("Array").Call("from", answer.Get("headers")).Call("flat").Call("join", "\n").String()), Body: b}, nil
}

// single is h as fetch takes it; our own requests have one value for each name.
func single(h http.Header) map[string]any {
	all := map[string]any{}
	for name := range h {
		all[name] = h.Get(name)
	}
	return all
}

// fetched is the body of an answer, read as it comes: nobody knows how long it is.
type fetched struct {
	ctx    context.Context
	reader js.Value // undefined: there is no body
	rest   []byte
	done   func()
}

func (b *fetched) Read(p []byte) (int, error) {
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

// Close breaks off what is not read.
func (b *fetched) Close() error {
	b.done()
	return nil
}

// Headers cross the border as one string, each name and each value on a line of its own: a call for each would take longer than
// many a request. No value holds a line's end.

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

func linesOf(h http.Header) string {
	var lines []string
	for name, values := range h {
		for _, value := range values {
			lines = append(lines, name, value)
		}
	}
	return strings.Join(lines, "\n")
}
