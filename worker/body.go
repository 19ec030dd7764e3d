package worker

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"tamp/worker/gateway"
)

// maxBody is the limit on a request's body, in bytes. A conversation of a day of work is about 4 MB; 32 MB leaves room
// for images and fits into a Worker's memory.
const maxBody = 32 << 20

// bufferedBody is a request's body that is already in memory: on Cloudflare, JavaScript passes it in one piece.
type bufferedBody struct {
	bytes.Reader
	data []byte
}

func (*bufferedBody) Close() error { return nil }

// readBody returns the body of a request that sends JSON.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if err := checkType(r.Header); err != nil {
		return nil, err
	}
	tooLarge := newError("too_large", "", "cannot read request: it is larger than 32 MB")
	if r.ContentLength > maxBody {
		return nil, tooLarge
	}
	if b, ok := r.Body.(*bufferedBody); ok {
		if len(b.data) > maxBody {
			return nil, tooLarge
		}
		return b.data, nil
	}
	var into bytes.Buffer
	if r.ContentLength > 0 {
		into.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(gateway.DefaultBodyTimeout)) // an error: the platform has no deadlines
	_, err := into.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil { // else the server would wait for the rest of the body
		_ = control.SetReadDeadline(time.Time{})
	}
	var limit *http.MaxBytesError
	switch {
	case errors.As(err, &limit):
		return nil, tooLarge
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, newError("bad_request", "", "cannot read request: its body is incomplete")
	case err != nil:
		return nil, newError("bad_request", "", "cannot read request: its body cannot be read")
	}
	return into.Bytes(), nil
}

// checkType accepts JSON only. A page of another origin cannot send this type without a preflight request (CORS). A
// body without a type is accepted only without an Origin, so only from programs.
func checkType(h http.Header) error {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return newError(unsupportedType, "", "cannot read request: send the body without a Content-Encoding")
	}
	given := h.Get("Content-Type")
	if given == "" && h.Get("Origin") == "" {
		return nil
	}
	if !gateway.IsJSON(given) {
		return newError(unsupportedType, "", "cannot read request: send it as Content-Type: application/json")
	}
	return nil
}
