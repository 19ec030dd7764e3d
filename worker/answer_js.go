//go:build js && wasm

package main

import (
	"io"
	"net/http"
	"net/url"
	"syscall/js"
)

// answerNow serves one request that needs no I/O, before it returns. The request comes from worker.mjs, and the response goes
// back to it, as
//
//	{ method, url, headers: [[name, value], …], body: Uint8Array | null, wrong, limited: boolean } -> { status, headers, body: Uint8Array | null, said }
//
// said is the line for the log, which worker.mjs writes when the response is on its way.
func answerNow(s *server, in js.Value, said *string) any {
	at, err := url.Parse(in.Get("url").String())
	if err != nil {
		at = &url.URL{Path: "/"}
	}
	data := bytesOf(in.Get("body"))
	r := &http.Request{Method: in.Get("method").String(), URL: at, Host: at.Host, Header: headersOf(in.Get("headers")), Body: newWhole(data), ContentLength: int64(len(data))}
	switch in.Get("wrong").String() {
	case "too large":
		r.ContentLength = maxBody + 1
	case "broken off":
		r.Body = io.NopCloser(brokenOff{})
	}
	if in.Get("limited").Truthy() {
		r = r.WithContext(withOverLimit(r.Context()))
	}
	w := &response{header: http.Header{}, status: http.StatusOK, body: js.Null()}
	s.ServeHTTP(w, r)
	return map[string]any{"status": w.status, "headers": pairsOf(w.header), "body": w.body, "said": *said}
}

// brokenOff is the body of which only a part came.
type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// response takes an answer, which the handler writes in one piece.
type response struct {
	header http.Header
	status int
	body   js.Value
}

func (w *response) Header() http.Header          { return w.header }
func (w *response) WriteHeader(status int)       { w.status = status }
func (w *response) WriteRawJSBody(body js.Value) { w.body = body }

func (w *response) Write(p []byte) (int, error) {
	w.body = toJS(p)
	return len(p), nil
}

// writeWhole hands a body to JavaScript in one copy; through the library's streams it would go in pieces of 16 KB, each with
// a promise of its own.
func writeWhole(w http.ResponseWriter, body []byte) {
	if raw, ok := w.(interface{ WriteRawJSBody(js.Value) }); ok && len(body) > 0 {
		raw.WriteRawJSBody(toJS(body))
	}
}

func toJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// bytesOf copies a Uint8Array; null and undefined are no bytes.
func bytesOf(array js.Value) []byte {
	if !array.Truthy() {
		return nil
	}
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}
