//go:build js && wasm

package main

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
)

// answerNow serves one request that needs no I/O, before it returns. What goes over the border is one string and one body each
// way, since every further value takes as long as a small request does; worker.mjs has the other side.
//
//	head: the method, the URL, what is wrong ("too large", "broken off", "limited" or ""), then the headers
//	answer: [the status, the vocabulary that is not loaded or "", the line for the log, then the headers; the body, a Uint8Array or null]
//
// Each is on a line of its own, headers as headersOf has them. worker.mjs writes the log when the response is on its way.
func answerNow(s *server, head string, body js.Value, said, wanted *string) any {
	method, head, _ := strings.Cut(head, "\n")
	address, head, _ := strings.Cut(head, "\n")
	wrong, head, _ := strings.Cut(head, "\n")
	at, err := url.Parse(address)
	if err != nil {
		at = &url.URL{Path: "/"}
	}
	data := bytesOf(body)
	r := &http.Request{Method: method, URL: at, Host: at.Host, Header: headersOf(head), Body: newWhole(data), ContentLength: int64(len(data))}
	switch wrong {
	case "too large":
		r.ContentLength = maxBody + 1
	case "broken off":
		r.Body = io.NopCloser(brokenOff{})
	case "limited":
		r = r.WithContext(withOverLimit(r.Context()))
	}
	w := &response{header: http.Header{}, status: http.StatusOK, body: js.Null()}
	s.ServeHTTP(w, r)
	return []any{strconv.Itoa(w.status) + "\n" + *wanted + "\n" + *said + "\n" + linesOf(w.header), w.body}
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
