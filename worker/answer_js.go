//go:build js && wasm

package main

import (
	"net/http"
	"net/url"
	"syscall/js"
)

// answerNow serves one request that needs no I/O, before it returns. The request comes from worker.mjs, and the response goes
// back to it, as
//
//	{ method, url, headers: [[name, value], …], body: Uint8Array | null, limited: boolean } -> { status, headers, body: Uint8Array | null }
func answerNow(s *server, in js.Value) any {
	at, err := url.Parse(in.Get("url").String())
	if err != nil {
		at = &url.URL{Path: "/"}
	}
	data := bytesOf(in.Get("body"))
	r := &http.Request{Method: in.Get("method").String(), URL: at, Host: at.Host, Header: http.Header{}, Body: newWhole(data), ContentLength: int64(len(data))}
	given := in.Get("headers")
	for i := range given.Length() {
		pair := given.Index(i)
		r.Header.Add(pair.Index(0).String(), pair.Index(1).String())
	}
	if in.Get("tooLarge").Truthy() {
		r.ContentLength = maxBody + 1
	}
	if in.Get("limited").Truthy() {
		r = r.WithContext(withOverLimit(r.Context()))
	}
	w := &response{header: http.Header{}, status: http.StatusOK, body: js.Null()}
	s.ServeHTTP(w, r)
	out := js.Global().Get("Array").New()
	for name, values := range w.header {
		for _, value := range values {
			out.Call("push", js.Global().Get("Array").New(name, value))
		}
	}
	return map[string]any{"status": w.status, "headers": out, "body": w.body}
}

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
