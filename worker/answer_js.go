//go:build js && wasm

package worker

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
)

// answerNow serves one request that needs no I/O, synchronously. One string and one body are passed in each direction,
// since each further JavaScript value takes as long as a small request; worker.mjs is the caller.
//
//	head: the method, the URL, a fault ("too large", "broken off", "limited" or ""), then the headers
//	answer: [the status, the vocabulary that is not loaded or "", the log entry, then the headers;
//		the body, a Uint8Array or null]
//
// Each field is one line, headers as in headersOf. worker.mjs prints the log entry after it has returned the response.
func answerNow(s *server, head string, body js.Value, logged, wanted *string) any {
	method, head, _ := strings.Cut(head, "\n")
	address, head, _ := strings.Cut(head, "\n")
	fault, head, _ := strings.Cut(head, "\n")
	target, err := url.Parse(address)
	if err != nil {
		target = &url.URL{Path: "/"}
	}
	data := bytesOf(body)
	r := &http.Request{Method: method, URL: target, Host: target.Host, Header: headersOf(head),
		Body: newBufferedBody(data), ContentLength: int64(len(data))}
	switch fault {
	case "too large":
		r.ContentLength = maxBody + 1
	case "broken off":
		r.Body = io.NopCloser(truncatedBody{})
	case "limited":
		r = r.WithContext(withOverLimit(r.Context()))
	}
	w := &response{header: http.Header{}, status: http.StatusOK, body: js.Null()}
	s.ServeHTTP(w, r)
	return []any{strconv.Itoa(w.status) + "\n" + *wanted + "\n" + *logged + "\n" + linesOf(w.header), w.body}
}

// truncatedBody is a body whose connection broke before its end.
type truncatedBody struct{}

func (truncatedBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// newBufferedBody keeps data as the body of a request.
func newBufferedBody(data []byte) *bufferedBody {
	b := &bufferedBody{data: data}
	b.Reset(data)
	return b
}

// response collects the response, which the handler writes in one piece.
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
